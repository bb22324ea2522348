"""Amended instructions of the 68K: results that the manual says, and what is left."""

from __future__ import annotations

import pytest

from emu.lift.decoder import Decoder, registers
from emu.lift.interpreter import Interpreter, LeftError
from emu.lift.m68k.m68k_builder import C, N, V, X, Z, general
from emu.machine.cpu import M68000, M68040, Cpu

FLAGS = (C, V, Z, N, X)


def lifted(code: str, cpu: Cpu = M68040) -> Interpreter:
    """An interpreter of some code at address 0, with no other memory."""
    text = bytes.fromhex(code)

    def read(address: int, size: int) -> bytes:
        return text[address : address + size]

    decoder = Decoder(cpu, read, is_compared=lambda instruction: True)
    return Interpreter(decoder, read, lambda address, data: None)


def run(code: str, d0: int, d1: int, flags: int) -> tuple[int, int, int]:
    """D0, D1 and the flags behind an instruction."""
    interpreter = lifted(code)
    interpreter.set(general(0), d0)
    interpreter.set(general(1), d1)
    for bit, flag in enumerate(FLAGS):
        interpreter.set(flag, flags >> bit & 1)
    assert interpreter.step(0) == len(bytes.fromhex(code))
    after = sum(interpreter.get(flag) << bit for bit, flag in enumerate(FLAGS))
    return interpreter.get(general(0)), interpreter.get(general(1)), after


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        # DIVU.W D1,D0: 0x80000 does not fit; N stays, Z is cleared, V is set.
        ("80c1", (0x80000, 1, 8 + 4), (0x80000, 1, 8 + 2)),
        # DIVS.W D1,D0: -7 by 2 is -3, and -1 remains.
        ("81c1", (0xFFFFFFF9, 2, 0), (0xFFFFFFFD, 2, 8)),
        # DIVS.L D1,D0: what does not fit into 32 bits.
        ("4c410800", (0x80000000, 0xFFFFFFFF, 4), (0x80000000, 0xFFFFFFFF, 2)),
        # DIVU.L D1,D0.
        ("4c410000", (100, 7, 0), (14, 7, 0)),
        # CHK.W D1,D0 within the bounds; ABCD D1,D0 with X: 19 and 1 are 21.
        ("4181", (5, 5, 8 + 1), (5, 5, 0)),
        ("c101", (0x19, 1, 16), (0x21, 1, 0)),
        # SBCD D1,D0; NBCD D0.
        ("8101", (0x20, 1, 0), (0x19, 1, 0)),
        ("4800", (0x01, 0, 0), (0x99, 0, 16 + 8 + 1)),
    ],
)
def test_results_by_the_manual(
    code: str, before: tuple[int, int, int], after: tuple[int, int, int]
) -> None:
    """D0, D1 and the flags before and after."""
    assert run(code, *before) == after


@pytest.mark.parametrize(
    ("code", "d0", "d1"),
    [
        ("80c1", 1, 0x10000),  # DIVU.W by 0
        ("4c410800", 1, 0),  # DIVS.L by 0
        ("4181", 6, 5),  # CHK.W above its bound
        ("4181", 0xFFFF, 5),  # and below 0
    ],
)
def test_exceptions_are_left(code: str, d0: int, d1: int) -> None:
    with pytest.raises(LeftError, match="its operands are left to the processor"):
        run(code, d0, d1, 0)


def test_trapv_is_left_if_v_is_set() -> None:
    assert run("4e76", 1, 2, 0x1D) == (1, 2, 0x1D)
    with pytest.raises(LeftError):
        run("4e76", 1, 2, 2)


@pytest.mark.parametrize(
    ("cpu", "code", "why"),
    [
        (M68000, "e9c00d84", "a 68000 does not have it"),  # BFEXTU
        (M68040, "06c0", "a 68040 does not have it"),  # RTM
        (M68040, "40c0", "it is privileged"),  # MOVE SR,D0
        (M68040, "f200 0022", "it is floating point of the 68K"),
        (M68040, "f239 d810 00001000", "it is floating point of the 68K"),  # the list is in D1
        (M68040, "4e57 0000", "processors differ in LINK of A7"),
        (M68040, "00d0 1800", "it is CHK2"),
        (M68040, "e9d0 0804", "a register says which bits of memory it is about"),
        (M68040, "4e7f", "it is no instruction"),
    ],
)
def test_what_is_left_as_a_whole(cpu: Cpu, code: str, why: str) -> None:
    with pytest.raises(LeftError, match=why):
        lifted(code, cpu).step(0)


def test_a_68000_reads_sr() -> None:
    interpreter = lifted("40c0", M68000)
    interpreter.set(general(0), 0xFFFFFFFF)
    interpreter.set(X, 1)
    interpreter.step(0)
    assert interpreter.get(general(0)) == 0xFFFF2010


def test_code_at_an_odd_address_is_left() -> None:
    with pytest.raises(LeftError, match="its address is odd"):
        lifted("004e71").step(1)


def test_registers_lie_where_sleigh_has_them() -> None:
    names = registers("m68k")
    assert [general(n) for n in range(16)] == [
        names[name] for name in (*(f"D{n}" for n in range(8)), *(f"A{n}" for n in range(7)), "SP")
    ]
    assert [names[f"{name}F"] for name in "CVZNX"] == list(FLAGS)
    assert general(2, 1) == names["D2b"]
