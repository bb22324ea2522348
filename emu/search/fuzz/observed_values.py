"""What calls leave on scenes that the reference refuses, and where two programs differ there.

As nobody knows what is right, programs are compared with each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.verify.images.observations import observations
from emu.verify.places.bound_case import BoundCase


@dataclass(frozen=True, slots=True, eq=False)
class ObservedValues:
    """What a call has left.

    Attributes:
        values: the values of a case's variables, by the names of their places.
        changed: which of them the call has changed.
    """

    values: Mapping[str, NDArray[Any]]
    changed: Mapping[str, NDArray[np.bool_]]

    @classmethod
    def of(
        cls, bound: BoundCase, before: NDArray[np.uint8], after: NDArray[np.uint8]
    ) -> list[ObservedValues]:
        """Those of calls; both images are uint8 of shape (calls, image size)."""
        old, new = (observations(bound, images) for images in (before, after))
        changed = {name: np.asarray(old[name] != values) for name, values in new.items()}
        return [
            cls(
                {name: values[row] for name, values in new.items()},
                {name: marks[row] for name, marks in changed.items()},
            )
            for row in range(len(after))
        ]


@dataclass(frozen=True, slots=True)
class ProgramDifference:
    """The first place that two programs leave different.

    Attributes:
        programs: the indices of the two.
        place: the name of the place.
        summary: which value it is, and what it is on both, with the names of the programs.
    """

    programs: tuple[int, int]
    place: str
    summary: str


def first_difference(
    names: Sequence[str], results: Mapping[int, ObservedValues]
) -> ProgramDifference | None:
    """The first place that two programs leave different; None if there is none.

    Values that neither has changed do not count: what is promised to nobody is filled at random.

    Args:
        names: the names of the programs, by their indices.
        results: what calls of them have left.
    """
    first = min(results, default=-1)
    for index in sorted(results)[1:]:
        mine, its = results[first], results[index]
        for name, values in its.values.items():
            other = mine.values.get(name)
            if other is None or np.shape(other) != np.shape(values):
                continue
            # A NaN differs from itself, and two programs that leave one agree.
            differs = np.asarray((other != values) & ((other == other) | (values == values)))
            differs &= mine.changed[name] | its.changed[name]
            places = np.flatnonzero(differs.ravel())
            if len(places):
                one, two = (np.ravel(each)[places[0]] for each in (other, values))
                summary = (
                    f"{name}, value {places[0]}, is {one} on the {names[first]} and {two} on the "
                    f"{names[index]}"
                )
                return ProgramDifference((first, index), name, summary)
    return None
