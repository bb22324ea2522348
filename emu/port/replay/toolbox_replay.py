"""Answers a function's calls of the Toolbox as they were answered when it was recorded."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from emu.machine.memory.memory import PAGE, GuestMemory
from emu.port.recording.store import RecordedCall
from emu.port.recording.toolbox_calls import LocalAddresses, OtherToolboxCallError, ToolboxAnswer
from emu.port.replay import low_memory
from emu.program.instructions.trap_table import signatures
from emu.toolbox.guest.layout import GRAFTS, ROM_START
from emu.toolbox.macintosh import Macintosh

_DEEPEST_FRAME = 64 << 10
_PURE = frozenset(
    {"HiWord", "LoWord", "BitAnd", "BitOr", "BitXor", "BitNot", "BitShift", "BitTst"}
    | {"LongMul", "FixMul", "FixRatio", "FixRound", "C2PStr", "P2CStr", "StripAddress"}
)
"""Routines that only compute, which one compiler's library calls and another's does itself."""


class ToolboxReplay:
    """The Toolbox of one replay.

    Args:
        mac: the machine.
        call: the recorded call.
        pointer: the stack pointer at its beginning.
        pointer_name: the register that it is.
        own: where the constants of the recorded function may be.

    Attributes:
        position: how many calls have been answered.
        pages: the pages that answers have written to.
    """

    def __init__(
        self,
        mac: Macintosh,
        call: RecordedCall,
        pointer: int,
        pointer_name: str,
        own: Sequence[range],
    ) -> None:
        self._mac = mac
        self._pointer = mac.engine.index[pointer_name]
        self._calls = call.toolbox
        self.position = 0
        self.pages: set[int] = set()
        self._stack = range(max(pointer - _DEEPEST_FRAME, mac.layout.stack), pointer)
        grafts = range(GRAFTS.address, GRAFTS.end)
        # THINK C keeps texts among the globals.
        constants = [*own, range(mac.layout.globals_start, mac.layout.a5)]
        self._locals = LocalAddresses(self._stack, constants, grafts)

    def is_own(self, name: str) -> bool:
        """Whether a function makes a call by itself that the original did without the Toolbox."""
        return _needs_no_manager(name) and self._next(name) is None

    def _next(self, name: str) -> int | None:
        """Which call comes next, if it is one of a routine; None if it is another.

        Calls that need no manager are passed over: code may do the same by itself. What they did
        to memory is not done here, for then nobody would see that a function does not do it.
        """
        for position in range(self.position, len(self._calls)):
            if self._calls[position].name == name:
                return position
            if not _needs_no_manager(self._calls[position].name):
                break
        return None

    def own(self, name: str, arguments: Sequence[Any], perform: Callable[[], Any]) -> Any:
        """Do a call that a function makes by itself; its result.

        Args:
            name: the routine.
            arguments: its arguments.
            perform: does it by the Toolbox.
        """
        access = low_memory.access(name, arguments, self._mac.engine.memory)
        if access is None:
            return perform()
        for address, data in access.writes:
            self._put(address, data)
        return access.result

    def compute(self, perform: Callable[[], Any]) -> Any:
        """Do a call of SANE; its result.

        Args:
            perform: does it by the Toolbox.
        """
        with self._mac.guest.noting() as noted:
            result = perform()
        for address, size in noted.writes:
            self.pages.update(range(address & -PAGE, address + size, PAGE))
        return result

    def rest(self) -> str:
        """What the function should have called and has not, in words; "" for nothing."""
        self.position = self._first_of_a_manager()
        left = len(self._calls) - self.position
        if not left:
            return ""
        first = self._calls[self.position]
        also = f", nor the {left - 1} calls after it" if left > 1 else ""
        return f"it does not make Toolbox call {self.position + 1}, {described(first)}{also}"

    def answer(self, name: str, arguments: Sequence[Any], *, has_trap: bool = True) -> Any:
        """Answer a call; its result.

        Args:
            name: the routine.
            arguments: its arguments.
            has_trap: whether it was called by a trap; else by its name.

        Raises:
            OtherToolboxCallError: the recorded function made another call there, or none.
        """
        found = self._next(name)
        self.position = self._first_of_a_manager() if found is None else found
        number = self.position + 1
        if self.position >= len(self._calls):
            raise OtherToolboxCallError(
                f"Toolbox call {number} is {call_words(name, arguments)}; the original makes no "
                f"more{'' if has_trap else self._without_trap(name)}"
            )
        call = self._calls[self.position]
        if call.name != name or len(call.arguments) != len(arguments):
            raise OtherToolboxCallError(
                f"Toolbox call {number} is {call_words(name, arguments)}, and {described(call)} in "
                f"the original{'' if has_trap else self._without_trap(name)}"
            )
        self._locals.begin_call()
        for place, (old, new) in enumerate(zip(call.arguments, arguments, strict=True), 1):
            if not self._locals.takes(old, new):
                raise OtherToolboxCallError(
                    f"argument {place} of {name} (Toolbox call {number}) is {_word(new)}, and "
                    f"{_word(old)} in the original"
                )
        self._compare_reads(call, number)
        self.position = number
        return self._give(call)

    def _first_of_a_manager(self) -> int:
        """The position of the next call that only a manager can answer."""
        return next(
            (
                position
                for position in range(self.position, len(self._calls))
                if not _needs_no_manager(self._calls[position].name)
            ),
            len(self._calls),
        )

    def _without_trap(self, name: str) -> str:
        """What to do where an old program brings code of its own for a routine; else ""."""
        is_named = self._mac.cpu.architecture == "powerpc" or name in signatures()
        if is_named or any(one.name == name for one in self._calls):
            return ""
        hint = "; macproof port match proposes it" if not name[:1].islower() else ""
        return (
            f". {name} has no trap on a 68K: if the original has code for it, a mark LIBRARY with "
            f"the place and this name says where{hint}"
        )

    def _compare_reads(self, call: ToolboxAnswer, number: int) -> None:
        reads = [(address, data) for address, data in call.reads if address < ROM_START]
        for address, data in reads:
            self._learn(address, data)
        for address, data in reads:
            for start, end in itertools.pairwise(self._locals.cuts(address, len(data))):
                problem = self._differs(address + start, data[start:end])
                if problem:
                    words = f"{call.name} (Toolbox call {number}) is given {problem}"
                    raise OtherToolboxCallError(words)

    def _learn(self, address: int, data: bytes) -> None:
        """Take the pointers to locals in what a call read for what they stand for now."""
        for place in self._locals.places(address)[:1]:
            now = _bytes_at(self._mac.engine.memory, place, len(data))
            for at, old in self._locals.addresses_in(data[: len(now)], address % 2):
                self._locals.takes(old, int.from_bytes(now[at : at + 4], "big"))

    def _differs(self, address: int, data: bytes) -> str:
        """Bytes that are not those at a recorded address, in words; "" if they are the same."""
        memory = self._mac.engine.memory
        found = [
            (self._differs_at(now, data, place), place, now)
            for place in self._locals.places(address)
            if (now := _bytes_at(memory, place, len(data)))
        ]
        if not found or any(at is None for at, _, _ in found):
            return ""
        at, place, now = found[0]
        return (
            f"{_bytes(now, at or 0)} at 0x{place + (at or 0):x}, and {_bytes(data, at or 0)} in "
            "the original"
        )

    def _differs_at(self, now: bytes, data: bytes, place: int) -> int | None:
        """Where bytes differ first that are no pointers to locals or constants; None if nowhere."""
        at = 0
        while now[at:] != data[at:]:
            at = next(n for n in range(at, len(now)) if now[n] != data[n])
            start = self._pointer_at(now, data, place, at)
            if start is None:
                return at
            at = start + 4
        return None

    def _pointer_at(self, now: bytes, data: bytes, place: int, at: int) -> int | None:
        """Where a pointer begins that has a byte, if it leads to a local or constant in both."""
        for start in range(max(at - 3, 0), min(at, len(now) - 4) + 1):
            old, new = (int.from_bytes(each[start : start + 4], "big") for each in (data, now))
            if not (place + start) % 2 and old != new and self._locals.takes(old, new):
                return start
        return None

    def _give(self, call: ToolboxAnswer) -> Any:
        """Do to memory and registers what the call did."""
        mac = self._mac
        for address, data in call.writes:
            for start, end in itertools.pairwise(self._locals.cuts(address, len(data))):
                self._write(address + start, data[start:end])
        pc, registers = mac.engine.index["pc"], mac.engine.registers
        for number, value in call.registers.items():
            if number == self._pointer:
                registers[number] = (registers[number] + value) & 0xFFFFFFFF
            elif number != pc:
                registers[number] = value
        if call.goes_to:
            mac.host.return_address = call.goes_to
        return call.result

    def _write(self, address: int, data: bytes) -> None:
        """Write what a call wrote at a recorded address to where that is now."""
        place = self._locals.target(address)
        if place is not None and self._mac.engine.memory.find(place) is not None:
            self._put(place, data)  # else it is the frame of what the Toolbox called back

    def _put(self, place: int, data: bytes) -> None:
        engine = self._mac.engine
        engine.memory.write(place, data)
        pages = range(place & -PAGE, place + len(data), PAGE)
        self.pages.update(pages)
        if any(map(engine.pages.has_code, pages)):
            engine.forget_code(place, len(data))


def _bytes_at(memory: GuestMemory, address: int, size: int) -> bytes:
    """Bytes of memory; none where there is no memory."""
    region = memory.find(address)
    if region is None or address + size > region.end:
        return b""
    return memory.view(address, size).tobytes()


def _needs_no_manager(name: str) -> bool:
    """Whether a routine only computes, or accesses the system's globals."""
    return name in _PURE or low_memory.is_access(name) or low_memory.is_read(name)


def described(call: ToolboxAnswer) -> str:
    """A recorded call in words."""
    return call_words(call.name, call.arguments)


def call_words(name: str, arguments: Sequence[Any]) -> str:
    """A call of the Toolbox in words."""
    return f"{name} ({', '.join(map(_word, arguments))})"


def _word(value: Any) -> str:
    is_wide = isinstance(value, int) and abs(value) > 0xFFFF
    return f"0x{value & 0xFFFFFFFF:x}" if is_wide else str(value)


def _bytes(data: bytes, at: int) -> str:
    return data[at : at + 8].hex(" ")
