"""Code between 68K functions of two conventions: it calls one as the other is called.

A call of an old function by a new one gets such code, and a call of a new function by an old one.
It has a frame of its own: it lays out the arguments again, calls, and brings the result to where
the caller looks for it. Of ``char *Find(char c)``, which THINK C's callers call::

    link.w %fp, #-4            the frame
    lea -2(%sp), %sp           room for what GCC's function takes
    move.b 8(%fp), %d0         THINK C has the char in the upper byte of its word
    ext.w %d0
    move.w %d0, 0(%sp)         GCC has it in the lower one, extended
    jsr new.Find
    move.l %a0, %d0            THINK C looks for a pointer in D0
    unlk %fp
    rts
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from emu.machine.abi.call_form import SANE_EXTENDED, UNIVERSAL, CallForm, ValueForm
from emu.port.graft import m68k_floats
from emu.port.graft.m68k_floats import SCRATCH, is_float
from emu.program import GuestType

_FIRST = 8
"""The distance from the frame pointer to the first argument."""


@dataclass(frozen=True, slots=True)
class CallBorder:
    """A function of one convention as a caller of another one calls it.

    Attributes:
        symbol: the symbol of the code to be made.
        function: the symbol of the function.
        caller: how it is called.
        callee: how the function expects to be called.
        parameters: the types of its parameters as they are passed.
        result: the type of its result; None if it has none.
    """

    symbol: str
    function: str
    caller: CallForm
    callee: CallForm
    parameters: tuple[GuestType, ...]
    result: GuestType | None

    @property
    def is_needed(self) -> bool:
        """Whether there is any difference between both."""
        if self.caller.popped != self.callee.popped:
            return True
        kinds = zip(self.parameters, self.caller.parameters, self.callee.parameters, strict=True)
        if any(
            _place(one, kind) != _place(other, kind)
            or (is_float(kind) and one.size_of(kind) != other.size_of(kind))
            for kind, one, other in kinds
        ):
            return True
        return _results(self.caller.result) != _results(self.callee.result)

    def text(self) -> str:
        """The assembler text of the code, in a section of its own."""
        lines = "".join(f"\t{line}\n" for line in self._lines())
        return (
            f'\t.section .text.{self.symbol}, "ax"\n\t.globl {self.symbol}\n'
            f"\t.type {self.symbol}, @function\n\t.balign 2\n{self.symbol}:\n{lines}"
            f"\t.size {self.symbol}, . - {self.symbol}\n"
        )

    def _lines(self) -> Iterator[str]:
        size = 0 if self.result is None else -(-self.result.size // 2) * 2
        room = 4 + size
        yield f"link.w %fp, #-{room + self._scratch}"
        if self.caller.result is not None and self.caller.result.by_address:
            (piece,) = self.caller.result.pieces
            source = f"%{piece.register}" if piece.register else f"{_FIRST + piece.at}(%fp)"
            yield f"move.l {source}, -4(%fp)"
        if self.callee.stack_bytes:
            yield f"lea -{self.callee.stack_bytes}(%sp), %sp"
        passed = zip(self.parameters, self.caller.parameters, self.callee.parameters, strict=True)
        for kind, source_form, target_form in passed:
            yield from _argument(kind, source_form, target_form, -room - self._scratch)
        yield from self._room_for_result(room)
        yield f"jsr {self.function}"
        if self.result is not None:
            yield from self._result(self.result, room)
        yield "unlk %fp"
        if self.caller.popped:
            yield from ("move.l (%sp)+, %a0", f"lea {self.caller.popped}(%sp), %sp", "jmp (%a0)")
        else:
            yield "rts"

    @property
    def _scratch(self) -> int:
        """The bytes of the frame by which numbers get to SANE's form and back."""
        every = (*self.caller.parameters, *self.callee.parameters)
        results = (self.caller.result, self.callee.result)
        has_any = any(form and form.cast == SANE_EXTENDED for form in (*every, *results))
        return SCRATCH if has_any else 0

    def _room_for_result(self, room: int) -> Iterator[str]:
        """Pass the address to which the function writes its result."""
        form = self.callee.result
        if form is None or not form.by_address:
            return
        own = self.caller.result is not None and self.caller.result.by_address
        yield "move.l -4(%fp), %a1" if own else f"lea -{room}(%fp), %a1"
        (piece,) = form.pieces
        if piece.register != "a1":
            yield f"move.l %a1, {f'%{piece.register}' if piece.register else f'{piece.at}(%sp)'}"

    def _result(self, kind: GuestType, room: int) -> Iterator[str]:
        """Bring the result from where the function leaves it to where the caller looks for it."""
        source, target = self.callee.result, self.caller.result
        assert source is not None
        assert target is not None
        if source.by_address and target.by_address:
            yield "move.l -4(%fp), %a0"  # GCC also returns the address
            yield "move.l %a0, %d0"
            return
        if target.by_address:
            yield "move.l -4(%fp), %a1"
        if is_float(kind) and "fp0" in (source.pieces[0].register, target.pieces[0].register):
            yield from self._float_result(kind, source, target, room)
            return
        yield from self._to_registers(kind, source, room)
        if target.by_address or not target.pieces[0].register:
            at = 0 if target.by_address else _FIRST + target.pieces[0].at
            yield from _stored(kind, at, "%a1" if target.by_address else "%fp")
        else:
            yield "move.l %d0, %a0"  # a pointer is in D0 or in A0; here it is in both

    def _float_result(
        self, kind: GuestType, source: ValueForm, target: ValueForm, room: int
    ) -> Iterator[str]:
        """Bring a float by FP0 to where the caller looks for it."""
        scratch = -room - self._scratch
        if source.by_address:
            yield from m68k_floats.loaded(kind, source, -room, "%fp", scratch)
        elif m68k_floats.is_in_words(source):
            yield from m68k_floats.from_words(scratch)
        if target.by_address:
            yield from m68k_floats.stored(kind, target, 0, "%a1", scratch)
        elif m68k_floats.is_in_words(target):
            yield from m68k_floats.to_words(scratch)

    def _to_registers(self, kind: GuestType, source: ValueForm, room: int) -> Iterator[str]:
        """Bring the result to D0, and D1 if it has more than 4 bytes."""
        registers = [piece.register for piece in source.pieces]
        if source.by_address:
            yield from _loaded(kind, -room, "%fp")
        elif not registers[0]:
            yield from _loaded(kind, source.pieces[0].at - self.callee.popped, "%sp")
        elif registers[0] != "d0":
            yield f"move.l %{registers[0]}, %d0"


