"""Numbers that C computes when it compiles: sizes of arrays, enumerators, conditions of ``#if``."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from emu.program.declarations.tokens import CToken

_DEEPEST = 32
_WORD = 1 << 64
_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: int(bool(a or b))),
    "&&": (2, lambda a, b: int(bool(a and b))),
    "|": (3, operator.or_),
    "^": (4, operator.xor),
    "&": (5, operator.and_),
    **{"==": (6, operator.eq), "!=": (6, operator.ne)},
    **{
        "<": (7, operator.lt),
        ">": (7, operator.gt),
        "<=": (7, operator.le),
        ">=": (7, operator.ge),
    },
    **{"<<": (8, lambda a, b: a << b % 64), ">>": (8, lambda a, b: a >> b % 64)},
    **{"+": (9, operator.add), "-": (9, operator.sub), "*": (10, operator.mul)},
    # C cuts a quotient off towards 0.
    "/": (10, lambda a, b: (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)),
    "%": (10, lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1)),
}
_CASTS = {"char", "short", "int", "long", "signed", "unsigned"}
_UNARY: dict[str, Callable[[int], int]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "!": lambda a: int(not a),
}


class Constant:
    """Reads an expression of numbers at the beginning of some tokens.

    Args:
        tokens: the tokens; after `read`, ``next`` is the first behind the expression.
        start: the first that is read.
        names: the numbers that names stand for.
        size_of: reads what stands in the brackets behind ``sizeof`` at a token; gives its size and
            the first token behind it.
    """

    def __init__(
        self,
        tokens: Sequence[CToken],
        start: int,
        names: Mapping[str, int],
        size_of: Callable[[int], tuple[int, int]] | None = None,
    ) -> None:
        self._tokens = tokens
        self.next = start
        self._names = names
        self._size_of = size_of

    def read(self) -> int:
        """The number.

        Raises:
            DeclarationError: it is no such expression, or divides by 0.
        """
        return self._binary(0, 0)

    def _binary(self, least: int, depth: int) -> int:
        left = self._unary(depth + 1)
        while self._text() in _BINARY and _BINARY[self._text()][0] > least:
            token = self._tokens[self.next]
            strength, compute = _BINARY[token.text]
            self.next += 1
            right = self._binary(strength, depth + 1)
            if token.text in "/%" and right == 0:
                raise token.error("it is divided by 0")
            left = _cut(int(compute(left, right)))
        return left

    def _unary(self, depth: int) -> int:
        if self.next >= len(self._tokens):
            last = self._tokens[-1]
            raise last.source.error(last.at + len(last.text), "a number is missing")
        token = self._tokens[self.next]
        if depth > _DEEPEST:
            raise token.error("it is nested too deeply")
        self.next += 1
        if token.text in _UNARY:
            return _cut(_UNARY[token.text](self._unary(depth + 1)))
        if token.text == "(" and (after := self._after_cast()):
            self.next = after
            return self._unary(depth + 1)
        if token.text == "(":
            inside = self._binary(0, depth + 1)
            if self._text() != ")":
                raise self._tokens[min(self.next, len(self._tokens) - 1)].error("a ) is missing")
            self.next += 1
            return inside
        if token.text[:1].isdigit():
            return _number(token)
        if token.text[:1] == "'":
            return int.from_bytes(token.text[1:-1].encode("latin-1", "replace"), "big")
        if token.text == "sizeof" and self._size_of is not None:
            size, self.next = self._size_of(self.next)
            return size
        if token.text in self._names:
            return self._names[token.text]
        raise token.error(
            f"{token.text} is no number of elements"
            + (": no #define and no enum gives it" if token.is_name else "")
        )

    def _after_cast(self) -> int:
        """The token after a cast to a type of numbers, such as that of ``(long) 5``; 0 if none."""
        end = self.next
        while end < len(self._tokens) and self._tokens[end].text in _CASTS:
            end += 1
        closes = self.next < end < len(self._tokens) and self._tokens[end].text == ")"
        return end + 1 if closes else 0

    def _text(self) -> str:
        return self._tokens[self.next].text if self.next < len(self._tokens) else ""


def _number(token: CToken) -> int:
    digits = token.text.rstrip("uUlL")
    if digits[:2] in ("0x", "0X"):
        return int(digits, 16)
    try:
        return int(digits, 8) if digits[0] == "0" else int(digits)
    except ValueError:
        raise token.error(f"{token.text} is no number") from None


def _cut(number: int) -> int:
    """What 64 bits hold of a number."""
    return (number + (_WORD >> 1)) % _WORD - (_WORD >> 1)
