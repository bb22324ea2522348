"""QuickDraw's globals lie where the old program's InitGraf says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from emu.port.graft.places import quickdraw_places
from emu.program import Program, Segment, read_program
from emu.program.functions.find_functions import find_functions
from emu.program.functions.model import GLUE
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


def powerpc_program(*code: int) -> Program:
    """A PowerPC program whose first function begins with these words, and calls InitGraf."""
    program = read_program(PREBUILT / "601" / "drawing.bin")
    known = find_functions(program).functions
    glue = next(one for one in known if one.kind == GLUE and "InitGraf" in one.toolbox)
    distance = int(glue.place.rpartition("+")[2], 16) - 4 * len(code)
    words = b"".join(word.to_bytes(4, "big") for word in (*code, 0x48000001 | distance))
    first, *others = program.segments
    changed = replace(first, data=words + first.data[len(words) :])
    data = Segment("section 1", 0x40000, 0x400, bytes(0x400), writable=True, executable=False)
    return replace(program, segments=(changed, *others, data), registers={"r2": data.address})


def test_a_powerpc_program_adds_the_distance_of_the_port_to_its_qd() -> None:
    places = quickdraw_places(powerpc_program(0x38620010, 0x386300CA))
    assert places == {"qd": "section 1+0x10"}
    assert not quickdraw_places(powerpc_program(0x38620010, 0x386300CC))
