"""What a function of a host library is given, and what of it is observed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

NULL, OUTSIDE = -1, -2
"""Indices of no element: of the null pointer, and of a pointer to other memory."""


@dataclass(frozen=True, slots=True)
class Pointee:
    """The memory that a pointer leads to.

    Attributes:
        values: what it holds, as an argument is given. None if it begins as anything.
        count: how many elements there is room for; None for a single one.
    """

    values: Any
    count: int | None


@dataclass(frozen=True, slots=True)
class ElementPointers:
    """Pointers to elements of an array.

    Attributes:
        indices: the elements: -1 for the null pointer, and the number of elements for a pointer to
            the place behind the last one.
        array: the name of the array, such as "*first"; "" for the only one of that type.
    """

    indices: NDArray[Any]
    array: str


NULL_POINTER = ElementPointers(np.array(NULL), "")


@dataclass(frozen=True, slots=True)
class HostCall:
    """A call: the index of the function, and its arguments by the names of its parameters.

    An argument is a number or a text, members by their names, `Pointee` for memory that a pointer
    leads to, or `ElementPointers` for a pointer into such memory. A member is given likewise.
    """

    function: int
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ObservedPlace:
    """An observed place: the variable, a member or "", and where it points.

    The variable is what a pointer leads to ("*out"), or the result of a call by its number
    ("return 0").
    """

    name: str
    variable: str
    member: str
    into: str
