"""Derives from a function's source how far it reads arrays, and which numbers may be indices.

What stands in brackets or is added to a pointer has to stay below the length of the array. So have
the numbers that it is computed of, those that it got its value from, and those that it is compared
with. Bounds are passed on from one to the next until nothing changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from emu.cases.skeletons.function_bodies import FunctionBody, closing_bracket

_CAST = re.compile(r"\(\s*(?:(?:const|unsigned|signed|struct)\s+)*[A-Za-z_]\w*\s*\**\s*\)\s*(?=\w)")
_BRACKET = re.compile(r"(\w+)[\s)]*\[")
_SUM = re.compile(r"\b([\w.]+)\s*\+\s*([\w.]+)")
_ASSIGNMENT = re.compile(r"\b([\w.]+)\s*(?<![=!<>])=(?!=)\s*([^;,=]+)")
_COMPARISON = re.compile(r"\b([\w.]+)\s*(<=?|>=?|!=)\s*([\w.+\-* ]+)")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(([^()]*)\)")
_ROUNDS = 6
_LARGEST = 1 << 31
_NO_CALLS = {"if", "while", "for", "switch", "return", "sizeof"}


class PointerUse(Enum):
    """What a function does with a pointer, as far as its source shows it.

    Attributes:
        ONE: it reads or writes only what the pointer leads to.
        MANY: it goes on to further elements.
        UNKNOWN: it hands the pointer on.
    """

    ONE = "one"
    MANY = "many"
    UNKNOWN = "unknown"


class IndexBounds:
    """Reads bodies of functions.

    Args:
        bodies: the functions, by their names.
    """

    def __init__(self, bodies: Mapping[str, FunctionBody]) -> None:
        self._bodies = {name: (body, _simple(body.text)) for name, body in bodies.items()}

    def use_of(self, function: str, pointer: str, depth: int = 0) -> PointerUse:
        """What a function does with a pointer: a parameter, a variable, or a member of a struct."""
        if function not in self._bodies or depth > _ROUNDS:
            return PointerUse.UNKNOWN
        text = self._bodies[function][1]
        name = re.escape(pointer)
        word = rf"(?<!\w){name}"
        walked = (
            rf"{word}\s*(\[\s*(?!0\s*\])|\+\+|--)|(?<![*\w]){name}\s*[+-]"
            rf"|(\+\+|--|\+)\s*(?:[\w.]+\.)?{name}\b(?!\s*\.)"
        )
        if re.search(walked, text):
            return PointerUse.MANY
        uses = {
            self.use_of(function, copy, depth + 1)
            for copy in _copies(text, name)
            if copy != pointer
        }
        uses |= {
            self.use_of(called, self._parameter(called, place), depth + 1)
            for called, place in _passed(text, name)
        }
        for use in (PointerUse.MANY, PointerUse.UNKNOWN):
            if use in uses:
                return use
        return PointerUse.ONE

    def _parameter(self, function: str, place: int) -> str:
        """The name of a parameter; one that nothing has if there is none."""
        body = self._bodies.get(function)
        names = body[0].parameters if body is not None else ()
        return names[place] if place < len(names) else "?"

    def limits(self, lengths: Mapping[str, tuple[int, ...]]) -> dict[str, range]:
        """Which numbers stay within arrays, by the names of parameters, members and variables.

        Args:
            lengths: the lengths of arrays, and of what pointers lead to, by such names.
        """
        found: dict[str, range] = {}
        for _, text in self._bodies.values():
            known = dict(lengths)
            known |= {
                copy: shape
                for name, shape in lengths.items()
                for copy in _copies(text, re.escape(name))
                if copy not in known
            }
            self._add_limits(text, known, found)
        return found

    def _add_limits(
        self, text: str, lengths: Mapping[str, tuple[int, ...]], found: dict[str, range]
    ) -> None:
        local: dict[str, range] = {}
        for expression, length in _indices(text, lengths):
            _limit(expression, range(length), local)
        for _ in range(_ROUNDS):
            before = dict(local)
            for match in _ASSIGNMENT.finditer(text):
                if (bound := local.get(_last(match[1]))) is not None:
                    _limit(match[2], bound, local)
            for match in _COMPARISON.finditer(text):
                self._compare(match, before, local)
            if local == before:
                break
        for name, bound in local.items():
            found[name] = _common(found.get(name), bound)

    def _compare(
        self, match: re.Match[str], before: Mapping[str, range], local: dict[str, range]
    ) -> None:
        """Pass a bound on to the number that an index is compared with."""
        one, sign, other = match[1], match[2], match[3]
        if _last(other.strip()) in before and sign in (">", ">="):
            one, other = other.strip(), one
        elif sign in (">", ">="):
            return
        bound = before.get(_last(one))
        if bound is not None:
            _limit(other, range(bound.stop + (sign in ("<", "!=", ">"))), local)


def _simple(text: str) -> str:
    """The text of a function without casts, and with ``.`` for each way to a member."""
    text = re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.MULTILINE)
    text = re.sub(r"\(\s*\*+\s*(\w+)\s*\)\s*\.", r"\1.", text.replace("->", "."))
    return _CAST.sub("", re.sub(r"\s*\.\s*", ".", text))


def _last(words: str) -> str:
    return words.rpartition(".")[2]


def _copies(text: str, name: str) -> list[str]:
    """The variables that get a pointer, or one behind it."""
    pattern = rf"\b(\w+)\s*(?<![=!<>])=(?!=)\s*&?(?:[\w.]+\.)?{name}\s*(?=[;,)+\[])"
    return list(dict.fromkeys(re.findall(pattern, text)))


def _passed(text: str, name: str) -> Iterator[tuple[str, int]]:
    """The calls that get a pointer, with the number of the argument."""
    for match in _CALL.finditer(text):
        if match[1] in _NO_CALLS:
            continue
        for place, argument in enumerate(match[2].split(",")):
            if re.fullmatch(rf"\s*&?(?:[\w.]+\.)?{name}\s*", argument):
                yield match[1], place


def _indices(text: str, lengths: Mapping[str, tuple[int, ...]]) -> Iterator[tuple[str, int]]:
    """What is an index, with the length of its array."""
    for match in _BRACKET.finditer(text):
        start = match.end()
        for length in lengths.get(match[1], ()):
            end = closing_bracket(text, start)
            yield text[start:end], length
            following = re.match(r"\]\s*\[", text[end:])
            if following is None:
                break
            start = end + following.end()
    for match in _SUM.finditer(text):
        for pointer, number in (match.groups(), match.groups()[::-1]):
            if shape := lengths.get(_last(pointer)):
                yield number, shape[0]


@dataclass(frozen=True, slots=True)
class _Interval:
    """The least and the greatest value of an expression."""

    least: int
    most: int


def _limit(expression: str, bound: range, found: dict[str, range]) -> None:
    """Limit the names of an expression so that its value stays within a bound."""
    words = _balanced(re.sub(r"\+\+|--", "", expression)).strip()
    try:
        tree = ast.parse(words, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    names = {name for node in ast.walk(tree) if (name := _name(node))}
    names -= {_name(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    whole = _interval(tree, _Interval(0, _LARGEST))
    if not names or whole is None or whole.most < bound.stop:
        return  # nothing there, or a mask keeps it within
    least = next(
        (n for n in range(8) if (i := _interval(tree, _Interval(n, n))) and i.least >= 0), 0
    )
    low, high = least, _LARGEST
    while low < high:
        middle = (low + high + 1) // 2
        value = _interval(tree, _Interval(least, middle))
        if value is not None and value.most < bound.stop:
            low = middle
        else:
            high = middle - 1
    for name in names:
        found[name] = _common(found.get(name), range(least, low + 1))


def _common(one: range | None, other: range) -> range:
    if one is None:
        return other
    start = max(one.start, other.start)
    return range(start, max(min(one.stop, other.stop), start + 1))


def _balanced(words: str) -> str:
    """An expression up to a bracket that closes none of its own."""
    depth = 0
    for at, letter in enumerate(words):
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            return words[:at]
    return words


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _interval(node: ast.AST, each: _Interval) -> _Interval | None:
    """The values of an expression whose names have values of an interval; None if not known."""
    if isinstance(node, ast.Constant):
        return _Interval(node.value, node.value) if isinstance(node.value, int) else None
    if _name(node):
        return each
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _interval(node.left, each), _interval(node.right, each)
    if isinstance(node.op, ast.BitAnd | ast.Mod) and right is not None:
        return _Interval(0, max(right.most - isinstance(node.op, ast.Mod), 0))
    return None if left is None or right is None else _combined(node.op, left, right)


def _combined(sign: ast.operator, left: _Interval, right: _Interval) -> _Interval | None:
    match sign:
        case ast.Add():
            return _Interval(left.least + right.least, left.most + right.most)
        case ast.Sub():
            return _Interval(left.least - right.most, left.most - right.least)
        case ast.Mult():
            return _Interval(left.least * right.least, left.most * right.most)
        case ast.LShift() if right.most < 32:
            return _Interval(left.least << right.least, left.most << right.most)
        case ast.RShift() if right.least >= 0:
            return _Interval(left.least >> min(right.most, 63), left.most >> min(right.least, 63))
        case ast.Div() if right.least > 0:
            return _Interval(left.least // right.most, left.most // right.least)
        case ast.BitOr() | ast.BitXor() if left.least >= 0 <= right.least:
            return _Interval(0, (1 << max(left.most, right.most).bit_length()) - 1)
    return None
