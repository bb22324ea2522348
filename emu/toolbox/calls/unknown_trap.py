"""Describes a call of a trap that macproof does not have, as far as published tables know it."""

from __future__ import annotations

from dataclasses import dataclass

from emu.program.instructions.trap_table import WIDTHS, TrapSignature, as_text, trap_info, with_trap
from emu.toolbox.guest.guest_access import GuestAccess

_SHOWN_WORDS = 8
_PACKAGES = range(0xA9E7, 0xA9EF)
"""Pack0 to Pack7, which take their selector from the stack (Inside Macintosh I, chapter 17)."""


@dataclass(frozen=True, slots=True)
class UnknownTrap:
    """A call of a 68K trap.

    Attributes:
        guest: guest memory.
        word: the trap word.
        selector: the selector of the dispatcher that macproof has; None if it lacks the trap.
        d0: register D0.
        a0: register A0.
        stack_pointer: register A7.
    """

    guest: GuestAccess
    word: int
    selector: int | None
    d0: int
    a0: int
    stack_pointer: int

    def name(self) -> str:
        """The trap's number and names, such as "trap 0xA9E7 (Pack0: LNew)"."""
        info, (meant, _) = trap_info(self.word), self._meant()
        names = [info.name] if info is not None else []
        if meant is not None and meant.name not in names:
            names.append(meant.name)
        named = f" ({': '.join(names)})" if names else ""
        number = f", selector {self.selector}" if self.selector is not None else ""
        return f"trap 0x{self.word:04X}{named}{number}"

    def arguments(self) -> str:
        """The arguments, if their widths are known, and where they may lie otherwise."""
        guest = self.guest
        places = (self.stack_pointer + 2 * n for n in range(_SHOWN_WORDS))
        words = " ".join(f"{guest.u16(at):04x}" for at in places if guest.is_mapped(at, 2))
        return f"{self._decoded()}D0 {self.d0:08x}, A0 {self.a0:08x}, stack {words}"

    def _meant(self) -> tuple[TrapSignature | None, int]:
        """The published signature, and where its arguments lie on the stack."""
        signatures = with_trap(self.word)
        if len(signatures) == 1 and signatures[0].selector is None:
            return signatures[0], self.stack_pointer
        guest, top = self.guest, self.stack_pointer
        by_register = (0, {self.d0, self.d0 & 0xFFFF})
        on_stack = []
        if guest.is_mapped(top, 4):
            on_stack = [(2, {guest.u16(top)}), (4, {guest.u32(top)})]
        is_package = self.word in _PACKAGES
        places = on_stack if is_package else [by_register, *on_stack[1:]]
        for size, numbers in places:
            for signature in signatures:
                if signature.selector in numbers:
                    return signature, self.stack_pointer + size
        return None, 0

    def _decoded(self) -> str:
        """The arguments on the stack; the first was pushed first and lies highest."""
        meant, start = self._meant()
        size = meant.stack_size if meant is not None else None
        if meant is None or not size or not self.guest.is_mapped(start, size):
            return ""
        at, arguments = start + size, []
        for letter in meant.stack:
            at -= WIDTHS[letter]
            value = self.guest.u32(at) if letter == "l" else self.guest.u16(at)
            # A byte lies in the upper half of its word.
            arguments.append(as_text(letter, value >> 8 if letter == "b" else value))
        return f"arguments {', '.join(arguments)}; "
