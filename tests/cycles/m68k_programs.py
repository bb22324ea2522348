"""The committed 68K programs, as instructions that control can reach."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from emu.program.instructions.disassembly import Code
from emu.program.read import read_program

ROOT = Path(__file__).parents[2]
FOR_68000 = (
    *sorted((ROOT / "mac_src" / "prebuilt").glob("*-68000-*.elf")),
    *sorted((ROOT / "mac_src" / "prebuilt" / "mac" / "68000").glob("*.bin")),
    *sorted((ROOT / "tests" / "programs" / "mac" / "prebuilt" / "68000").glob("*.bin")),
)
PROGRAMS = (
    *FOR_68000,
    *sorted((ROOT / "mac_src" / "prebuilt").glob("*-68040-*.elf")),
    *sorted((ROOT / "tests" / "programs").glob("*-m68k*.elf")),
)


@functools.cache
def instructions(programs: tuple[Path, ...]) -> tuple[tuple[str, int, bytes], ...]:
    """Every instruction of the programs' functions: program, address and bytes.

    Of equal ones there is only the first. Raises AssertionError for a program without any.
    """
    found: dict[bytes, tuple[str, int]] = {}
    for program in programs:
        count = 0
        for address, data in _reachable(program):
            found.setdefault(data, (program.name, address))
            count += 1
        assert count > 10, f"{program}: only {count} instructions were found"
    return tuple((name, address, data) for data, (name, address) in found.items())


def _reachable(program: Path) -> Iterator[tuple[int, bytes]]:
    read = read_program(program, architecture="m68k")
    code = Code(read)
    entries = [symbol.address for symbol in read.symbols if symbol.kind == "function"]
    for address, instruction in code.flow([e for e in entries if e in code]).items():
        yield address, code.read(address, instruction.size)
