"""The habits that code shows: each is counted where it is, and not where it is not."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program.mac_file.resource_fork import make_resource_fork
from emu.program.model.lines import LineTable
from emu.program.model.model import Program, Segment
from posts.habits.find import habits_of, habits_of_files
from posts.habits.model import ProgramHabits
from posts.habits.powerpc import powerpc_habits
from tests.program.code_samples import NEAR, application, code_0, near

BASE = 0x10000
MULTIPLIES = bytes.fromhex("c1fc0024") * 8


def counts(found: ProgramHabits) -> Mapping[str, tuple[int, int]]:
    """The counts of habits by their names, and of what they are a share."""
    return {one.name: (one.count, one.of) for one in found.habits}


def m68k(folder: Path, first: str, second: str) -> ProgramHabits:
    """The habits of an application of two segments; the first one has data behind its code."""
    file = application(
        {
            ("CODE", 0): code_0([(NEAR, 1, 0), (NEAR, 2, 0)], below=0x10000),
            ("CODE", 1): near(bytes.fromhex(first) + MULTIPLIES),
            ("CODE", 2): near(bytes.fromhex(second)),
        }
    )
    path = folder / "Sample.rsrc"
    path.write_bytes(make_resource_fork(file.resources.resources))
    (found,) = habits_of(path)
    return found


def test_a_68k_program_with_every_habit(tmp_path: Path) -> None:
    found = m68k(
        tmp_path,
        "4e56fff0"  # LINK A6,#-16
        "48e71c00"  # MOVEM.L D3-D5,-(A7)
        "c5fc0024"  # MULS #36,D2
        "c3c0"  # MULS D0,D1
        "81fc000c"  # DIVS #12,D0
        "81fc0010"  # DIVS #16,D0
        "302dff9c"  # MOVE.W -100(A5),D0
        "204dd1fcffff2000"  # MOVEA.L A5,A0; ADDA.L #-57344,A0
        "3f002f014ead002a"  # MOVE.W D0,-(A7); MOVE.L D1,-(A7); JSR 42(A5)
        "e9c00104"  # BFEXTU D0{4:4},D0
        "f2000400"  # FSQRT FP1,FP0
        "4cdf0038"  # MOVEM.L (A7)+,D3-D5
        "4e5e4e75",  # UNLK A6; RTS
        "4e75",
    )
    assert found.routines == 2
    assert counts(found) == {
        "LINK first": (1, 2),
        "MOVEM to the stack": (1, 2),
        "MULU or MULS": (2, found.instructions),
        "by a constant": (1, 2),
        "DIVU or DIVS": (2, found.instructions),
        "by a power of two": (1, 2),
        "16 bits from A5": (1, 2),
        "32 bits": (1, 2),
        "through the jump table": (1, 1),
        "words": (1, 2),
        "68020 or later": (1, found.instructions),
        "floating-point unit": (1, found.instructions),
    }


def test_a_68k_program_with_none(tmp_path: Path) -> None:
    """The eight multiplications are data behind a return: nobody reaches them."""
    found = m68k(tmp_path, "2f0161024e757006e5484e75", "4e75")
    assert found.instructions == 7
    assert {name: count for name, (count, _) in counts(found).items() if count} == {}
    assert counts(found)["words"] == (0, 1)
    assert found.bytes_covered < found.bytes_of_code


def test_arguments_of_the_toolbox_are_not_those_of_own_routines(tmp_path: Path) -> None:
    found = m68k(tmp_path, "3f00a97461024e754e75", "4e75")
    assert counts(found)["words"] == (0, 0)
    assert counts(found)["through the jump table"] == (0, 1)


def powerpc(*words: int, vectors: tuple[int, ...] = ()) -> ProgramHabits:
    """The habits of a program of these words, whose data names the routines at these offsets."""
    code, contents = struct.pack(f">{len(words)}I", *words), 0x20000
    data = b"".join(struct.pack(">II", BASE + at, contents) for at in vectors)
    return powerpc_habits(
        Program(
            path=Path("sample"),
            architecture="powerpc",
            byte_order=">",
            segments=[
                Segment("section 0 (code)", BASE, len(code), code, False, True),
                Segment("section 1 (data)", contents, len(data), data, True, False),
            ],
            symbols=(),
            variables={},
            functions={},
            lines=LineTable(),
            has_debug_information=False,
            registers={"r2": contents},
        ),
        [BASE],
    )


BLR = 0x4E800020


def test_a_powerpc_program_with_every_habit() -> None:
    found = powerpc(
        0xBFA1FFF4,  # stmw r29,-12(r1)
        0x9421FFB0,  # stwu r1,-80(r1)
        0x80620008,  # lwz r3,8(r2)
        0x80830000,  # lwz r4,0(r3), which needs r3
        0x1CA40024,  # mulli r5,r4,36
        0x7CC523D6,  # divw r6,r5,r4
        0x2C060000,  # cmpwi r6,0
        0x41820008,  # beq over the next
        0x38600000,  # li r3,0
        0xBBA1FFF4,  # lmw r29,-12(r1)
        BLR,
    )
    assert counts(found)["STMW"] == (1, 1)
    assert counts(found)["LMW"] == (1, 1)
    assert counts(found)["a frame"] == (1, 1)
    assert counts(found)["from the table of contents"] == (1, 2)
    assert counts(found)["used by the next instruction"] == (2, 2)
    assert counts(found)["right before the branch"] == (1, 1)
    assert counts(found)["multiplications"][0] == 1
    assert counts(found)["divisions"][0] == 1


def test_a_division_by_a_power_of_two_is_told_from_others() -> None:
    """Three divisions: by 16, by 12, and by what a branch away was 16."""
    by_16, by_12, divide = 0x39800010, 0x3980000C, 0x7C6363D6  # li r12,16; divw r3,r3,r12
    found = powerpc(by_16, divide, by_12, divide, by_16, 0x4182FFEC, divide, BLR)
    assert counts(found)["divisions"][0] == 3
    assert counts(found)["by a power of two"] == (1, 3)


def test_a_powerpc_program_with_none() -> None:
    """The load waits, the compare waits; what lies behind the return is data."""
    found = powerpc(
        0x80830000,  # lwz r4,0(r3)
        0x2C030000,  # cmpwi r3,0
        0x38C00000,  # li r6,0
        0x41820008,  # beq over the next
        0x38650000,  # addi r3,r5,0
        BLR,
        0xBFA1FFF4,
        0x1CA40024,
    )
    assert found.instructions == 6
    assert {name: count for name, (count, _) in counts(found).items() if count} == {}


def test_routines_of_transition_vectors_are_reached() -> None:
    words = (BLR, 0xBFA1FFF4, BLR)
    assert counts(powerpc(*words))["STMW"] == (0, 1)
    assert counts(powerpc(*words, vectors=(4,)))["STMW"] == (1, 2)


def test_files_without_a_program_are_named(tmp_path: Path) -> None:
    m68k(tmp_path, "4e75", "4e75")
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"nothing")
    report = habits_of_files([tmp_path / "Sample.rsrc", nothing])
    assert [one.path for one in report.refused] == [nothing]
    assert len(report.programs) == 1
    with pytest.raises(ProgramError, match="nothing"):
        habits_of_files([nothing])
    with pytest.raises(ProgramError, match="1 other file"):
        habits_of_files([nothing, nothing])
