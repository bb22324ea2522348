"""QuickDraw's globals lie where the old program's InitGraf says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from emu.port.graft.places import quickdraw_places
from emu.program import Program, read_program
from tests.port.old_game_recordings import GAME

PREBUILT = Path(__file__).parents[2] / "programs" / "mac" / "prebuilt"
RETURN = bytes.fromhex("4e75")


def old_program(code: bytes) -> Program:
    program = read_program(GAME)
    return replace(program, segments=(replace(program.segments[0], data=code, size=len(code)),))


def test_they_lie_around_the_port_that_init_graf_was_given() -> None:
    places = quickdraw_places(old_program(bytes.fromhex("486dffc6 a86e") + RETURN))
    assert places["thePort"] == "A5-0x3a"
    assert places["qd"] == "A5-0x104"
    assert places["arrow"] == "A5-0xa6"


def test_without_such_a_call_or_with_two_that_differ_there_are_none() -> None:
    assert not quickdraw_places(old_program(bytes.fromhex("2f08 a86e") + RETURN))
    both = bytes.fromhex("486dffc6 a86e 486dfffc a86e") + RETURN
    assert not quickdraw_places(old_program(both))
