"""Which instruction of the 68K family a word is, and what its operands are.

The table is `form_rows`. `find_form` reads it for one word. It knows the words of all processors
that macproof models, and of the 68010.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from emu.program.instructions.m68k.form_rows import MODES, PRIVILEGED, ROWS, SETS, TARGETS

READ, MODIFIED, WRITTEN, TESTED, ADDRESSED, ENTERED = "", "+", "=", "?", "&", ">"
"""What becomes of an operand: it is only read; read and written; written; read and compared with
the other one; used for its address alone; gone to."""

EFFECTIVE_ADDRESS, TARGET = "ea", "to"
"""Places of operands that have addressing modes. The others are those of `form_rows`."""

BRANCH, CONDITIONAL, LOOP, JUMP, CALL, RETURN, TRAP = (
    "branch",
    "conditional",
    "loop",
    "jump",
    "call",
    "return",
    "trap",
)
"""Kinds of control flow: BRA, Bcc, DBcc, JMP, BSR and JSR, RTS and the like, exceptions."""

_FLOWS: Mapping[str, str] = MappingProxyType(
    {
        **{"bra": BRANCH, "bcc": CONDITIONAL, "fbcc": CONDITIONAL, "dbcc": LOOP, "fdbcc": LOOP},
        **{"jmp": JUMP, "bsr": CALL, "jsr": CALL},
        **dict.fromkeys(("rte", "rtd", "rts", "rtr"), RETURN),
        **dict.fromkeys(("trap", "trapv", "trapcc", "ftrapcc", "illegal", "a-line", "bkpt"), TRAP),
    }
)
_PUSHING = frozenset({"bsr", "jsr", "pea", "link"})
_SIZES: Mapping[str, int] = MappingProxyType({"00": 1, "01": 2, "10": 4})
_WORDS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(("w", "d16", "n16", "list", "bits", "product", "quotient", "f", "p"), 2),
        **{"l": 4, "d32": 4},
    }
)


@dataclass(frozen=True, slots=True)
class FormField:
    """An operand of an instruction, or what else stands in its words.

    Attributes:
        place: where it stands, as `form_rows` has it; or one of `EFFECTIVE_ADDRESS` and `TARGET`.
        access: what becomes of it, for example `READ`.
        modes: its addressing modes on the 68000 and the 68010, as letters; of a MOVE's destination
            the one that it has; "" for other places.
        later_modes: those on the 68020 and later.
        size: bytes of the words after the first that are the field's, without those of addresses.
    """

    place: str
    access: str = READ
    modes: str = ""
    later_modes: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class InstructionForm:
    """An instruction with one kind of operands.

    Attributes:
        mask: the bits of the first word that are fixed.
        value: the values of these bits.
        mnemonic: its name, with a size where sizes are different instructions ("divu.w").
        operation: its name without that size ("divu").
        since: the first processor that has it, or "68020only".
        fields: its operands, and what else its words hold, in the order of the words.
        modes: the addressing modes of its operand on the 68020 and later; "" if it has none.
        size: bytes of the operation; 0 if it has no size.
        register_size: those of an operation on a data register.
        flow: the kind of control flow, for example `BRANCH`; "" for none.
        distance: where the distance of a branch stands: offset and bytes, which are 0 for none.
    """

    mask: int
    value: int
    mnemonic: str
    operation: str
    since: str
    fields: tuple[FormField, ...]
    modes: str
    size: int
    register_size: int
    flow: str
    distance: tuple[int, int]

    @property
    def pushes(self) -> bool:
        """Whether it stores something on the stack, whatever its operands are."""
        return self.operation in _PUSHING

    @property
    def words(self) -> Iterator[int]:
        """The first words of all that have this form."""
        free = ~self.mask & 0xFFFF
        bits = free
        while True:
            word = self.value | free - bits
            if not self.modes or mode_of(word) in self.modes:
                yield word
            if not bits:
                return
            bits = bits - 1 & free

    def is_privileged(self, *, is_68000: bool) -> bool:
        """Whether only an operating system may execute it, on a 68000 or on a later processor."""
        first = PRIVILEGED.get(self.mnemonic)
        return first == "68000" or (first is not None and not is_68000)


@functools.cache
def find_form(word: int) -> InstructionForm | None:
    """The form of an instruction by its first word; None if no processor of the table has it.

    The mode of its operand may be one that no processor has; see `InstructionForm.modes`.
    """
    for form in _lines()[word >> 12]:
        if word & form.mask == form.value:
            return form
    return None


def forms() -> Iterator[InstructionForm]:
    """All forms, special ones before general ones."""
    return (form for line in _lines() for form in line)


def pattern_of(mnemonic: str) -> bytes:
    """A regular expression of the first words of an instruction, as bytes."""
    lower: dict[int, list[int]] = {}
    for form in forms():
        if form.mnemonic == mnemonic:
            for word in form.words:
                lower.setdefault(word >> 8, []).append(word & 0xFF)
    return b"|".join(
        b"\\x%02x[%b]" % (upper, b"".join(b"\\x%02x" % byte for byte in each))
        for upper, each in lower.items()
    )


def mode_of(word: int) -> str:
    """The addressing mode in the lower six bits of a word, as a letter; "?" for none."""
    mode, register = word >> 3 & 7, word & 7
    return MODES[mode] if mode < 7 else f"{MODES[7:]}???"[register]


@functools.cache
def _lines() -> Sequence[Sequence[InstructionForm]]:
    """The forms by the upper four bits of their words."""
    lines: list[list[InstructionForm]] = [[] for _ in range(16)]
    for row in ROWS.strip().split("\n"):
        for form in _read(*row.split()):
            lines[form.value >> 12].append(form)
    return lines


def _read(
    bits: str, sizes: str, mnemonic: str, since: str, *fields: str
) -> Iterator[InstructionForm]:
    """The forms of a row, one for each size, direction of a shift, and destination of a MOVE."""
    if "ss" in bits:
        for code, number in _SIZES.items():
            yield from _read(bits.replace("ss", code), str(number), mnemonic, since, *fields)
    elif "d" in bits:
        for direction, name in enumerate(mnemonic.split("/")):
            yield from _read(bits.replace("d", str(direction)), sizes, name, since, *fields)
    elif "t" in bits:
        for mode, code in TARGETS.items():
            chosen = (*fields[:-1], f"{mode}{fields[-1]}")
            yield from _read(bits.replace("tttttt", code), sizes, mnemonic, since, *chosen)
    else:
        first, _, second = sizes.replace("-", "0").partition("/")
        size = int(first)
        operation = mnemonic[:-2] if mnemonic.endswith((".s", ".w", ".l")) else mnemonic
        read = tuple(_field(text, size) for text in fields)
        yield InstructionForm(
            mask=int("".join(str(int(bit in "01")) for bit in bits), 2),
            value=int("".join(bit if bit in "01" else "0" for bit in bits), 2),
            mnemonic=mnemonic,
            operation=operation,
            since=since,
            fields=read,
            modes=next((f.later_modes for f in read if f.place == EFFECTIVE_ADDRESS), ""),
            size=size,
            register_size=int(second or first),
            flow=_FLOWS.get(operation, ""),
            distance=_distance(read),
        )


def _field(text: str, size: int) -> FormField:
    """A field of a form whose operation has some size."""
    name, access = (text[:-1], text[-1]) if text[-1] in "+=?&>" else (text, READ)
    if name.endswith(TARGET):
        return FormField(TARGET, access, name[0], name[0])
    first, _, second = name.partition("/")
    if first not in SETS:
        return FormField(name, access, size=max(size, 2) if name == "#" else _WORDS.get(name, 0))
    modes, later = SETS[first], SETS[second or first]
    if size == 1:  # no operation reads a byte from an address register
        modes, later = modes.replace("A", ""), later.replace("A", "")
    return FormField(EFFECTIVE_ADDRESS, access, modes, later)


def _distance(fields: Sequence[FormField]) -> tuple[int, int]:
    """Where the distance of a branch stands among the fields of a form."""
    at = 2
    for field in fields:
        if field.place in ("d16", "d32"):
            return at, field.size
        if field.place == "d8":
            return 1, 1
        at += field.size
    return at, 0
