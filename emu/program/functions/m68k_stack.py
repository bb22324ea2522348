"""Follows the stack pointer through a 68K function that keeps no frame pointer.

Such a function reads its parameters at distances from A7, which grow with all that it pushes. After
MOVEM.L D3/A2,-(A7), for example, $C(A7) is what 4(A7) was at its beginning: its first parameter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from emu.program.instructions.disassembly import Code, InstructionSpan
from emu.program.instructions.m68k.forms import BRANCH, JUMP, RETURN

_PUSH, _POP, _STACK = "-(a7)", "(a7)+", "a7"
_FROM_STACK = re.compile(r"(-?)\$([0-9a-f]+)\(a7\)")
_NUMBER = re.compile(r"#\$([0-9a-f]+)")
_SIZES = {"b": 2, "w": 2, "l": 4}
_RETURN_ADDRESS = 4
_FRAME = 4  # LINK A6 puts A6 on the stack, so that the return address is at 4(A6)


class StackDepth:
    """How far the stack has grown since a function began, as far as that is known.

    It is not known after a call, since a function or a trap may remove its arguments, nor where no
    instruction leads that was seen before.

    Args:
        code: the program's code.
    """

    def __init__(self, code: Code) -> None:
        self._code = code
        self._bytes: int | None = 0
        self._at_targets: dict[int, int] = {}

    def arrive(self, span: InstructionSpan) -> None:
        """The function comes to an instruction."""
        self._bytes = self._at_targets.get(span.address, self._bytes)

    def parameter(self, operand: str) -> int | None:
        """The distance of a parameter from where LINK would set A6; None for other operands."""
        found = _FROM_STACK.fullmatch(operand)
        if found is None or found[1] or self._bytes is None:
            return None
        distance = int(found[2], 16) - self._bytes
        return distance + _FRAME if distance >= _RETURN_ADDRESS else None

    def leave(self, span: InstructionSpan, mnemonic: str, operands: Sequence[str]) -> None:
        """The function has done an instruction."""
        if span.is_call:
            self._bytes = None
        elif span.flow:
            if self._bytes is not None:
                for target in self._code.targets(span):
                    self._at_targets.setdefault(target, self._bytes)
            if span.flow in (BRANCH, JUMP, RETURN):
                self._bytes = None
        elif self._bytes is not None:
            growth = self._growth(span, mnemonic, operands)
            self._bytes = None if growth is None else self._bytes + growth

    def _growth(self, span: InstructionSpan, mnemonic: str, operands: Sequence[str]) -> int | None:
        """How many bytes an instruction puts on the stack; None if that is not known."""
        operation, _, size = mnemonic.partition(".")
        if operation in ("link", "unlk"):
            return None
        if operation == "pea":
            return 4
        if operands[-1:] == (_STACK,):
            return _moved(operation, operands[0])
        unit = _SIZES.get(size, 4)
        if operation == "movem":
            unit *= self._code.word(span.address + 2).bit_count()
        return unit * (operands.count(_PUSH) - operands.count(_POP))


def _moved(operation: str, operand: str) -> int | None:
    """How many bytes an instruction takes off A7 whose last operand that is."""
    if operation == "lea":
        found = _FROM_STACK.fullmatch(operand)
        return None if found is None else int(found[2], 16) * (1 if found[1] else -1)
    number = _NUMBER.fullmatch(operand)
    if number is None or operation[:3] not in ("add", "sub"):
        return None
    return int(number[1], 16) * (1 if operation.startswith("sub") else -1)
