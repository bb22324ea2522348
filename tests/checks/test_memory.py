"""The objects of a program, what lies between them, and which instructions push."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emu.checks.instructions import needs_words, pushes
from emu.checks.isa_model import NOTE, REFUTES
from emu.checks.memory import LeftCalls, MemoryChecks, Violation, ViolationKind, once
from emu.checks.objects import GuestVariable, Objects
from emu.program import GuestType, Program
from emu.program.model.lines import LineTable
from emu.program.model.model import Symbol, Variable


def program() -> Program:
    byte = GuestType("char", "integer", np.dtype("i1"))
    name = GuestType("char[5]", "array", np.dtype("i1"), (5,), element=byte)
    return Program(
        path=Path("no.elf"),
        architecture="m68k",
        byte_order=">",
        segments=[],
        symbols=[
            Symbol("gName", 0x100, 5, "object"),
            Symbol("gNext", 0x106, 4, "object"),
            Symbol("gLast", 0x10A, 2, "object"),
            Symbol("gFar", 0x200, 4, "object"),
        ],
        variables={"gName": [Variable("gName", 0x100, name)]},
        functions={},
        lines=LineTable(),
        has_debug_information=True,
    )


def test_objects_have_gaps_and_edges() -> None:
    objects = Objects(program(), [GuestVariable(0x204, 0x208, "*out")])
    assert list(objects.gaps()) == [range(0x105, 0x106)]
    assert list(objects.edges()) == [0x10A, 0x204]
    assert list(objects.limits()) == []
    row = [GuestVariable(0x300, 0x310, "gRow"), GuestVariable(0x310, 0x312, "gNext")]
    assert list(Objects(program(), row).limits()) == [0x310]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (0x103, "byte 3 of gName[5]"),
        (0x105, "1 byte behind the end of gName[5], before gNext"),
        (0x110, "5 bytes behind the end of gLast"),
        (0x80, "0x00000080"),
    ],
)
def test_where_an_address_is(address: int, words: str) -> None:
    assert Objects(program()).words(address) == words


@pytest.mark.parametrize(
    ("code", "distance", "is_push"),
    [
        ("2f00", 4, True),  # move.l d0,-(sp)
        ("48e73f3e", 48, True),  # movem.l d2-d7/a2-a6,-(sp)
        ("4e56ffe8", 4, True),  # link a6,#-24
        ("4eb90001", 4, True),  # jsr
        ("6100fffe", 4, True),  # bsr
        ("48780001", 4, True),  # pea 1
        ("42a7", 4, True),  # clr.l -(sp)
        ("2f40fffc", 4, False),  # move.l d0,-4(sp)
        ("4840", 4, False),  # swap d0
        ("2f00", 400, False),
    ],
)
def test_what_pushes_on_a_68k(code: str, distance: int, is_push: bool) -> None:
    assert pushes("m68k", bytes.fromhex(code), distance) is is_push


@pytest.mark.parametrize(
    ("code", "is_push"),
    [
        ("9421ffe0", True),  # stwu r1,-32(r1)
        ("7c21016e", True),  # stwux r1,r1,r0
        ("9001fffc", False),  # stw r0,-4(r1)
        ("9463fffc", False),  # stwu r3,-4(r3)
    ],
)
def test_what_pushes_on_a_powerpc(code: str, is_push: bool) -> None:
    assert pushes("powerpc", bytes.fromhex(code), 32) is is_push


def test_what_needs_words_on_a_601() -> None:
    assert needs_words(bytes.fromhex("bf810010"))  # stmw r28,16(r1)
    assert not needs_words(bytes.fromhex("90610010"))  # stw r3,16(r1)


def violation(kind: ViolationKind, line: int, weight: str = REFUTES) -> Violation:
    return Violation(
        line, kind, "does it", weight, "Work", f"0x{line:08x} Work+0x2 (work.c:{line})"
    )


def test_a_mistake_is_told_once_and_can_be_suppressed() -> None:
    odd, note = (violation(ViolationKind.MISALIGNED, n, w) for n, w in ((7, REFUTES), (9, NOTE)))
    one = MemoryChecks(once([odd, odd, note]), 40)
    assert (one + one).violations == (odd, note) and one.refuting == (odd,)
    silent = MemoryChecks(once([odd], ["misaligned Work"]), 90)
    assert silent.refuting == () and (one + silent).deepest == 90
    assert (one + silent).refuting == ()


def test_calls_that_were_left_are_counted_by_their_reasons() -> None:
    one, two = LeftCalls(3, "a stack of its own"), LeftCalls(5, "a call of the operating system")
    both = MemoryChecks((), 8, left=(one,)) + MemoryChecks((), 8, left=(two, one))
    assert both.left == (LeftCalls(6, one.why), two)
    assert (both + MemoryChecks((), 9)).left == both.left
