"""A processor's whole opcode map: what of it can be probed, and what is left out and why."""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from emu.engines.calibration.instructions import LeftOut, ProbeInstruction
from emu.engines.calibration.opcodes.m68k import m68k_entries
from emu.engines.calibration.opcodes.powerpc import ppc_entries
from emu.machine.cpu import CPUS


@dataclass(frozen=True, slots=True)
class OpcodeMap:
    """All instructions of a processor.

    Attributes:
        instructions: those that can be probed.
        left_out: the others.
    """

    instructions: tuple[ProbeInstruction, ...]
    left_out: tuple[LeftOut, ...]

    def sample(self, most: int, seed: int) -> tuple[ProbeInstruction, ...]:
        """Some of the instructions: one of each mnemonic in turn, until there are enough.

        Args:
            most: how many; 0 for all.
            seed: which; another seed gives others.
        """
        if not most or most >= len(self.instructions):
            return self.instructions
        groups: dict[str, list[ProbeInstruction]] = {}
        for one in sorted(self.instructions, key=functools.partial(_rank, seed)):
            groups.setdefault(one.text.split(" ")[0], []).append(one)
        turns = [(at, one) for each in groups.values() for at, one in enumerate(each)]
        turns.sort(key=lambda turn: (turn[0], _rank(seed, turn[1])))
        return _ordered(one for _, one in turns[:most])


def _ordered(instructions: Iterable[ProbeInstruction]) -> tuple[ProbeInstruction, ...]:
    return tuple(sorted(instructions, key=lambda one: (one.form, one.code)))


def _rank(seed: int, instruction: ProbeInstruction) -> bytes:
    return hashlib.blake2b(instruction.code, digest_size=8, salt=seed.to_bytes(16, "big")).digest()


@functools.cache
def opcode_map(processor: str) -> OpcodeMap:
    """The map of a processor, by its name."""
    cpu = CPUS[processor]
    entries = tuple((m68k_entries if cpu.architecture == "m68k" else ppc_entries)(cpu))
    counts = Counter(entry.left_out for entry in entries if entry.instruction is None)
    left_out = (
        LeftOut(
            kind,
            count,
            tuple(sorted({entry.mnemonic for entry in entries if entry.left_out == kind})),
        )
        for kind, count in sorted(counts.items())
    )
    found = (entry.instruction for entry in entries)
    return OpcodeMap(_ordered(one for one in found if one is not None), tuple(left_out))
