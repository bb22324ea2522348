"""``macproof debug``: what it refuses, and where it stops first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.debug.gdb import client
from emu.debug.gdb.client import gdb_words, line_to_paste
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec, spec_of

Command = Callable[..., Any]
PROGRAMS = Path(__file__).parents[2] / "programs/mac/prebuilt"
SCENE = ("--scene", "uniform:2:3")
EMPTY = str(PROGRAMS / "68000/empty.bin")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing.bin",), "nothing.bin: cannot be read"),
        ((EMPTY, "--port", "70000"), "--port 70000: it is from 0 to 65535"),
        ((EMPTY, "--directory", "nowhere"), "nowhere: there is no such folder"),
        ((EMPTY, "--commands", "nothing.gdb"), "nothing.gdb: there is no such file"),
        ((EMPTY, "--cpu", "68020"), "a program is debugged on one --cpu: 68000, 68040, 601"),
        ((EMPTY, "--cpu", "601"), "it has no code for a"),
        ((EMPTY, "--at-difference"), "--at-difference is about a case with --scene"),
        ((EMPTY, "--smallest"), "--smallest is about a case with --scene"),
        ((EMPTY, "--build", "O2"), "--build is about a case with --scene"),
        ((EMPTY, "--symbols", "nothing.gdb"), "nothing.gdb: cannot be read"),
        ((EMPTY, "--symbols", EMPTY), "it is not an ELF file"),
        ((EMPTY, "--stop-at", "DrawStrin"), "did you mean DrawString?"),
        (("four-shifts",), "four-shifts is a case: say on which scene"),
        (("four-shift",), "did you mean four-shifts?"),
        (("four-shifts", "--scene", "uniform"), "it is GENERATOR:OBJECTS:SEED"),
        (("four-shifts", "--scene", "uniform:2:3:x"), "with a fill of loaded, poison"),
        (("four-shifts", "--scene", "unifrm:2:3"), "there is no generator unifrm"),
        (("nothing",), "nothing: no program can be read there, and there is no case nothing"),
        (("four-shifts", *SCENE, "--cpu", "mips"), "a case is debugged on one --cpu: 68000, 68040"),
        (("four-shifts", *SCENE, "--cpu", "601", "--cpu", "68000"), "debugged on one --cpu"),
        (("four-shifts", *SCENE, "--build", "O0", "--build", "O2"), "debugged in one --build"),
        (("four-shifts", *SCENE, "--script", "x"), "--script is about a program, and --scene"),
        (("nothing.json",), "nothing.json: cannot be read"),
    ],
)
def test_refused(macproof: Command, words: tuple[str, ...], message: str) -> None:
    done = macproof("debug", *words)
    assert done.code == 2, done
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_program_that_does_not_get_there(macproof: Command) -> None:
    done = macproof("debug", EMPTY, "--stop-at", "DrawPicture")
    assert done.code == 4
    assert "the program does not get to DrawPicture: the program has ended" in done.err


def test_gdb_that_is_missing_is_named(macproof: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_NAMES", ("no-such-gdb",))
    done = macproof("debug", EMPTY, "--gdb")
    assert done.code == 3
    assert "GDB is not installed" in done.err


def test_line_to_paste() -> None:
    assert line_to_paste(4711, [Path("my sources")]) == (
        "gdb-multiarch -ex 'directory my sources' -ex 'target remote localhost:4711'"
    )
    assert gdb_words(1, command="gdb", commands=Path("c.gdb"))[-2:] == ["-x", "c.gdb"]


@pytest.mark.parametrize("fill", list(Fill))
def test_word_of_a_scene(fill: Fill) -> None:
    spec = SceneSpec("sector-edge", 20, 1994, fill)
    assert spec_of(spec.word) == spec
