"""Counts what share of a whole application's instructions is lifted, with the time of each.

    python -m tests.lift.application_share 68040 /path/to/an/application

Instructions are found as `macproof functions` finds them. One whose length is not what Capstone
says is a fault of one of the two decoders, and is shown.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.lift.decoder import Decoder
from emu.machine import CPUS
from emu.program import Program
from emu.program.functions.m68k_extents import find_m68k_functions
from emu.program.functions.powerpc_extents import find_powerpc_functions
from emu.program.functions.program_memory import ProgramMemory
from emu.program.whole_program import read_whole_program

_WORD = 4
_MOST_EXAMPLES = 8


@dataclass(slots=True)
class LiftedShare:
    """What came of an application's instructions.

    Attributes:
        functions: the functions that were found.
        instructions: the instructions in them.
        traps: those of them that call the Toolbox, which is never lifted.
        data: words of the PowerPC among them that are no instructions, as tables of a ``switch``.
        lifted: those that are lifted.
        refusals: why others are not, with the instruction's mnemonic, and how many those are.
        lengths: places where the length of an instruction is not what Capstone says.
        seconds: processor time of decoding.
    """

    functions: int = 0
    instructions: int = 0
    traps: int = 0
    data: int = 0
    lifted: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    lengths: list[str] = field(default_factory=list)
    seconds: float = 0.0


def _fetch(program: Program) -> Callable[[int, int], bytes]:
    """Reads code of a program."""
    pieces = [(one.address, bytes(one.data)) for one in program.segments if one.executable]

    def fetch(address: int, size: int) -> bytes:
        for start, data in pieces:
            if start <= address < start + len(data):
                return data[address - start :][:size]
        return b""

    return fetch


def _instructions(program: Program) -> Iterator[list[tuple[int, int]]]:
    """The address and the length of the instructions of each function."""
    memory = ProgramMemory(program)
    if program.architecture == "m68k":
        for function in find_m68k_functions(memory):
            yield [(each.address, each.end - each.address) for each in function.instructions]
    else:
        for extent in find_powerpc_functions(memory):
            yield [(at, _WORD) for at in range(extent.start, extent.end, _WORD)]


def share_of(program: Program, processor: str) -> LiftedShare:
    """Decode all instructions of a program's functions."""
    cpu, fetch = CPUS[processor], _fetch(program)
    decoder = Decoder(cpu, fetch)
    share = LiftedShare()
    for places in _instructions(program):
        share.functions += 1
        for address, length in places:
            share.instructions += 1
            code = fetch(address, length)
            if cpu.architecture == "m68k" and code[0] >> 4 == 0xA:
                share.traps += 1
                continue
            begins = time.process_time()
            lifted = decoder.instruction(address)
            share.seconds += time.process_time() - begins
            if not lifted.refusal:
                share.lifted += 1
                if len(lifted.code) != length:
                    share.lengths.append(f"{address:#x}: {cpu.disassemble(code)}")
                continue
            mnemonic = cpu.disassemble(code).partition(" ")[0]
            if mnemonic.startswith("0x"):
                share.data += 1
            else:
                share.refusals[f"{mnemonic}: {lifted.refusal}"] += 1
    return share


def main(arguments: Sequence[str]) -> int:
    """Count, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.lift.application_share")
    parser.add_argument("processor", choices=sorted(CPUS))
    parser.add_argument("application", type=Path)
    parser.add_argument("--most", type=int, default=30, help="so many reasons are shown")
    options = parser.parse_args(arguments)
    architecture = CPUS[options.processor].architecture
    share = share_of(read_whole_program(options.application, architecture), options.processor)
    asked = share.instructions - share.traps - share.data
    print(
        f"{share.functions:,} functions, {share.instructions:,} instructions, of which "
        f"{share.traps:,} call the Toolbox and {share.data:,} are data. Of the other "
        f"{asked:,}, {share.lifted:,} are lifted: "
        f"{100 * share.lifted / max(1, asked):.2f} %, {1e6 * share.seconds / max(1, asked):.0f} us "
        f"each. Other lengths than Capstone's: {len(share.lengths)}."
    )
    for place in share.lengths[:_MOST_EXAMPLES]:
        print(f"    {place}")
    for why, count in share.refusals.most_common(options.most):
        print(f"{count:7,} {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
