"""Allocates memory of the guest heap for the arguments of a case's routine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.program import GuestType, Variable
from emu.verify.places.slots.argument_layout import GAP

BYTE = GuestType("unsigned char", "integer", np.dtype("u1"))
WORD = GuestType("unsigned int", "integer", np.dtype(">u4"))


class HeapAreas:
    """Allocates variables of the heap one behind the other, with gaps in which nobody may write.

    Args:
        start: the address of the first byte.

    Attributes:
        variables: the allocated variables, by name.
        addresses: words that hold a constant before each call, such as a pointer's address: the
            constant, by the address of the word.
    """

    def __init__(self, start: int) -> None:
        self._free = start
        self.variables: dict[str, Variable] = {}
        self.addresses: dict[int, int] = {}

    def place(self, name: str, kind: GuestType) -> Variable:
        """Allocate memory for a variable of a type."""
        variable = Variable(name, self._free, kind)
        self._free = -(-(self._free + kind.size + GAP) // 16) * 16
        self.variables[name] = variable
        return variable

    def let_hold(self, places: Iterable[int], value: int) -> None:
        """Have the words at some addresses hold a constant before each call."""
        self.addresses |= dict.fromkeys(places, value)


@dataclass(frozen=True, slots=True)
class ArgumentPlace:
    """Where an argument lies, or what it points to.

    Attributes:
        variable: the record of arguments, or the memory that a pointer leads to.
        member: the path to the member of it; "" for the whole.
        addresses: the address of its first byte, one for each call.
    """

    variable: Variable
    member: str
    addresses: tuple[int, ...]

    def path(self, name: str) -> str:
        """The path to a member of what lies here: "bounds.top"."""
        return f"{self.member}.{name}" if self.member else name


@dataclass(frozen=True, slots=True)
class ArgumentSource:
    """Where a case file says what an argument is.

    Attributes:
        case: the case.
        at: what comes before the names of parameters in the names of the case's lines: "calls[2].".
        prototype: how the routine is declared, as in C.
    """

    case: Case
    at: str
    prototype: str

    def error(self, name: str, problem: str) -> CaseError:
        """An error about a parameter, or a pointer in one."""
        return self.case.error(self.line(name), f"{self.prototype}: {problem}")

    def line(self, name: str) -> str:
        """The line of the case file that gives a parameter, or a pointer in one: "calls[2].rec"."""
        return self.at + name.partition("->")[0].partition(".")[0]
