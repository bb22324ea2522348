"""The interpreter of lifted instructions, and the code around every call of a 68040."""

from __future__ import annotations

import random

import pytest

from emu.lift.decoder import Decoder, registers
from emu.lift.interpreter import Interpreter, LeftError
from emu.machine import CPUS

CODE = 0x1000


def interpreter(
    code: str, cpu: str = "68040", *, is_gate: bool = False
) -> tuple[Interpreter, bytearray]:
    """An interpreter with 64 KB of random memory that begins with address 0, and this memory."""
    memory = bytearray(random.Random(1).randbytes(0x10000))
    memory[CODE : CODE + len(bytes.fromhex(code))] = bytes.fromhex(code)

    def read(address: int, size: int) -> bytes:
        return bytes(memory[address : address + size])

    def write(address: int, data: bytes) -> None:
        memory[address : address + len(data)] = data

    gate = range(CODE, CODE + 0x100) if is_gate else range(0)
    return Interpreter(Decoder(CPUS[cpu], read, gate), read, write), memory


def test_a_loop_of_the_68k() -> None:
    """D0 is 3; each turn adds it to D1."""
    lifted, _ = interpreter("7003 7200 d280 5380 66fa")
    names, at = registers("m68k"), CODE
    for _ in range(2 + 3 * 3):
        at = lifted.step(at)
    assert at == CODE + 10
    assert lifted.get(names["D0"]) == 0
    assert lifted.get(names["D1"]) == 3 + 2 + 1


def test_registers_are_bytes() -> None:
    lifted, _ = interpreter("4e71")
    names = registers("m68k")
    lifted.set(names["D3"], 0x12345678)
    assert lifted.get(names["D3w"]) == 0x5678
    assert lifted.registers[12:16].hex() == "12345678"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("a9ff", "SLEIGH"),
        ("4afc", "SLEIGH"),
        ("4e72 2000", "privileged"),
        ("40c0", "privileged"),
        ("f200 0022", "floating point"),
        ("80c1", "operands"),
    ],
)
def test_what_is_left_to_the_processor(code: str, why: str) -> None:
    """Here a trap, ILLEGAL, STOP, FADD, and DIVU by a register that is 0."""
    with pytest.raises(LeftError, match=why):
        interpreter(code)[0].step(CODE)


def test_the_code_around_a_call() -> None:
    """MOVEM, MOVE to CCR, LEA, FMOVEM.X, and what stores all of it again."""
    code = (
        "4cf97fff00002000 44f900002002 4ff900003000 f239d0ff00002100 48f9ffff00004000"
        "40f900004040 f239f0ff00004100 f239b00000004200"
    )
    lifted, memory = interpreter(code, is_gate=True)
    at, end = CODE, CODE + len(bytes.fromhex(code))
    while at < end:
        at = lifted.step(at)
    assert memory[0x4000:0x403C] == memory[0x2000:0x203C]
    assert memory[0x403C:0x4040].hex() == "00003000"
    assert int.from_bytes(memory[0x4040:0x4042], "big") == 0x2000 | memory[0x2003] & 0x1F
    assert memory[0x4200:0x4204] == bytes(4)
    for start in range(0x2100, 0x2160, 12):
        there = start + 0x2000
        assert memory[there : there + 2] == memory[start : start + 2]
        assert memory[there + 2 : there + 4] == bytes(2)
        assert memory[there + 4 : there + 12] == memory[start + 4 : start + 12]


def test_the_code_around_a_call_of_a_601() -> None:
    """Here LWZ, STW and a branch."""
    lifted, memory = interpreter("80602000 90604000 4bfffff8", "601")
    at = CODE
    for _ in range(3):
        at = lifted.step(at)
    assert at == CODE
    assert memory[0x4000:0x4004] == memory[0x2000:0x2004]
