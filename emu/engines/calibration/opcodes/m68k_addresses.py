"""Addressing modes of the 68K with values in them that lead a probe to memory of its own.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from emu.engines.calibration.stubs import SHORT, TABLE, TARGET

BASE, OTHER_BASE = 3, 5
"""The address registers of a first and of a second operand."""
_INDEX, _OTHER_INDEX = 4, 6
_LONG = 0x0800
_FULL, _NO_BASE, _NO_INDEX = 0x0100, 0x80, 0x40
_NULL, _WORD, _WIDE = 0x10, 0x20, 0x30
"""The base displacement of the full format: none, a word, a long word."""
_BYTE_EDGES, _WORD_EDGES = (0x80, 0x00, 0xFF, 0x7F, 0x01), (0x8000, 0, 0xFFFF, 0x7FFF, 1)
_LONG_EDGES = (0x80000000, 0, 0xFFFFFFFF, 0x7FFFFFFF, 1)


@dataclass(frozen=True, slots=True)
class Address:
    """An operand with an addressing mode.

    Attributes:
        mode: the mode and the register, six bits.
        words: its extension words.
        text: how it is written.
        bases: registers that the address is formed from, of all sixteen.
        indexes: registers that are added to them.
        tables: registers that the address of an address is formed from.
    """

    mode: int
    words: bytes
    text: str
    bases: frozenset[int] = frozenset()
    indexes: frozenset[int] = frozenset()
    tables: frozenset[int] = frozenset()


def addresses(
    letters: str, size: int, *, register: int, base: int, full: bool, immediate: int = 0
) -> Iterator[Address]:
    """Operands with some addressing modes.

    Args:
        letters: the modes, as `form_rows.MODES` has them.
        size: bytes of the operand, for an immediate.
        register: the number of the register, where the operand is one.
        base: the number of the address register that an address is formed from.
        full: whether the processor has the full format of extension words, and scaled indexes.
        immediate: which of the edge values an immediate has.
    """
    for letter in letters:
        yield from _of_letter(letter, size, register, base, full=full, immediate=immediate)


def _of_letter(
    letter: str, size: int, register: int, base: int, *, full: bool, immediate: int
) -> Iterator[Address]:
    based = frozenset({8 + base})
    match letter:
        case "D":
            yield Address(register, b"", f"d{register}")
        case "A":
            yield Address(0o10 | register, b"", f"a{register}")
        case "I":
            yield Address(0o20 | base, b"", f"(a{base})", based)
        case "P":
            yield Address(0o30 | base, b"", f"(a{base})+", based)
            if size == 1:  # the stack pointer moves by two
                yield Address(0o37, b"", "(a7)+")
        case "M":
            yield Address(0o40 | base, b"", f"-(a{base})", based)
            if size == 1:
                yield Address(0o47, b"", "-(a7)")
        case "O":
            yield Address(0o50 | base, _word(-16), f"-$10(a{base})", based)
        case "X":
            yield from _indexed(0o60 | base, base, full=full)
        case "W":
            yield Address(0o70, _word(SHORT + 0x40), f"${SHORT + 0x40:x}.w")
        case "L":
            yield Address(0o71, _long(TARGET), f"${TARGET:x}.l")
        case "o":
            yield Address(0o72, _word(16), "$10(pc)")
        case "x":
            yield from _indexed_from_pc(full=full)
        case "#":
            yield _immediate(size, immediate)


def immediate_words(size: int, which: int) -> bytes:
    """The words of an immediate that is one of the edge values of its size."""
    edges = _LONG_EDGES if size == 4 else _BYTE_EDGES if size == 1 else _WORD_EDGES
    return edges[which % len(edges)].to_bytes(4 if size == 4 else 2, "big")


def _immediate(size: int, which: int) -> Address:
    if size in (1, 2, 4):
        words = immediate_words(size, which)
    else:  # a number of the FPU: 2.5, as an extended or as a double one
        words = bytes.fromhex("400000" + "00a0" + "00" * 7 if size == 12 else "4004" + "00" * 6)
    return Address(0o74, words, f"#${words.hex()}")


def _word(value: int) -> bytes:
    return (value & 0xFFFF).to_bytes(2, "big")


def _long(value: int) -> bytes:
    return (value & 0xFFFFFFFF).to_bytes(4, "big")


def _indexed(mode: int, base: int, *, full: bool) -> Iterator[Address]:
    """An address register with an index, and what the 68020 has in its place."""
    index = _INDEX if base == BASE else _OTHER_INDEX
    extension = index << 12
    based, indexed = frozenset({8 + base}), frozenset({index})
    a, d = f"a{base}", f"d{index}"
    yield Address(mode, _word(extension | 0xF0), f"-$10({a}, {d}.w)", based, indexed)
    if not full:
        yield Address(mode, _word(extension | _LONG | 0x10), f"$10({a}, {d}.l)", based, indexed)
        return
    scaled = extension | _LONG | 2 << 9
    yield Address(mode, _word(scaled | 0x10), f"$10({a}, {d}.l * 4)", based, indexed)
    scaled |= _FULL
    yield Address(mode, _word(scaled | _WORD) + _word(16), f"($10, {a}, {d}.l * 4)", based, indexed)
    yield Address(mode, _word(extension | _FULL | _NO_INDEX | _NULL), f"({a})", based)
    yield Address(
        mode,
        _word(scaled | _NO_BASE | _WIDE) + _long(TARGET),
        f"(${TARGET:x}.l, {d}.l * 4)",
        indexes=indexed,
    )
    yield Address(
        mode,
        _word(scaled | _WORD | 2) + _word(16) + _word(-8),
        f"([$10, {a}, {d}.l * 4], -$8)",
        indexes=indexed,
        tables=based,
    )
    yield Address(
        mode,
        _word(scaled | _NULL | 7) + _long(8),
        f"([{a}], {d}.l * 4, $8.l)",
        indexes=indexed,
        tables=based,
    )
    yield Address(
        mode,
        _word(extension | _FULL | _NO_BASE | _NO_INDEX | _WIDE | 1) + _long(TABLE),
        f"([${TABLE:x}.l])",
    )


def _indexed_from_pc(*, full: bool) -> Iterator[Address]:
    """The program counter with an index; what is read is the code of the probe itself."""
    indexed = frozenset({_INDEX})
    extension = _INDEX << 12 | _LONG
    yield Address(0o73, _word(extension | 0x20), f"$20(pc, d{_INDEX}.l)", indexes=indexed)
    if not full:
        return
    scaled = extension | 1 << 9 | _FULL
    yield Address(
        0o73, _word(scaled | _WORD) + _word(32), f"($20, pc, d{_INDEX}.l * 2)", indexes=indexed
    )
    # The address is read from the instruction's own outer displacement, which is added to it.
    yield Address(
        0o73,
        _word(scaled | _WORD | 7) + _word(4) + _long(TARGET // 2),
        f"([$4, pc], d{_INDEX}.l * 2, ${TARGET // 2:x}.l)",
        indexes=indexed,
    )
    yield Address(
        0o73,
        _word(scaled | _NO_BASE | _WIDE) + _long(TARGET),
        f"(${TARGET:x}.l, zpc, d{_INDEX}.l * 2)",
        indexes=indexed,
    )
