"""The base class of the Toolbox's managers."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Mapping
from dataclasses import MISSING, Field, field
from typing import Any, ClassVar, Self, dataclass_transform

from emu.toolbox.computer.host import Host
from emu.toolbox.guest.guest_access import GuestAccess


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Manager:
    """A manager: methods that do routines (see `declaration.routine`), and their state.

    Every manager is like a dataclass. The managers that it uses are its fields, and `made_from`
    hands them to it by their types::

        class ScrapManager(Manager):
            _memory: MemoryManager

    It is none, because `dataclass` compiles methods for each class, which took 80 ms for all
    managers at each start of a program.

    Attributes:
        plumbing: whether its calls are left out of the normalised log, because compilers' run-time
            libraries make them rather than the program (memory, segments, traps).
        powerpc_only: whether only a Power Macintosh has its routines, and does them by rules of its
            own: a C library, Mixed Mode, code fragments.
        host: the machine.
    """

    plumbing: ClassVar[bool] = False
    powerpc_only: ClassVar[bool] = False

    host: Host

    _needs: ClassVar[tuple[str, ...]] = ("host",)
    _kinds: ClassVar[tuple[tuple[str, str], ...]] = ((__name__, "Host"),)
    _field_defaults: ClassVar[tuple[tuple[str, Field[Any]], ...]] = ()

    def __init_subclass__(cls) -> None:
        for name, kind in inspect.get_annotations(cls).items():
            value = vars(cls).get(name)
            if isinstance(value, Field):
                cls._field_defaults = (*cls._field_defaults, (name, value))
                delattr(cls, name)
            elif not kind.startswith("ClassVar"):
                cls._needs = (*cls._needs, name)
                cls._kinds = (*cls._kinds, (cls.__module__, kind))

    def __init__(self, *parts: Any) -> None:
        vars(self).update(zip(self._needs, parts, strict=True))
        for name, made in self._field_defaults:
            if made.default_factory is not MISSING:
                setattr(self, name, made.default_factory())
        self.__post_init__()

    def __post_init__(self) -> None:
        """Make what the manager has from its beginning."""

    @functools.cached_property
    def guest(self) -> GuestAccess:
        """Guest memory."""
        return self.host.guest

    @classmethod
    def made_from(cls, parts: Mapping[type, Any]) -> Self:
        """The manager, not yet started.

        Args:
            parts: the machine and the managers made before, by their types.

        Raises:
            TypeError: it needs a manager that has not been made.
        """
        needs = _kinds_of(cls._kinds)
        missing = [kind.__name__ for kind in needs if kind not in parts]
        if missing:
            raise TypeError(f"{cls.__name__} needs {missing[0]}, which is not made before it")
        return cls(*[parts[kind] for kind in needs])

    def start(self) -> None:
        """Prepare the manager; called when all managers exist and before the program is loaded."""

    def finish(self) -> None:
        """Report what the program left wrong; called when it has ended."""

    def also_return(self, register: str, value: int) -> None:
        """Return a second result in a 68K register, such as "a0"."""
        engine = self.host.engine
        engine.registers[engine.index[register]] = value & 0xFFFFFFFF


@functools.cache
def _kinds_of(kinds: tuple[tuple[str, str], ...]) -> tuple[type, ...]:
    """Classes by the modules that name them: found once, for many a Macintosh."""
    return tuple(getattr(sys.modules[module], name) for module, name in kinds)
