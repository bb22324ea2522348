"""Floats between 68K functions of two conventions: each goes through FP0 from one form to another.

The forms of the memory that they are in: float and double; the 80 bits of a long double in the 12
bytes of the 68881; with the exponent twice, as THINK C has them; and in SANE's 10 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from emu.machine.abi.call_form import SANE_EXTENDED, UNIVERSAL, ValueForm, lone_field
from emu.program import GuestType

SCRATCH = 12
"""The bytes of the frame, at its end, by which numbers get to SANE's form and back."""
_LETTERS = {4: "s", 8: "d", 12: "x"}
_STORE = re.compile(r"^\tfmove\.x %fp\d,([^%\n][^\n]*)$", re.MULTILINE)
_PLACE = re.compile(r"([^()]*)\((?:([^%,()][^,()]*),)?(%[^()]*)\)")
_CONSTANT = re.compile(
    r"^(\.LC\d+):\n\t\.long\t(-?\d+)\n(?=\t\.long\t-?\d+\n\t\.long\t-?\d+\n(?!\t\.long))",
    re.MULTILINE,
)
_USE = re.compile(r"^\tf\w+\.x (\.LC\d+),", re.MULTILINE)
_IN_WORDS = ("d0", "d1", "a0")


def is_float(kind: GuestType) -> bool:
    """Whether a value is a float, or a struct of nothing else, which GCC returns as one."""
    return (lone_field(kind) or kind).kind == "float"


def is_in_words(form: ValueForm | None) -> bool:
    """Whether a result is returned as MPW C does: in D0, D1 and A0."""
    return form is not None and tuple(one.register for one in form.pieces) == _IN_WORDS


def with_second_exponents(text: str) -> str:
    """Assembler text by which every long double in memory has its exponent twice.

    THINK C's libraries, and its code for SANE, read the second one; GCC's code leaves 0 there.

    Args:
        text: what GCC has made.
    """
    used = set(_USE.findall(text))

    def constant(match: re.Match[str]) -> str:
        if match[1] not in used:
            return match[0]
        top = int(match[2]) & 0xFFFF0000
        return f"{match[1]}:\n\t.long\t{top | top >> 16}\n"

    return _STORE.sub(_stored_twice, _CONSTANT.sub(constant, text))


def _stored_twice(match: re.Match[str]) -> str:
    place = match[1]
    if place == "-(%sp)":
        pair = "(%sp)", "2(%sp)"
    elif place.startswith("-("):
        pair = place[1:], f"2{place[1:]}"
    elif place.endswith(")+"):
        pair = f"-12{place[:-1]}", f"-10{place[:-1]}"
    elif parts := _PLACE.fullmatch(place):
        distance = parts[1] or parts[2]
        pair = place, f"{distance + '+2' if distance else '2'}({parts[3]})"
    else:
        pair = place, f"{place}+2"
    return f"{match[0]}\n\tmove.w {pair[0]},{pair[1]}"


def loaded(kind: GuestType, form: ValueForm, at: int, base: str, scratch: int) -> Iterator[str]:
    """Load a float from memory into FP0.

    Args:
        kind: its type.
        form: how it lies there.
        at: its distance from the base.
        base: the base register.
        scratch: the distance of the scratch bytes from the frame pointer.
    """
    if form.cast == SANE_EXTENDED:
        yield f"move.w {at}({base}), {scratch}(%fp)"
        yield f"move.l {at + 2}({base}), {scratch + 4}(%fp)"
        yield f"move.l {at + 6}({base}), {scratch + 8}(%fp)"
        yield f"fmove.x {scratch}(%fp), %fp0"
    else:
        yield f"fmove.{_LETTERS[kind.size]} {at}({base}), %fp0"


def stored(kind: GuestType, form: ValueForm, at: int, base: str, scratch: int) -> Iterator[str]:
    """Store FP0 into memory; the arguments are those of `loaded`."""
    if form.cast == SANE_EXTENDED:
        yield f"fmove.x %fp0, {scratch}(%fp)"
        yield f"move.w {scratch}(%fp), {at}({base})"
        yield f"move.l {scratch + 4}(%fp), {at + 2}({base})"
        yield f"move.l {scratch + 8}(%fp), {at + 6}({base})"
        return
    yield f"fmove.{_LETTERS[kind.size]} %fp0, {at}({base})"
    if form.cast == UNIVERSAL:
        yield f"move.w {at}({base}), {at + 2}({base})"


def from_words(scratch: int) -> Iterator[str]:
    """Load a result of MPW C into FP0."""
    yield f"move.w %d0, {scratch}(%fp)"
    yield f"move.l %d1, {scratch + 4}(%fp)"
    yield f"move.l %a0, {scratch + 8}(%fp)"
    yield f"fmove.x {scratch}(%fp), %fp0"


def to_words(scratch: int) -> Iterator[str]:
    """Return FP0 as MPW C does."""
    yield f"fmove.x %fp0, {scratch}(%fp)"
    yield f"move.w {scratch}(%fp), %d0"
    yield f"move.l {scratch + 4}(%fp), %d1"
    yield f"move.l {scratch + 8}(%fp), %a0"
