"""Every 16-bit opcode of the 68K and a million words of PowerPC: nothing hangs, nothing goes down.

Each is executed once, in worker processes that end where the engine cannot be stopped.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from emu.base.processes import workers
from emu.machine import CPUS
from emu.machine.engine.base import watchdog
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from tests.rows import slow_but

CODE, DATA = 0x1000, 0x8000
# To the far end the 68040 executes a thousand ORI after each opcode, in one block with it, and this
# takes ten times as long as the opcode. F2FC needs 500 of them to take the engine down.
FAR, NEAR = 0x1F00, 0x1040
PIECE = 1 << 14
RUNS_AN_ENGINE = 1 << 10
# What follows the opcode; the second has every reserved bit set, the last two are instructions.
FILLINGS = (
    "0000 0000 0000",
    "ffff ffff ffff",
    "7fff 8001 0802",
    "4e71 4e71 4e71",
    "4848 f2a0 0000",
)


def execute_each(
    cpu: str, knows_special: bool, codes: list[bytes], log: Path, far: bool = True
) -> int:
    """Execute each piece of code once; how many. The log tells which is the last.

    Coprocessors' instructions always go on to the far end.
    """
    watchdog.STUCK_SECONDS = 5 if knows_special else 0.5
    known = CPUS[cpu] if knows_special else replace(CPUS[cpu], special=lambda code: {})
    memory = GuestMemory(
        [
            MemoryRegion("code", CODE, PAGE, False, True),
            MemoryRegion("data", DATA, PAGE, True, False),
        ]
    )
    with log.open("wb", buffering=0) as file:
        for start in range(0, len(codes), RUNS_AN_ENGINE):
            engine = FastEngine(known, memory)
            with watchdog.Watchdog(engine.stop, 0.05) as dog:
                for index in range(start, min(start + RUNS_AN_ENGINE, len(codes))):
                    file.seek(0)
                    file.write(struct.pack(">I", index))
                    memory.write(CODE, codes[index])
                    engine.forget_code(CODE, len(codes[index]))
                    dog.calls += 1
                    is_far = far or codes[index][0] >> 4 == 0xF
                    engine.run(CODE, FAR if is_far else NEAR)
    return len(codes)


def went_down(
    cpu: str, codes: Iterable[bytes], folder: Path, *, knows_special: bool = True, far: bool = True
) -> dict[str, str]:
    """The pieces of code that took a process down, in hexadecimal, each with how."""
    every = list(codes)

    def work(start: int) -> dict[str, str]:
        found, piece, log = {}, every[start : start + PIECE], folder / f"log-{start}"
        while piece:
            try:
                done = workers.run_apart(execute_each, cpu, knows_special, piece, log, far)
                assert done == len(piece)
                break
            except workers.ProcessDown as error:
                (index,) = struct.unpack(">I", log.read_bytes())
                found[piece[index].hex()] = str(error)
                piece = piece[index + 1 :]
        return found

    with ThreadPoolExecutor(2) as threads:
        pieces = threads.map(work, range(0, len(every), PIECE))
        return {code: how for found in pieces for code, how in found.items()}


def m68k_codes(opcodes: Iterable[int], filling: str) -> Iterable[bytes]:
    tail = bytes.fromhex(filling) + bytes.fromhex("4e71 4e71")
    return (struct.pack(">H", opcode) + tail for opcode in opcodes)


@pytest.mark.parametrize("opcode", slow_but([0xF2FC], [0x4848, 0xF2FC]))
def test_what_goes_down_or_hangs_is_found_here(tmp_path: Path, opcode: int) -> None:
    """The engine alone, without what is known of special instructions."""
    codes = list(m68k_codes([0x4E71, opcode, 0x4E71], FILLINGS[0]))
    found = went_down("68040", codes, tmp_path, knows_special=False)
    assert list(found) == [codes[1].hex()]
    how = "could not be stopped" if opcode == 0x4848 else "SIG"
    assert how in found[codes[1].hex()]
    assert went_down("68040", codes, tmp_path) == {}


# The 68000 has few instructions with words after the opcode that mean something, and each opcode is
# tried there with words that are drawn, too. With the first words all opcodes have the far end.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "filling"),
    [("68000", FILLINGS[0]), *(("68040", filling) for filling in FILLINGS)],
)
def test_no_68k_opcode_hangs_or_goes_down(cpu: str, filling: str, tmp_path: Path) -> None:
    codes = m68k_codes(range(1 << 16), filling)
    assert went_down(cpu, codes, tmp_path, far=filling == FILLINGS[0]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_no_68k_opcode_does_with_what_is_drawn(cpu: str, tmp_path: Path) -> None:
    """Each opcode before three random words, and those of the FPU before five hundred."""
    draw = random.Random(68)
    opcodes = [*range(1 << 16), *(500 * [*range(0xF200, 0xF240)])]
    codes = (
        struct.pack(">HHHHHH", opcode, *(draw.getrandbits(16) for _ in range(3)), 0x4E71, 0x4E71)
        for opcode in opcodes
    )
    assert went_down(cpu, codes, tmp_path, far=False) == {}


@pytest.mark.slow
def test_no_movec_goes_down(tmp_path: Path) -> None:
    codes = (
        struct.pack(">HHH", opcode, extension, 0x4E71)
        for opcode in (0x4E7A, 0x4E7B)
        for extension in range(1 << 12)
    )
    assert went_down("68040", codes, tmp_path) == {}


@pytest.mark.slow
def test_no_powerpc_word_hangs_or_goes_down(tmp_path: Path) -> None:
    """A million words drawn at random, and moves from and to every special register."""
    draw = random.Random(601)
    words = [draw.getrandbits(32) for _ in range(1_000_000)]
    words += [
        31 << 26 | 3 << 21 | (number & 31) << 16 | number >> 5 << 11 | form << 1
        for number in range(1024)
        for form in (339, 371, 467)  # mfspr, mftb, mtspr
    ]
    codes = (struct.pack(">II", word, 0x60000000) for word in words)
    assert went_down("601", codes, tmp_path) == {}