def _place(form: ValueForm, kind: GuestType) -> tuple[int, str, bool]:
    """Where the bytes of a value lie, without those to which it is extended."""
    piece = form.pieces[0]
    if kind.kind == "float" and not form.by_address:
        return piece.at, piece.register, False
    size = 4 if form.by_address else kind.size
    return piece.at + piece.size - min(size, piece.size), piece.register, form.by_address


def _results(form: ValueForm | None) -> tuple[tuple[str, ...], bool]:
    if form is None:
        return (), False
    return tuple(f"{piece.register}:{piece.at}" for piece in form.pieces), form.by_address


def _argument(kind: GuestType, source: ValueForm, target: ValueForm, scratch: int) -> Iterator[str]:
    """Lay out one argument again."""
    at, base = _FIRST + _place(source, kind)[0], "%fp"
    if source.by_address:
        yield f"move.l {at}(%fp), %a0"
        at, base = 0, "%a0"
    piece = target.pieces[0]
    if target.by_address:
        yield f"lea {at}({base}), %a0"
        yield f"move.l %a0, {piece.at}(%sp)"
    elif SANE_EXTENDED in (source.cast, target.cast) and source.cast != target.cast:
        yield from m68k_floats.loaded(kind, source, at, base, scratch)
        yield from m68k_floats.stored(kind, target, piece.at, "%sp", scratch)
    elif kind.kind != "float" and target.cast is not None and piece.size > kind.size:
        yield from _extended(kind, piece.size, f"{at}({base})")
        yield f"move.{'l' if piece.size == 4 else 'w'} %d0, {piece.at}(%sp)"
    else:
        start = _place(target, kind)[0]
        for offset, size, letter in _chunks(kind.size):
            del size
            yield f"move.{letter} {at + offset}({base}), {start + offset}(%sp)"
        if target.cast == UNIVERSAL:
            yield f"move.w {start}(%sp), {start + 2}(%sp)"


def _extended(kind: GuestType, size: int, source: str) -> Iterator[str]:
    """Load a whole number into D0, extended to 2 or 4 bytes."""
    is_signed = kind.dtype.kind == "i"
    if not is_signed:
        yield "moveq #0, %d0"
    yield f"move.{'b' if kind.size == 1 else 'w'} {source}, %d0"
    if is_signed and kind.size == 1:
        yield "ext.w %d0"
    if is_signed and size == 4:
        yield "ext.l %d0"


def _loaded(kind: GuestType, at: int, base: str) -> Iterator[str]:
    """Load a value of up to 8 bytes into D0 and D1."""
    if kind.size < 4 and kind.dtype.kind in "iub":
        yield from _extended(kind, 4, f"{at}({base})")
    elif kind.size <= 2:
        yield f"move.{'b' if kind.size == 1 else 'w'} {at}({base}), %d0"
    else:
        yield f"move.l {at}({base}), %d0"
        if kind.size > 4:
            yield f"move.l {at + 4}({base}), %d1"


def _stored(kind: GuestType, at: int, base: str) -> Iterator[str]:
    """Store a value of up to 8 bytes that is in D0 and D1."""
    if kind.size <= 4:
        yield f"move.{ {1: 'b', 2: 'w'}.get(kind.size, 'l') } %d0, {at}({base})"
    else:
        yield f"move.l %d0, {at}({base})"
        yield f"move.l %d1, {at + 4}({base})"


def _chunks(size: int) -> Iterator[tuple[int, int, str]]:
    """The offsets, sizes and instruction suffixes by which a number of bytes is copied."""
    at = 0
    for width, letter in ((4, "l"), (2, "w"), (1, "b")):
        while size - at >= width:
            yield at, width, letter
            at += width
