"""The bit field instructions of the 68020 and later.

Source: M68000 Family Programmer's Reference Manual, section 4 and 1.7.2 for fields in memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.lift.m68k.m68k_builder import M68kBuilder, general
from emu.lift.m68k.refusals import NotLiftedError
from emu.lift.pcode.operations import Opcode, Varnode, constant

_OFFSET_IN_REGISTER, _WIDTH_IN_REGISTER = 0x0800, 0x0020
_CHANGING = frozenset({"bfchg", "bfclr", "bfset", "bfins"})


@dataclass(frozen=True, slots=True)
class _Field:
    """A field that was read.

    Attributes:
        bits: its bits, the lowest ones of four bytes.
        unused: how many bits of these it does not have, 0 to 31.
        mask: ones in its bits.
        offset: its offset, as an instruction gives it.
    """

    bits: Varnode
    unused: Varnode
    mask: Varnode
    offset: Varnode


def bit_field(build: M68kBuilder) -> None:
    """Any of them."""
    word = build.words.next()
    if build.word >> 3 & 7:
        _in_memory(build, word)
    else:
        _in_register(build, word)


def _in_register(build: M68kBuilder, word: int) -> None:
    """The register is turned left until the field is at its top; a field may go round its end."""
    target = general(build.first)
    offset, unused = _offset(build, word), _unused(build, word)
    turns = build.both(offset, constant(31, 4))
    value = build.value(Opcode.COPY, target)
    wide = build.shift_left(build.value(Opcode.PIECE, value, value, size=8), turns)
    turned = build.piece(wide, 4, 4)
    mask = build.shift_right(constant(-1, 4), unused)
    field = _Field(build.shift_right(turned, unused), unused, mask, offset)
    new = _changed(build, word, field)
    if new is not None:
        kept = build.both(turned, build.value(Opcode.INT_NEGATE, build.shift_left(mask, unused)))
        both = build.either(kept, build.shift_left(new, unused))
        back = build.shift_right(build.value(Opcode.PIECE, both, both, size=8), turns)
        build.put(target, Opcode.COPY, build.lower(back, 4))


def _in_memory(build: M68kBuilder, word: int) -> None:
    """The bytes that have a part of the field, one to five, are read and stored."""
    if word & (_OFFSET_IN_REGISTER | _WIDTH_IN_REGISTER):
        raise NotLiftedError("a register says which bits of memory it is about")
    offset, width = word >> 6 & 31, (word & 31) or 32
    first, start = divmod(offset, 8)
    size = (start + width + 7) // 8
    address = build.add(build.operand(4).held, first)
    value = build.unsigned(_loaded(build, address, size), 8)
    behind, mask = constant(8 * size - start - width, 4), constant((1 << width) - 1, 8)
    bits = build.lower(build.both(build.shift_right(value, behind), mask), 4)
    narrow = constant((1 << width) - 1, 4)
    field = _Field(bits, constant(32 - width, 4), narrow, constant(offset, 4))
    new = _changed(build, word, field)
    if new is not None:
        inverse = build.value(Opcode.INT_NEGATE, build.shift_left(mask, behind))
        kept = build.both(value, inverse)
        both = build.either(kept, build.shift_left(build.unsigned(new, 8), behind))
        _store(build, address, both, size)


def _loaded(build: M68kBuilder, address: Varnode, size: int) -> Varnode:
    """Some bytes; three and five as an even number of bytes and one more."""
    if size in (1, 2, 4):
        return build.load(address, size)
    upper = build.load(address, size - 1)
    return build.value(Opcode.PIECE, upper, build.load(build.add(address, size - 1), 1), size=size)


def _store(build: M68kBuilder, address: Varnode, value: Varnode, size: int) -> None:
    if size in (1, 2, 4):
        build.store(address, build.lower(value, size))
        return
    build.store(address, build.piece(value, 1, size - 1))
    build.store(build.add(address, size - 1), build.lower(value, 1))


def _offset(build: M68kBuilder, word: int) -> Varnode:
    if word & _OFFSET_IN_REGISTER:
        return build.value(Opcode.COPY, general(word >> 6 & 7))
    return constant(word >> 6 & 31, 4)


def _unused(build: M68kBuilder, word: int) -> Varnode:
    """How many bits of 32 a width leaves; a width of 0 means 32."""
    if not word & _WIDTH_IN_REGISTER:
        return constant(-word & 31, 4)
    return build.both(build.value(Opcode.INT_2COMP, general(word & 7)), constant(31, 4))


def _changed(build: M68kBuilder, word: int, field: _Field) -> Varnode | None:
    """Set the flags and the result; what the field becomes, or None if it stays."""
    operation, register = build.form.operation, general(word >> 12 & 7)
    new = None
    seen = field.bits
    if operation == "bfins":
        new = seen = build.both(register, field.mask)
    elif operation in _CHANGING:
        new = {
            "bfchg": build.value(Opcode.INT_XOR, field.bits, field.mask),
            "bfclr": constant(0, 4),
            "bfset": field.mask,
        }[operation]
    at_top = build.shift_left(seen, field.unused)
    build.set_moved(at_top)
    if operation == "bfextu":
        build.put(register, Opcode.COPY, field.bits)
    elif operation == "bfexts":
        build.put(register, Opcode.INT_SRIGHT, at_top, field.unused)
    elif operation == "bfffo":
        zeros = build.subtract(build.value(Opcode.LZCOUNT, field.bits), field.unused)
        build.put(register, Opcode.INT_ADD, field.offset, zeros)
    return new
