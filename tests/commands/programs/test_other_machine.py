"""A program that shows to want an older Macintosh is run on one, unless the user has chosen."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program.code_samples import write_application

_EXIT = "a9f4"
_STORE = "2078 0824 20bc ffff0000 42a8 5000"
"""MOVEA.L ScrnBase,A0; MOVE.L #..,(A0); CLR.L 20480(A0), which a Macintosh Plus has, too."""
_FLAGGED = "303c 0010 a122 2010 0880 001f 08c0 001f 2240 4a11"
"""NewHandle; its master pointer with bit 31 set is used as an address."""
_LATER = "4a38 012f 6602 4afc"
"""ILLEGAL, if CPUFlag is that of a 68000."""
_LATEST = "0c38 0004 012f 6702 4afc"
"""ILLEGAL, if CPUFlag is not that of a 68040."""
_CREATE = "7050 a31e 43fa 0018 2149 0012 a008"
"""NewPtrClear, and Create with the name behind `_STORE` and `_EXIT`."""
_AGAIN = "This is its run on a Macintosh Plus. It was begun on a Quadra 700, where the program "


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """An application whose only segment is this code."""
    return functools.partial(write_application, tmp_path)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (_STORE, "stores into the screen itself, and has not asked how many bits a pixel has"),
        (_FLAGGED, "keeps flags in the highest byte of addresses"),
        ("7000 a05d", "switches to 24-bit addressing"),
    ],
)
def test_it_begins_again_on_a_plus(macproof, program, tmp_path, code, reason) -> None:
    report = tmp_path / "report.json"
    done = macproof("run", program(code + _EXIT), "--json", report)
    assert done.code == 0
    assert done.out.startswith("test.bin on the 68000\n")
    data = json.loads(report.read_text())
    assert data["cpu"] == "68000"
    assert data["instead_of"].startswith(f"{_AGAIN}{reason}; that run ")
    assert data["instead_of"] in " ".join(done.out.split())
    assert "try --machine" not in done.out


@pytest.mark.parametrize(
    "options",
    [
        ("--machine", "quadra"),
        ("--cpu", "68040"),
        ("--depth", "8"),
        ("--screen", "640x480"),
        ("--memory", "1M"),
    ],
)
def test_a_machine_that_was_chosen_is_kept(macproof, program, options) -> None:
    done = macproof("run", program(_STORE + _EXIT), *options)
    assert done.out.startswith("test.bin on the 68040\n")
    assert "try --machine plus" in done.out and "its run on" not in done.out


def test_a_program_without_such_a_wish_runs_once(macproof, program) -> None:
    done = macproof("run", program(_EXIT))
    assert done.out.startswith("test.bin on the 68040\n") and "its run on" not in done.out


def test_where_it_wants_a_later_processor_it_runs_on_an_se_30(macproof, program) -> None:
    done = macproof("run", program(_LATER + _STORE + _EXIT))
    assert (done.code, "This is its run on a Macintosh SE/30." in done.out) == (0, True)
    assert done.out.startswith("test.bin on the 68040\n")


def test_a_run_that_ends_worse_elsewhere_is_not_taken(macproof, program) -> None:
    done = macproof("run", program(_LATEST + _STORE + _EXIT))
    assert done.code == 0
    assert done.out.startswith("test.bin on the 68040\n")
    assert "try --machine plus" in done.out and "its run on" not in done.out


@pytest.mark.parametrize("changes", [False, True])
def test_files_of_the_host_are_not_changed_twice(macproof, program, tmp_path, changes) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    code = f"{_CREATE}{_STORE}{_EXIT} 0158" if changes else _STORE + _EXIT
    done = macproof("run", program(code), "--folder", disk)
    assert [path.name for path in disk.iterdir()] == ["X"] * changes
    assert ("its run on a Macintosh Plus" in done.out) is not changes
    assert ("try --machine plus" in done.out) is changes
