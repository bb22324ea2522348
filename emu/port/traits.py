"""What compilers keep of a function's source: the traits by which two compiled forms are alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emu.program.functions.model import ProgramFunction
from emu.program.instructions.trap_table import normalised, signatures

TOOLBOX, CONSTANT, OFFSET, TEXT = "calls", "number", "offset", "text"
CALLEE, CALLER, VARIABLE = "calls function", "is called by", "uses"
"""Kinds of traits. The last three are about functions and globals whose places are known."""
_PLAIN_CONSTANTS = frozenset({0, 1, -1})
"""Numbers that compilers put into code, and leave out, as they like."""


@dataclass(frozen=True, slots=True)
class Trait:
    """Something in a function: a Toolbox routine called, a number, an offset, a text.

    Attributes:
        kind: `TOOLBOX`, `CONSTANT`, `OFFSET`, `TEXT`, `CALLEE`, `CALLER` or `VARIABLE`.
        value: the routine's name, the number in decimal, the text, or the place.
    """

    kind: str
    value: str

    def __str__(self) -> str:
        match self.kind:
            case "calls":
                return f"calls {self.value}"
            case "offset":
                return f"offset {int(self.value):#x}"
            case "text":
                return f'text "{self.value[:30]}"'
            case "number":
                number = int(self.value)
            case _:
                return f"{self.kind} {self.value}"
        return f"number {number:#x}" if abs(number) > 9 else f"number {number}"


def traits_of(function: ProgramFunction) -> Counter[Trait]:
    """The traits of a function, and how often each is there."""
    contents = function.contents
    traits: Counter[Trait] = Counter()
    for name, count in function.toolbox.items():
        traits[Trait(TOOLBOX, routine_name(name))] += count
    for name, count in own_imports(function).items():
        traits[Trait(TOOLBOX, name.lstrip("_"))] += count
    for number, count in contents.constants.items():
        if number not in _PLAIN_CONSTANTS:
            # A compiler adds -5 where the source subtracts 5.
            traits[Trait(CONSTANT, str(abs(number)))] += count
    for offset, count in contents.offsets.items():
        if offset:
            traits[Trait(OFFSET, str(offset))] += count
    for text in contents.texts:
        traits[Trait(TEXT, text)] += 1
    return traits


def own_imports(function: ProgramFunction) -> Mapping[str, int]:
    """The functions of other files that the source names, without arithmetic of the compiler."""
    return {n: count for n, count in function.imports.items() if not _ARITHMETIC.fullmatch(n)}


def routine_name(name: str) -> str:
    """One name for all names of a Toolbox routine that the same trap and selector has."""
    signature = signatures().get(name)
    if signature is None:
        return name
    return _names().get((normalised(signature.trap), signature.selector), name)


def _names() -> Mapping[tuple[int, int | None], str]:
    if not _NAMES:
        for name, signature in signatures().items():
            _NAMES.setdefault((normalised(signature.trap), signature.selector), name)
    return _NAMES


_NAMES: dict[tuple[int, int | None], str] = {}

_ARITHMETIC = re.compile(r"__\w*[sdxt][if]\w*")
"""Functions of GCC's library, such as __mulsi3, for what other compilers write in place."""

Count = Callable[[ProgramFunction], float]

COUNTS: Mapping[str, Count] = {
    "bytes": lambda f: f.size / 4,
    "calls of the Toolbox": lambda f: sum(f.toolbox.values()),
    "calls of functions": lambda f: (
        sum(f.callees.values()) + sum(own_imports(f).values()) + f.contents.pointer_calls
    ),
    "functions called": lambda f: len(f.callees) + len(own_imports(f)),
    "globals": lambda f: len(f.contents.globals),
    "loops": lambda f: f.contents.loops,
    "branches": lambda f: f.contents.branches,
    "callers": lambda f: len(f.callers),
}
"""What is counted of a function, in words."""
