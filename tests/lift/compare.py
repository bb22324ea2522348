"""Compares lifted instructions with Unicorn and with public vectors, and writes what was compared.

    python -m tests.lift.compare 68040 --states 16 --record
    python -m tests.lift.compare 68000 --vectors m68000/v1 --record

It asks all of a processor's instructions and prints what differs. A form is written to the list
in ``emu/lift/compared`` if lifted code did the same as the other side in all states that it was
not left in, and there were four or more.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from emu.engines.base.packages import version_of_package
from emu.engines.calibration.instructions import ProbeInstruction
from emu.engines.calibration.opcodes.opcode_map import opcode_map
from emu.engines.conformity.single_step import SUFFIX, read_single_steps
from emu.lift.compared_forms import ComparedForms, write_compared
from emu.lift.interpreter import LEFT_TO_PROCESSOR
from emu.lift.m68k.m68k_forms import m68k_form
from emu.machine import CPUS
from emu.machine.engine.base.models import describe_engine
from tests.lift import lifted_vectors
from tests.lift.jump_probes import jump_probes
from tests.lift.probe_machine import difference, pairs

_EXAMPLES = 2
FEWEST = 4
"""A form needs so many states to get into a list."""

_MANY_STATES, _SEEDS = 64, 4
"""With how many states, and in how many contents of memory, a form is asked that has too few."""

_JUMP_STATES = 32
"""A jump has few instructions and all conditions of flags."""


@dataclass(slots=True)
class FormTally:
    """What came of the states of a form.

    Attributes:
        right: states in which both did the same.
        left: states in which lifted code was left.
        wrong: states in which they differed.
        examples: what differed, with the instruction.
        why: why lifted code was left last.
    """

    right: int = 0
    left: int = 0
    wrong: int = 0
    examples: list[str] = field(default_factory=list)
    why: str = ""


Tallies = dict[str, FormTally]


def decided_flags(form: str) -> int:
    """The flags of CCR that the manual decides, by the form of an instruction."""
    name = form.split(".")[0]
    if name in ("abcd", "sbcd", "nbcd"):
        return 0x15
    return 0x15 if name == "cmp2/chk2" else 0x1F


def compare_with_unicorn(
    processor: str, pieces: list[tuple[str, ProbeInstruction]], states: int, seed: int
) -> Tallies:
    """Ask Unicorn and lifted code pieces of code, each with the form that it is about."""
    tallies: Tallies = {}
    forms = {piece.code: form for form, piece in pieces}
    each = [piece for _, piece in pieces]
    for piece, ours, other in pairs(CPUS[processor], each, states, seed):
        form = forms[piece.code]
        tally = tallies.setdefault(form, FormTally())
        differs = "" if ours.is_left else difference(ours, other, decided_flags(form))
        if ours.is_left:
            tally.left, tally.why = tally.left + 1, ours.ended
        elif differs:
            tally.wrong += 1
            tally.examples.append(f"{piece.text}: {differs}")
        else:
            tally.right += not other.ended
    return tallies


def needs_more(tally: FormTally) -> bool:
    """Whether lifted code was left in most states of a form, as for CHK, but not in principle."""
    return tally.right < FEWEST and not tally.wrong and tally.why in ("", LEFT_TO_PROCESSOR)


@functools.cache
def mapped_pieces(processor: str) -> list[tuple[str, ProbeInstruction]]:
    """The instructions of a processor's opcode map without those of the floating-point unit.

    To find the form of each takes 0.1 s.
    """
    return [
        (m68k_form(processor, piece.code), piece)
        for piece in opcode_map(processor).instructions
        if piece.code[0] != 0xF2
    ]


def compare_with_vectors(folder: Path, most: int) -> tuple[Tallies, Iterator[str]]:
    """Ask lifted code the vectors of SingleStepTests/m68000.

    Args:
        folder: where the files are.
        most: how many of each file; 0 for all.

    Returns:
        What came of them by form; and a line for each file.
    """
    tallies: Tallies = {}
    lines = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        vectors = list(read_single_steps(path))
        if most and most < len(vectors):
            vectors = random.Random(most).sample(vectors, most)
        counts: Counter[str] = Counter()
        for vector in vectors:
            outcome = lifted_vectors.ask_lifted(vector)
            tally = tallies.setdefault(lifted_vectors.form_of_vector(vector), FormTally())
            if outcome == lifted_vectors.RIGHT:
                tally.right += 1
            elif outcome == lifted_vectors.LEFT:
                tally.left += 1
            elif outcome != lifted_vectors.NOT_ASKED:
                tally.wrong += 1
                tally.examples.append(f"{vector.name}: {outcome}")
                outcome = "wrong"
            counts[outcome] += 1
        lines.append(f"{path.name.removesuffix(SUFFIX)}: {dict(counts)}")
    return tallies, iter(lines)


def together(all_tallies: list[Tallies]) -> Tallies:
    """Tallies of several comparisons as one."""
    result: Tallies = {}
    for tallies in all_tallies:
        for form, tally in tallies.items():
            whole = result.setdefault(form, FormTally())
            whole.right += tally.right
            whole.left += tally.left
            whole.wrong += tally.wrong
            whole.examples += tally.examples
            whole.why = whole.why or tally.why
    return result


def compared(processor: str, tallies: Tallies, versions: list[str]) -> ComparedForms:
    """The list of forms that were found right."""
    return ComparedForms(
        processor,
        datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        (f"pypcode {version_of_package('pypcode', 'pcode')}", *versions),
        {f: t.right for f, t in tallies.items() if f and t.right >= FEWEST and not t.wrong},
    )


def main(arguments: list[str]) -> int:
    """Compare, print, and write."""
    parser = argparse.ArgumentParser(prog="python -m tests.lift.compare", description=__doc__)
    parser.add_argument("processor", choices=("68000", "68020", "68030", "68040"))
    parser.add_argument("--states", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vectors", type=Path, help="files of SingleStepTests/m68000")
    parser.add_argument("--most", type=int, default=0, help="vectors of each file")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args(arguments)
    name = options.processor
    pieces = mapped_pieces(name)
    found = [
        compare_with_unicorn(name, pieces, options.states, options.seed),
        compare_with_unicorn(name, list(jump_probes(name)), _JUMP_STATES, options.seed),
    ]
    for seed in range(options.seed + 1, options.seed + 1 + _SEEDS):
        whole = together(found)
        few = [(form, piece) for form, piece in pieces if needs_more(whole[form])]
        found.append(compare_with_unicorn(name, few, _MANY_STATES, seed))
    versions = [describe_engine()]
    if options.vectors:
        tallies, lines = compare_with_vectors(options.vectors, options.most)
        found.append(tallies)
        versions.append("vectors of SingleStepTests/m68000")
        print("\n".join(lines))
    whole = together(found)
    for form, tally in sorted(whole.items()):
        if tally.wrong:
            print(f"wrong: {form}: {tally.wrong} of {tally.wrong + tally.right}")
            print("".join(f"    {each}\n" for each in tally.examples[:_EXAMPLES]), end="")
        elif not tally.right:
            print(f"left: {form}: {tally.why}")
    result = compared(name, whole, versions)
    print(f"{name}: {len(result.forms)} of {len(whole)} forms, {sum(result.forms.values())} states")
    if options.record:
        write_compared(result)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
