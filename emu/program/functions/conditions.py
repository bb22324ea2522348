"""Conditions by which functions of a program are chosen: what they hold, call and touch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.program.functions.model import GlobalUse, ProgramFunction, ProgramFunctions
from emu.program.instructions.trap_table import normalised, signatures
from emu.program.model.model import Program, Segment

_NUMBER = re.compile(r"-?(?:0x[0-9A-Fa-f]+|\d+)")
_FOUR_CHARACTERS = 4
_SMALLEST_IN_DATA = 0x100


@dataclass(frozen=True, slots=True)
class FunctionCondition:
    """What a function has to have to be chosen; all of it.

    Attributes:
        find: numbers ("0x90", "-5") and texts.
        calls: Toolbox routines, and functions by their names or places.
        touches: places of globals ("A5-0x10cc", "section 1+0x40") or their names.
    """

    find: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.find or self.calls or self.touches)


@dataclass(frozen=True, slots=True)
class FunctionChoice:
    """A function that a condition chooses, and why, a clause for each part of the condition."""

    function: ProgramFunction
    reasons: tuple[str, ...] = ()


def choose(functions: ProgramFunctions, condition: FunctionCondition) -> list[FunctionChoice]:
    """The functions that have all that a condition asks for, in the order of addresses.

    Raises:
        UsageError: it names a routine that neither the Toolbox nor the program has.
    """
    for name in condition.calls:
        _require_callable(functions, name)
    return [
        FunctionChoice(function, tuple(reasons))
        for function in functions.functions
        if (reasons := _reasons(functions, function, condition)) is not None
    ]


def _reasons(
    functions: ProgramFunctions, function: ProgramFunction, condition: FunctionCondition
) -> list[str] | None:
    reasons: list[str] = []
    for found in (
        *(_content_reason(function, wanted) for wanted in condition.find),
        *(_call_reason(functions, function, wanted) for wanted in condition.calls),
        *(_use_reason(function, wanted) for wanted in condition.touches),
    ):
        if not found:
            return None
        reasons.append(found)
    return reasons


def _content_reason(function: ProgramFunction, wanted: str) -> str:
    """How a function holds a number or a text; "" if it does not."""
    contents = function.contents
    number = number_of(wanted)
    if number is not None:
        for bits in (8, 16, 32):
            for value in (number, number - (1 << bits)):
                if value in contents.constants:
                    return f"number {wanted}"
        return f"offset {wanted}" if number in contents.offsets else ""
    texts = [text for text in contents.texts if wanted in text]
    if texts:
        return f'text "{texts[0]}"'
    four = wanted.encode("mac_roman", "replace")
    signed = int.from_bytes(four, "big", signed=True)
    return f"'{wanted}'" if len(four) == _FOUR_CHARACTERS and signed in contents.constants else ""


def _call_reason(functions: ProgramFunctions, function: ProgramFunction, wanted: str) -> str:
    names = {_same_routine(wanted), wanted}
    for name in (*function.toolbox, *function.imports):
        if name in names or _same_routine(name) in names:
            return f"calls {name}"
    for address in function.callees:
        callee = functions.by_address.get(address)
        if callee is not None and wanted in (callee.name, callee.place):
            return f"calls {callee.label}"
    return ""


def _same_routine(name: str) -> str:
    """A name that is the same for all names of a routine of the Toolbox."""
    signature = signatures().get(name)
    if signature is None:
        return name
    return f"trap {normalised(signature.trap):04x} {signature.selector}"


def _use_reason(function: ProgramFunction, wanted: str) -> str:
    for use in function.contents.globals:
        if use.place.lower() == wanted.lower().replace(" ", "") or use.place == wanted:
            return f"{access_words(use)} {use.place}"
    return ""


def access_words(use: GlobalUse) -> str:
    """What a function does with a global: "reads and writes", "takes the address of"."""
    words = [
        word
        for word, count in (
            ("reads", use.reads),
            ("writes", use.writes),
            ("takes the address of", use.takes),
        )
        if count
    ]
    return " and ".join(words)


def number_of(text: str) -> int | None:
    """A condition's text as a number; None if it is none."""
    return int(text, 0) if _NUMBER.fullmatch(text) else None


def _require_callable(functions: ProgramFunctions, name: str) -> None:
    own = {name for f in functions.functions for name in (f.name, f.place, *f.toolbox, *f.imports)}
    if name not in own and name not in signatures():
        hint = did_you_mean(name, own | signatures().keys())
        raise UsageError(
            f"--calls {name}: neither the Toolbox nor the program has such a routine{hint}"
        )


@dataclass(frozen=True, slots=True)
class DataPlace:
    """A place outside of functions that holds what is looked for."""

    address: int
    what: str


def places_in_data(program: Program, wanted: str) -> Iterator[DataPlace]:
    """Where data holds a number or a text, in the order of addresses.

    Numbers are looked for as words and longs at even addresses; those below 256 are not, for
    nearly all data has them.
    """
    number = number_of(wanted)
    for segment in program.segments:
        if segment.executable and number is not None:
            continue
        if number is None:
            yield from _texts(segment, wanted)
        elif abs(number) >= _SMALLEST_IN_DATA and -(1 << 31) <= number < 1 << 32:
            yield from _numbers(segment, number)


def _texts(segment: Segment, wanted: str) -> Iterator[DataPlace]:
    pattern = wanted.encode("mac_roman", "replace")
    at = segment.data.find(pattern)
    while at >= 0:
        yield DataPlace(segment.address + at, f'text "{wanted}"')
        at = segment.data.find(pattern, at + 1)


def _numbers(segment: Segment, number: int) -> Iterator[DataPlace]:
    sizes: Sequence[int] = (2, 4) if -0x8000 <= number < 0x10000 else (4,)
    for size in sizes:
        pattern = (number % (1 << 8 * size)).to_bytes(size, "big")
        at = segment.data.find(pattern)
        while at >= 0:
            if at % 2 == 0:
                yield DataPlace(segment.address + at, f"{'word' if size == 2 else 'long'} {number}")
            at = segment.data.find(pattern, at + 1)
