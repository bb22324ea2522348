"""Instructions that Python executes in place of the engine, and the state that they work on."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

LONGEST = 16
"""More bytes than a special instruction has, with its operand."""


@dataclass(frozen=True, slots=True)
class FloatRegisters:
    """The floating-point registers of a 68K.

    Attributes:
        values: sign and exponent, and mantissa, of FP0 to FP7, and of the last operand that was in
            memory or in a data register.
        control: FPCR.
        status: FPSR.
        flags: the exceptions since the status was last set, as the engine keeps them.
    """

    values: tuple[tuple[int, int], ...]
    control: int
    status: int
    flags: int


class ProcessorState(Protocol):
    """The registers, flags and memory of a processor that is about to execute an instruction.

    Attributes:
        is_float_status_stale: whether the engine has executed floating-point instructions since
            their status was last right.
        on_unknown_status: is called with the reason where it is not known what an instruction reads
            of that status or makes of it. It raises `OutcomeUnknownError`, unless whoever runs the
            program can go on all the same.
    """

    is_float_status_stale: bool
    on_unknown_status: Callable[[str], None]

    def register(self, name: str) -> int:
        """The value of a general register, 32 bits unsigned."""

    def set_register(self, name: str, value: int) -> None:
        """Change a general register; only the lower 32 bits count."""

    def set_double(self, name: str, value: int) -> None:
        """Change a floating-point register of 64 bits, which `register` reads, too."""

    def float_registers(self) -> FloatRegisters:
        """The floating-point registers of a 68K."""

    def set_float_status(self, value: int) -> None:
        """Change FPSR of a 68K, and forget the exceptions that the engine has kept."""

    def fetch(self, address: int, size: int) -> int:
        """A part of the instruction, as a number; no access to data."""

    def load(self, address: int, size: int) -> int:
        """What memory holds, as a number. Whatever watches memory sees it as any other load.

        Raises:
            AccessRefusedError: there is no such memory, or it may not be read.
        """

    def store(self, address: int, size: int, value: int) -> None:
        """Change memory. Whatever watches memory sees it as any other store.

        Raises:
            AccessRefusedError: there is no such memory, or it may not be written.
        """

    def status(self) -> int:
        """The status register without the flags in its lower byte, which are lost."""

    def status_and_flags(self) -> int:
        """The status register with all flags, which stay as they are."""

    def set_status(self, value: int) -> None:
        """Change the status register, with all flags."""

    def wait(self) -> None:
        """Let time pass up to the next interrupt.

        Raises:
            NotExecutableError: none comes.
        """

    def now(self) -> int:
        """The time in nanoseconds."""

    def run(self, code: bytes) -> None:
        """Let the engine execute an instruction that is not in the program.

        Raises:
            ExceptionTakenError: it takes an exception.
            AccessRefusedError: it uses memory that it must not use.
        """


class AccessRefusedError(Exception):
    """An instruction used memory that it must not use.

    Attributes:
        access: "read" or "write".
        reason: what the memory is, for a message ("unmapped memory").
        address: where.
        size: how many bytes.
    """

    def __init__(self, access: str, reason: str, address: int, size: int) -> None:
        super().__init__(f"{access} of {size} bytes: {reason} at 0x{address:08x}")
        self.access, self.reason, self.address, self.size = access, reason, address, size


class NotExecutableError(Exception):
    """An instruction must not be executed in this place; the message says why, as a clause."""


class OutcomeUnknownError(Exception):
    """The engine has not kept what an instruction needs; the message says what, as a clause."""


class ExceptionTakenError(Exception):
    """The processor takes an exception at an instruction.

    Attributes:
        number: which one, by the engine's number.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"exception {number}")
        self.number = number


Execute = Callable[[ProcessorState, int], int]
"""Executes the instruction at an address; returns the address at which the program goes on."""


@dataclass(frozen=True, slots=True)
class SpecialInstruction:
    """An instruction that the engine must not execute, or that is to be noted.

    Attributes:
        title: what it is, for a message ("BKPT #0").
        size: its size in bytes.
        execute: executes it in place of the engine; None if nothing can.
        by_engine: whether the engine executes it; then it is only noted.
        is_privileged: whether only an operating system may execute it, so that it is noted.
        is_wrong_in_qemu: whether every QEMU executes it with another result and says nothing, the
            one of qemu-user too.
    """

    title: str
    size: int
    execute: Execute | None = None
    by_engine: bool = False
    is_privileged: bool = False
    is_wrong_in_qemu: bool = False


@dataclass(frozen=True, slots=True)
class SpecialPattern:
    """Instructions that are special, all or some of them.

    Attributes:
        pattern: a regular expression of their first bytes, without groups.
        recognise: gives the instruction from its bytes, which may end early; None if this one is
            not special.
    """

    pattern: bytes
    recognise: Callable[[bytes], SpecialInstruction | None]


FindSpecial = Callable[[bytes], Mapping[int, SpecialInstruction]]
"""Gives the special instructions in a piece of code, by their offsets."""


@dataclass(frozen=True, slots=True)
class StatusInstructions:
    """Instructions that are special only in a program that can see what the engine does wrongly.

    Attributes:
        find: finds them.
        is_visible: whether some code, which begins where an instruction does, has an instruction
            that shows it.
        moves: finds those that show it, among those of ``find``; None where it cannot.
        has_modes: whether a mode is set in which the engine computes results wrongly, too.
    """

    find: FindSpecial
    is_visible: Callable[[bytes], bool]
    moves: FindSpecial | None = None
    has_modes: Callable[[ProcessorState], bool] = lambda state: True


_PAGES_KEPT = 512  # 2 MB


def finder(forms: Sequence[SpecialPattern]) -> FindSpecial:
    """Finds instructions of some forms: see `Cpu.special`."""
    # It looks ahead, because what it finds may overlap. An empty group behind each form says which
    # one it is: with the form inside, `re` would take eleven times as long, since it passes over an
    # alternative by its first byte only if no group begins there.
    groups = b"|".join(b"(?:" + form.pattern + b")()" for form in forms)
    expression = re.compile(b"(?=" + groups + b")", re.DOTALL)

    # To look through a page takes 0.14 ms for a 68040, and every machine has the same pages.
    @functools.lru_cache(_PAGES_KEPT)
    def find(code: bytes) -> Mapping[int, SpecialInstruction]:
        instructions = {}
        for match in expression.finditer(code):
            at = match.start()
            assert match.lastindex is not None
            # At odd addresses too: whoever knows where the code lies leaves them out.
            special = forms[match.lastindex - 1].recognise(code[at : at + LONGEST])
            if special is not None:
                instructions[at] = special
        return instructions

    return find
