"""The table of A-line traps: names, what has them first, and how their routines are called.

The upper four bits of a trap word are 1010. If bit 11 is clear, it calls the operating system: the
number is in bits 0 to 7, bit 8 says whether A0 is kept, and bits 9 and 10 are flags that have a
meaning for some traps. If bit 11 is set, it calls the Toolbox: the number is in bits 0 to 9, and
bit 10 (auto-pop) drops a return address.
Source: Inside Macintosh: Operating System Utilities, p. 8-7.

The Toolbox's declarations take their trap words from it. It also names a routine that a program
calls and macproof lacks, and takes its arguments apart. The tests hold headings against it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

UNKNOWN = "unknown"

WIDTHS = {"b": 2, "w": 2, "l": 4}
"""How many bytes an argument takes on the stack: a byte, a word or a long."""

_TOOLBOX = 0x0800
_OS_NUMBER, _TOOLBOX_NUMBER = 0xF0FF, 0xFBFF


@dataclass(frozen=True, slots=True)
class TrapInfo:
    """What is known of a trap.

    Attributes:
        word: its usual trap word.
        name: its name, or that of the dispatcher for a trap that takes a selector.
        first_system: the first System file that has it on every ROM, or "unknown".
        first_rom: the first ROM that has it, or "unknown".
    """

    word: int
    name: str
    first_system: str = UNKNOWN
    first_rom: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class TrapSignature:
    """How a routine is called.

    Attributes:
        name: the routine.
        trap: its trap word.
        selector: its number, if several routines share the trap.
        stack: the widths of its arguments on the stack, a letter each: b, w, l, or "?".
        registers: the registers of its other arguments, in small letters.
        result: the width of its result; "" for none.
        result_register: the register of the result, in small letters; "" for none.
        others: its other names, such as that of older interfaces.
    """

    name: str
    trap: int
    selector: int | None
    stack: str
    registers: str
    result: str
    result_register: str
    others: tuple[str, ...]

    @property
    def stack_size(self) -> int | None:
        """The bytes of its arguments on the stack; None if that is not known."""
        return None if "?" in self.stack else sum(WIDTHS[letter] for letter in self.stack)


@functools.cache
def trap_table() -> Mapping[int, TrapInfo]:
    """All known traps by their trap word."""
    table: dict[int, TrapInfo] = {}
    rom = system = UNKNOWN
    for line in _lines():
        if line.startswith("["):
            rom, system = line[1:-1].split("; ")
            continue
        trap, names = line.split()[:2]
        word = int(trap, 16)
        table.setdefault(word, TrapInfo(word, names.partition(",")[0], system, rom))
    return table


@functools.cache
def signatures() -> Mapping[str, TrapSignature]:
    """The routines whose call is known, by their names."""
    calls = (line.split() for line in _lines() if not line.startswith("["))
    return {
        signature.name: signature
        for call in calls
        if len(call) > 2
        for signature in _signatures(*call)
    }


def _lines() -> Iterator[str]:
    text = resources.files("emu.program").joinpath("traps.txt").read_text()
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def _signatures(trap: str, names: str, *rest: str) -> Iterator[TrapSignature]:
    """The routines of a line; they are called alike."""
    selector, stack, *places = ("" if word == "-" else word for word in rest)
    registers, result, result_register = places
    number = int(selector, 16) if selector else None
    each = names.split(",")
    for name in each:
        yield TrapSignature(
            name,
            int(trap, 16),
            number,
            stack,
            registers.lower(),
            result,
            result_register.lower(),
            tuple(other for other in each if other != name),
        )


def normalised(word: int) -> int:
    """A trap word without flags (operating system) or auto-pop (Toolbox)."""
    return word & (_TOOLBOX_NUMBER if word & _TOOLBOX else _OS_NUMBER)


def trap_info(word: int) -> TrapInfo | None:
    """What is known of a trap word, whatever its flag bits; None if the table lacks the trap.

    A flag that has a meaning makes another trap: A11E is NewPtr, A31E is NewPtrClear.
    """
    table = trap_table()
    if word & _TOOLBOX:
        return table.get(word) or _by_number().get(normalised(word))
    # Bit 8 only keeps A0.
    return table.get(word) or table.get(word ^ 0x0100) or _by_number().get(normalised(word))


@functools.cache
def _by_number() -> dict[int, TrapInfo]:
    """The trap that a number stands for when the flags have no meaning of their own."""
    traps: dict[int, TrapInfo] = {}
    for word in sorted(trap_table(), key=lambda word: (word & 0x0600, word)):
        traps.setdefault(normalised(word), trap_table()[word])
    return traps


def with_trap(word: int) -> list[TrapSignature]:
    """The routines behind a trap word, whatever its flag bits."""
    return list(_signatures_by_number().get(normalised(word), ()))


@functools.cache
def _signatures_by_number() -> dict[int, list[TrapSignature]]:
    """The routines behind each number of a trap."""
    routines: dict[int, list[TrapSignature]] = {}
    for signature in signatures().values():
        routines.setdefault(normalised(signature.trap), []).append(signature)
    return routines


def as_text(letter: str, word: int) -> str:
    """An argument of a width, as text; ``word`` holds it in its lower bits."""
    if letter == "b":
        return f"0x{word & 0xFF:02x}"
    return str((word & 0xFFFF ^ 0x8000) - 0x8000) if letter == "w" else f"0x{word:08x}"
