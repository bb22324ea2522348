"""The map of the 68K: each form of the table of instructions with each of its addressing modes.

A register in the first word is tried with two numbers: one apart from the registers of the
addressing mode, and one of these. The further words have the values of `m68k_words`, and
immediates those at the edges of their size.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.engines.calibration.instructions import ProbeInstruction, form_of, m68k_text
from emu.engines.calibration.opcodes.entry import MapEntry
from emu.engines.calibration.opcodes.m68k_addresses import BASE, OTHER_BASE, Address, addresses
from emu.engines.calibration.opcodes.m68k_fpu import FpuCommand, fpu_commands
from emu.engines.calibration.opcodes.m68k_words import SecondWords, second_words
from emu.machine.cpu import Cpu
from emu.program.instructions.m68k.forms import (
    EFFECTIVE_ADDRESS,
    TARGET,
    FormField,
    InstructionForm,
    forms,
)

_UPPER, _LOWER, _MODE, _CONDITION = 0x0E00, 0x0007, 0x003F, 0x0F00
"""Where registers and small constants stand in the first word, the addressing mode, a condition."""
_FIRST, _SECOND = 1, 2
"""The numbers of registers that are no part of an addressing mode."""
_STACK = 15
_SINCE = ("68000", "68010", "68020", "68040")
_GOES, _PRIVILEGED, _SOFTWARE = (
    "branches, calls, returns and traps",
    "privileged instructions",
    "operations that a 68040 leaves to software",
)
_CALLS = frozenset({"callm", "rtm"})
_THROUGH_FIRST = frozenset({"movep", "pack", "unpk", "move16"})
_PREDICATES = 32
_COUNTS = frozenset({"n3", "#3"})
_Part = Address | SecondWords


@dataclass(frozen=True, slots=True)
class _Shape:
    """A form for one processor.

    Attributes:
        form: the form.
        modes: the addressing modes of its operand there; "" if it has none.
        full: whether the processor has the full format of extension words.
    """

    form: InstructionForm
    modes: str
    full: bool


def m68k_entries(cpu: Cpu) -> Iterator[MapEntry]:
    """All entries of the map of a 68K."""
    is_68000 = cpu.name == "68000"
    last = _SINCE.index(cpu.name) if cpu.name in _SINCE else _SINCE.index("68020")
    for form in forms():
        if form.since not in _SINCE[: last + 1]:
            continue
        shape = _Shape(form, _modes(form, is_68000=is_68000), full=not is_68000)
        left_out = _GOES if form.flow or form.operation in _CALLS else ""
        if form.is_privileged(is_68000=is_68000):
            left_out = _PRIVILEGED
        if left_out:
            yield from (MapEntry(form.mnemonic, None, left_out) for _ in shape.modes or "-")
        elif form.operation == "fpu":
            for command in fpu_commands():
                yield from _commanded(cpu, command)
        else:
            yield from _entries(cpu, shape)


def _modes(form: InstructionForm, *, is_68000: bool) -> str:
    for field in form.fields:
        if field.place == EFFECTIVE_ADDRESS:
            return field.modes if is_68000 else field.later_modes
    return ""


def _entries(cpu: Cpu, shape: _Shape) -> Iterator[MapEntry]:
    codes = set()
    for is_same in (False, True):
        for word, parts in _encodings(shape, is_same=is_same):
            instruction = _probe(cpu, shape.form, word, parts)
            if instruction.code not in codes:
                codes.add(instruction.code)
                yield MapEntry(shape.form.mnemonic, instruction)


def _encodings(shape: _Shape, *, is_same: bool) -> Iterator[tuple[int, tuple[_Part, ...]]]:
    """First words with what follows them.

    Args:
        shape: the form.
        is_same: whether its registers have the same number.
    """
    form = shape.form
    for which, word in enumerate(_first_words(shape, is_same=is_same)):
        choices = [
            tuple(_parts(shape, at, field, which, is_same=is_same))
            for at, field in enumerate(form.fields)
        ]
        for parts in itertools.product(*(choice for choice in choices if choice)):
            yield word, parts


def _parts(
    shape: _Shape, at: int, field: FormField, which: int, *, is_same: bool
) -> Sequence[_Part]:
    """What may stand in the words of a field."""
    form = shape.form
    if field.place == EFFECTIVE_ADDRESS:
        given = addresses(
            shape.modes, form.size, register=_SECOND, base=BASE, full=shape.full, immediate=which
        )
        return tuple(given)
    if field.place == TARGET:
        base = BASE if is_same else OTHER_BASE
        return tuple(addresses(field.modes, form.size, register=_FIRST, base=base, full=shape.full))
    if field.place == "p":
        return tuple(
            SecondWords(number.to_bytes(2, "big"), f"condition {number}")
            for number in range(_PREDICATES)
        )
    return second_words(form, field, at, which)


def _first_words(shape: _Shape, *, is_same: bool) -> Iterator[int]:
    """The first words of a form without its addressing modes.

    Registers have one number each. Of counts and other small numbers all values are taken, and of
    the byte of MOVEQ those at its edges.
    """
    form = shape.form
    free = ~form.mask & 0xFFFF
    has_target = any(field.place == TARGET for field in form.fields)
    if shape.modes:
        free &= ~_MODE
    places = {field.place for field in form.fields}
    has_upper = free & _CONDITION == _UPPER and not places & _COUNTS and not has_target
    has_lower = free & _LOWER == _LOWER and "#8" not in places
    fixed = form.value
    if has_target:
        free &= ~_UPPER
    if has_upper:
        free &= ~_UPPER
        fixed |= (_SECOND if is_same else _FIRST) << 9
    if has_lower:
        free &= ~_LOWER
        fixed |= _SECOND
    if is_same and not has_upper and not has_target:
        return
    yield from (fixed | value for value in _values(free))


def _values(free: int) -> Iterator[int]:
    """The values of free bits: all, or those at the edges if there are many."""
    bits = [1 << n for n in range(16) if free >> n & 1]
    top = 1 << len(bits)
    edges = (0, 1, top // 2 - 1, top // 2, top - 1)
    for number in range(top) if top <= 16 else edges:
        yield sum(bit for n, bit in enumerate(bits) if number >> n & 1)


def _probe(cpu: Cpu, form: InstructionForm, word: int, parts: Sequence[_Part]) -> ProbeInstruction:
    bases = {_STACK}
    if form.operation in _THROUGH_FIRST or any(f.place[0] in "-+" for f in form.fields):
        bases |= {8 + (word >> 9 & 7), 8 + (word & 7)}
    if any(field.place == "Af" for field in form.fields):
        bases.add(8 + (word & 7))
    places = iter(parts)
    for field in form.fields:
        if field.place in (EFFECTIVE_ADDRESS, TARGET):
            address = next(part for part in places if isinstance(part, Address))
            word |= _turned(address.mode) if field.place == TARGET else address.mode
    name = f"{form.operation}.{' bw l'[form.size]}" if form.size else form.mnemonic
    text = m68k_text(cpu, _code(word, parts)).replace(", invalid.w", "")  # an index left out
    if text.startswith("0x") or "invalid" in text:  # Capstone does not know it
        text = f"{name} {', '.join(part.text for part in parts if part.text)}".strip()
    return _instruction(text, word, parts, bases)


def _code(word: int, parts: Sequence[_Part]) -> bytes:
    return word.to_bytes(2, "big") + b"".join(part.words for part in parts)


def _turned(mode: int) -> int:
    """Mode and register as the destination of a MOVE has them: the register first."""
    return (mode & 7) << 9 | (mode >> 3) << 6


def _commanded(cpu: Cpu, command: FpuCommand) -> Iterator[MapEntry]:
    """The instructions with a command of the floating-point unit.

    Their text is not Capstone's, which has other names for some of them.
    """
    words = SecondWords(command.word.to_bytes(2, "big"), command.text)
    places = addresses(command.modes, command.size, register=_SECOND, base=BASE, full=True)
    for address in places if command.modes else (Address(0, b"", ""),):
        if command.by_software:
            yield MapEntry(command.mnemonic, None, _SOFTWARE)
            continue
        word = 0xF200 | address.mode
        operands = (
            (command.text, address.text) if command.is_stored else (address.text, command.text)
        )
        text = f"{command.mnemonic} {', '.join(filter(None, operands))}"
        made = _instruction(text, word, (words, address), {_STACK})
        yield MapEntry(command.mnemonic, made)


def _instruction(text: str, word: int, parts: Sequence[_Part], bases: set[int]) -> ProbeInstruction:
    found = [part for part in parts if isinstance(part, Address)]
    tables = frozenset[int]().union(*(part.tables for part in found))
    indexes = frozenset[int]().union(*(part.indexes for part in parts))
    based = frozenset(bases).union(*(part.bases for part in parts))
    return ProbeInstruction(
        form_of(text),
        text,
        _code(word, parts),
        based - indexes - tables,
        indexes - tables,
        tables=tables,
    )
