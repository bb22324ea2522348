"""The list of managers is whole, and each is made of those before it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

from emu.toolbox import managers
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.all_managers import MANAGERS
from emu.toolbox.managers.memory.manager import MemoryManager
from tests.toolbox.conftest import make_mac


class Needy(Manager):
    _memory: MemoryManager


def declared() -> Iterator[type[Manager]]:
    """The managers that the modules of the package define."""
    for module in pkgutil.walk_packages(managers.__path__, f"{managers.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, Manager) and value is not Manager:
                yield value


def test_every_manager_is_listed_once() -> None:
    assert set(declared()) == set(MANAGERS.values())
    assert len(set(MANAGERS.values())) == len(MANAGERS)


def test_a_macintosh_has_each_manager_under_its_name() -> None:
    mac = make_mac()
    for name, kind in MANAGERS.items():
        assert type(getattr(mac, name)) is kind
        assert mac.managers[name] is getattr(mac, name)


def test_managers_share_the_host_and_those_that_they_use() -> None:
    mac = make_mac()
    assert {id(manager.host) for manager in mac.managers.values()} == {id(mac.host)}
    assert vars(mac.quickdraw)["_memory"] is mac.memory


def test_a_manager_that_stands_before_one_that_it_needs_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed = dict(MANAGERS)
    monkeypatch.setattr("emu.toolbox.managers.construction.MANAGERS", {"needy": Needy, **listed})
    with pytest.raises(TypeError, match="Needy needs MemoryManager, which is not made before it"):
        make_mac()
