"""Compares the lifted forms of the 601 with Unicorn and vectors, and writes what was compared.

    python -m tests.lift.compare_ppc --record --vectors ppcinttests.csv ppcfloattests.csv

A form is written to the list in ``emu/lift/compared`` if lifted code did the same as the other side
in all states that it was not left in, and there were enough. Without ``--record`` nothing is
written.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.engines.base.packages import version_of_package
from emu.lift.compared_forms import ComparedForms, write_compared
from emu.machine.cpu import PPC601
from emu.machine.engine.base.models import describe_engine
from tests.lift.lifted_vectors_ppc import ask_files
from tests.lift.pieces_ppc import PowerPiece, pieces
from tests.lift.probes_ppc import PowerOutcome, differences, outcomes

_STATES = 48
_LEAST = 12
"""A form is compared if both did the same with so many states."""


@dataclass(frozen=True, slots=True)
class FormsOutcome:
    """What came of comparing forms.

    Attributes:
        same: with how many states of a form both did the same.
        left: with how many the lifted code was left and Unicorn went on.
        wrong: what differs, as text.
    """

    same: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def compare(some: Sequence[PowerPiece], states: int, seed: int) -> FormsOutcome:
    """Execute pieces with so many states each."""
    outcome = FormsOutcome()
    by_code = {piece.instruction.code: piece for piece in some}
    for instruction, ours, other in outcomes([each.instruction for each in some], states, seed):
        piece = by_code[instruction.code]
        found = differences(ours, other, lower_half=piece.lower_half)
        if not found:
            outcome.same[piece.form] += 1
        elif ours.ended:
            outcome.left[piece.form] += 1
        else:
            outcome.wrong.append(f"{piece.form}: {', '.join(_texts(found, ours, other))}")
    return outcome


def _texts(names: Sequence[str], ours: PowerOutcome, other: PowerOutcome) -> Iterator[str]:
    for name in names:
        if name in ours.registers and name in other.registers:
            yield f"{name} is {ours.registers[name]:x} and must be {other.registers[name]:x}"
        else:
            yield f"{name} differs" if name != "end" else f"Unicorn {other.ended}"


def list_of(same: Counter[str], versions: Sequence[str]) -> ComparedForms:
    """The list of forms that were compared with enough states."""
    return ComparedForms(
        PPC601.name,
        datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        (f"pypcode {version_of_package('pypcode', 'pcode')}", *versions),
        {form: states for form, states in same.items() if states >= _LEAST},
    )


def main(arguments: Sequence[str]) -> int:
    """Compare all forms, print what differs, and write the list; 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.lift.compare_ppc", description=__doc__)
    parser.add_argument("--states", type=int, default=_STATES, help="of each piece of code")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vectors", type=Path, nargs="*", default=[], help="files of DingusPPC")
    parser.add_argument("--record", action="store_true", help="write the list of compared forms")
    options = parser.parse_args(arguments)
    outcome = compare(pieces(), options.states, options.seed)
    versions, same, wrong = [describe_engine()], outcome.same, outcome.wrong
    if options.vectors:
        counts, right, found = ask_files(options.vectors)
        print(f"vectors: {dict(counts)}")
        same, wrong = same + right, wrong + found
        versions.append("vectors of DingusPPC")
    compared = list_of(same, versions)
    print(f"{len(compared.forms)} forms, {sum(compared.forms.values())} states")
    for form in sorted(outcome.left):
        print(f"left: {form}: {outcome.left[form]} of {outcome.left[form] + same[form]}")
    print("".join(f"wrong: {each}\n" for each in wrong), end="")
    if options.record and not wrong:
        write_compared(compared)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
