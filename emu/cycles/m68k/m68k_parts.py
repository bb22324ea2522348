"""Decodes the words of a 68K instruction into its operation and its operands.

It knows the integer unit's instruction set up to the 68040, without MOVEP, PACK, UNPK, TRAPcc, CAS,
CMP2, CHK2, MOVES, MOVEC and the instructions that only an operating system uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from emu.program.instructions.m68k.forms import (
    ADDRESSED,
    EFFECTIVE_ADDRESS,
    MODIFIED,
    READ,
    TARGET,
    WRITTEN,
    FormField,
    find_form,
    mode_of,
)
from emu.program.instructions.m68k.operands import (
    ADDRESS,
    DATA,
    IMMEDIATE,
    POSTINCREMENT,
    PREDECREMENT,
    Operand,
    UndecodableError,
    Words,
    effective_address,
    operand_of,
)

_UNKNOWN = "it is none of the instructions that macproof times"
_NOT_TIMED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("rtm", "callm", "cas2", "cas", "cmp2/chk2", "moves"), _UNKNOWN),
        **dict.fromkeys(("bkpt", "reset", "stop", "trapv", "movec"), _UNKNOWN),
        "movep": "MOVEP is not timed",
        **dict.fromkeys(("pack", "unpk"), "PACK and UNPK are not timed"),
        "trapcc": "TRAPcc is not timed",
    }
)
_POPS: Mapping[str, int] = MappingProxyType({"unlk": 1, "rts": 1, "rtd": 1, "rtr": 2, "rte": 2})
_COPROCESSOR = 0xF


@dataclass(slots=True)
class Parts:
    """An instruction while it is being decoded.

    Attributes:
        operation: the mnemonic without size and condition.
        length: bytes of the operation; 0 if the operation has no size.
        source: the operand that is read, or None.
        destination: the operand that is changed, tested or jumped to, or None.
        reads_destination: whether the destination is read.
        writes_destination: whether it is written.
        uses: further registers that addresses are formed from, beyond those of the operands.
        early: further registers that change while addresses are formed.
        late: further registers that change when the instruction is executed, beyond the
            destination.
        pushes: long words pushed on the stack.
        pops: words or long words taken from it.
        flow: the kind of control flow, or "".
        registers: the registers that a MOVEM moves.
        count: a shift's count, a bit's number or a field's offset, if the instruction has it.
        is_later: whether the 68000 lacks it, whatever the format of its extension words.
    """

    operation: str
    length: int = 0
    source: Operand | None = None
    destination: Operand | None = None
    reads_destination: bool = True
    writes_destination: bool = True
    uses: set[int] = field(default_factory=set)
    early: set[int] = field(default_factory=set)
    late: set[int] = field(default_factory=set)
    pushes: int = 0
    pops: int = 0
    flow: str = ""
    registers: tuple[int, ...] = ()
    count: int | None = None
    is_later: bool = False


def decode_words(words: Words) -> Parts:
    """Decode an instruction.

    Raises:
        UndecodableError: the instruction is not known here.
    """
    word = words.next()
    if word >> 12 == _COPROCESSOR:
        raise UndecodableError("coprocessor and cache instructions are not timed")
    form = find_form(word)
    mode = mode_of(word) if form is not None and form.modes else ""
    if form is None or mode not in form.modes:
        raise UndecodableError(_UNKNOWN)
    name = form.operation
    if name in _NOT_TIMED:
        raise UndecodableError(_NOT_TIMED[name])
    parts = Parts(name, form.size, flow=form.flow, is_later=form.since != "68000")
    parts.pushes, parts.pops = int(form.pushes), _POPS.get(name, 0)
    if mode == "D":
        parts.length = form.register_size
    for operand_field in form.fields:
        further = _FURTHER.get(operand_field.place)
        if further is None:
            _add_operand(
                parts, operand_field, _operand(operand_field.place, word, words, parts.length)
            )
            parts.is_later |= (
                operand_field.place == EFFECTIVE_ADDRESS and mode not in operand_field.modes
            )
        else:
            further(parts, word, words)
    return parts


def _add_operand(parts: Parts, operand_field: FormField, operand: Operand) -> None:
    """Add an operand: the source, if nothing but reading comes of it, or the destination."""
    if operand_field.access in (READ, ADDRESSED):
        parts.source = operand
        return
    if parts.destination is not None and parts.destination.register is not None:
        # EXG changes two registers.
        parts.source = parts.destination
        parts.late.add(parts.destination.register)
    parts.destination = operand
    parts.reads_destination = operand_field.access != WRITTEN
    parts.writes_destination = operand_field.access in (MODIFIED, WRITTEN)


def _operand(place: str, word: int, words: Words, length: int) -> Operand:
    """The operand at a place of an instruction."""
    if place == EFFECTIVE_ADDRESS:
        return operand_of(word, words, length)
    if place == TARGET:
        return effective_address(word >> 6 & 7, word >> 9 & 7, words, length)
    if place == "#":
        return _immediate(words, length)
    if place == "#3":
        return Operand(IMMEDIATE, value=_quick(word))
    if place == "#8":
        return Operand(IMMEDIATE, value=word & 0xFF)
    if place == "Dq":
        return Operand(DATA, register=words.second >> 12 & 7)
    return _register(place, word)


def _register(place: str, word: int) -> Operand:
    """A register that the first word names, or what it points to."""
    number = (word >> 9 if place.endswith("x") else word) & 7
    if place[0] == "D":
        return Operand(DATA, register=number)
    mode = {"A": ADDRESS, "-": PREDECREMENT, "+": POSTINCREMENT}[place[0]]
    return Operand(mode, register=8 + number)


def _immediate(words: Words, length: int) -> Operand:
    """The operand in the words that come next."""
    return effective_address(7, 4, words, length)


def _quick(word: int) -> int:
    return word >> 9 & 7 or 8


# -- what is no operand of its own ---------------------------------------------------------------


def _frame(parts: Parts, word: int, words: Words) -> None:
    register = 8 + (word & 7)
    if parts.operation == "link":
        parts.early.add(register)
    else:  # The frame pointer is copied to the stack pointer, and the old frame pointer is popped.
        parts.uses.add(register)
        parts.late.add(register)


def _counter(parts: Parts, word: int, words: Words) -> None:
    parts.late.add(word & 7)


def _number_of_bit(parts: Parts, word: int, words: Words) -> None:
    parts.source = _immediate(words, 2)
    parts.count = parts.source.value


def _count(parts: Parts, word: int, words: Words) -> None:
    parts.count = _quick(word)


def _one(parts: Parts, word: int, words: Words) -> None:
    parts.count = 1


def _short_distance(parts: Parts, word: int, words: Words) -> None:
    """The distance is in the first word."""


def _distance(parts: Parts, word: int, words: Words) -> None:
    words.skip(parts.length)


def _list(parts: Parts, word: int, words: Words) -> None:
    mask = words.next()
    order = range(15, -1, -1) if mode_of(word) == "M" else range(16)
    parts.registers = tuple(sorted(r for bit, r in enumerate(order) if mask >> bit & 1))
    if word & 0x400:  # to registers
        parts.late.update(parts.registers)


def _bits(parts: Parts, word: int, words: Words) -> None:
    more = words.next()
    parts.count = None if more & 0x820 else more >> 6 & 31  # the field's offset


def _product(parts: Parts, word: int, words: Words) -> None:
    more = words.next()
    parts.operation = "muls" if more & 0x800 else "mulu"
    if more & 0x400:
        parts.late.add(more & 7)


def _quotient(parts: Parts, word: int, words: Words) -> None:
    more = words.next()
    parts.operation = "divs" if more & 0x800 else "divu"
    parts.late.add(more & 7)


_FURTHER: Mapping[str, Callable[[Parts, int, Words], None]] = MappingProxyType(
    {
        "Af": _frame,
        "Dc": _counter,
        "n16": _number_of_bit,
        "n3": _count,
        "n1": _one,
        "d8": _short_distance,
        "d16": _distance,
        "d32": _distance,
        "list": _list,
        "bits": _bits,
        "product": _product,
        "quotient": _quotient,
    }
)
