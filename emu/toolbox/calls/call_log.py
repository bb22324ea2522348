"""The log of Toolbox calls: routines, arguments and results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from emu.base.errors import GuestError
from emu.base.printable import one_line
from emu.toolbox.computer.declaration import Routine
from emu.toolbox.guest.guest_access import BadAddressError, GuestAccess
from emu.toolbox.guest.guest_types import Point, ToolboxType
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import EventRecord

MOST_CALLS = 1_000_000
"""The most calls that a log keeps; each takes half a kilobyte of memory."""


class LogFullError(GuestError):
    """The program makes more calls than a log keeps."""


@dataclass(slots=True)
class ToolboxCall:
    """One call.

    Attributes:
        routine: the routine that was called.
        arguments: the arguments as text, as they were before the call.
        result: the result as text; "" for a procedure.
        outputs: name and value of each VAR parameter after the call, as text; none if the call
            failed, since such a variable may hold what it held before.
        depth: how many callbacks were active when it was made.
    """

    routine: Routine
    arguments: tuple[str, ...]
    depth: int
    result: str = ""
    outputs: tuple[tuple[str, str], ...] = ()
    values: Sequence[Any] = field(default=(), repr=False)

    def __str__(self) -> str:
        text = "  " * self.depth + f"{self.routine.name} ({', '.join(self.arguments)})"
        # A value that one processor returns in a register may be a variable on the other.
        if len(self.outputs) == 1 and not self.result:
            return f"{text} = {self.outputs[0][1]}"
        given = [self.result] if self.result else []
        given += [f"{name} {value}" for name, value in self.outputs]
        return f"{text} = {', '.join(given)}" if given else text


class CallLog:
    """Records calls as text that does not depend on addresses.

    The address of a window, handle or the like is written as a number: the first window in the log
    is 1, the next one 2, and so on for each type. So the logs of two processors can be compared.

    Args:
        guest: guest memory.
        is_plumbing: a function that tells whether compilers' libraries call a routine for
            themselves.
        last: how many calls are kept at least, the last ones; None for all, up to `MOST_CALLS`.
    """

    def __init__(
        self, guest: GuestAccess, is_plumbing: Callable[[str], bool], last: int | None = None
    ) -> None:
        self.calls: list[ToolboxCall] = []
        self._last = last
        self._is_plumbing = is_plumbing
        self._plumbing = False
        self._guest = guest
        self._depth = 0
        self._numbers: dict[tuple[str, bool], dict[int, int]] = {}

    def begin(self, routine: Routine, arguments: Sequence[Any]) -> ToolboxCall:
        """Record a call before it is answered."""
        if self._last is not None:
            if len(self.calls) >= 2 * self._last:
                del self.calls[: -self._last]
        elif len(self.calls) >= MOST_CALLS:
            raise LogFullError(
                f"the program has made {MOST_CALLS:,} calls, and a log keeps no more; run it "
                "without a log, or with a script that ends it earlier"
            )
        self._plumbing = self._is_plumbing(routine.name)
        shown = tuple(
            self.as_text(p.type, value)
            for p, value in zip(routine.parameters, arguments, strict=True)
            if not p.type.name.startswith("VAR ")  # it may never have been set
        )
        call = ToolboxCall(routine, shown, self._depth, values=tuple(arguments))
        self.calls.append(call)
        self._depth += 1
        return call

    def end(self, call: ToolboxCall) -> None:
        """Record that a call is over, whether it succeeded or not."""
        self._depth = call.depth

    def finish(self, call: ToolboxCall, result: Any) -> None:
        """Record a call's result."""
        routine = call.routine
        self._plumbing = self._is_plumbing(routine.name)
        if routine.result is not None:
            call.result = self.as_text(routine.result, result)
        if not _has_failed(routine, result):
            call.outputs = tuple(
                (p.name, self.as_text(p.type, value))
                for p, value in zip(routine.parameters, call.values, strict=True)
                if p.type.name.startswith("VAR ")
            )
        call.values = ()

    def as_text(self, kind: ToolboxType, value: Any) -> str:
        """A value as text for a reader."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, Point):
            return f"({value.h},{value.v})"
        if isinstance(value, str):
            return f"'{one_line(value)}'"
        if kind.refers_to:
            return self._referred(kind.refers_to, value)
        if kind.name in _NAMED:
            return self.numbered(kind.name, value)
        return str(value)

    def numbered(self, kind: str, address: int) -> str:
        """The address of something of a kind as text: "port 2"."""
        if address == 0:
            return "nil"
        if address == 0xFFFFFFFF:
            return "-1"
        family = _NAMED[kind]
        # Calls that libraries make for themselves must not use up numbers of the program's objects.
        numbers = self._numbers.setdefault((family, self._plumbing), {})
        return f"{family} {numbers.setdefault(address, len(numbers) + 1)}"

    def _referred(self, kind: str, address: int) -> str:
        if address == 0:
            return "nil"
        guest = self._guest
        try:
            if kind == "Rect":
                top, left, bottom, right = guest.rect(address)
                return f"[{left},{top} {right},{bottom}]"
            if kind.startswith("Str"):
                return '"' + one_line(guest.pascal_string(address).decode("mac_roman")) + '"'
            if kind == "Point":
                point = guest.point(address)
                return f"({point.h},{point.v})"
            if kind == "Pattern":
                return guest.read(address, 8).hex()
            if kind in ("INTEGER", "OSErr"):
                return str(guest.i16(address))
            if kind in ("LONGINT", "Size", "Fixed"):
                return str(guest.i32(address))
            if kind == "EventRecord":
                return _event(guest, address)
            if kind in _NAMED:
                return self.numbered(kind, guest.u32(address))
        except BadAddressError:
            return f"bad address 0x{address:08x}"
        return "..."


def _has_failed(routine: Routine, result: Any) -> bool:
    """Whether a result is an error code: not 0 in an OSErr, or negative in place of a length."""
    if routine.result is None or not isinstance(result, int):
        return False
    if result == ResultCode.eofErr:  # it has done something: it has read the bytes there were
        return False
    kind = routine.result.name
    return result != 0 if kind == "OSErr" else result < 0 and kind in ("INTEGER", "LONGINT")


_NAMED = {
    "GrafPtr": "port",
    "WindowPtr": "port",
    "DialogPtr": "port",
    "ControlHandle": "control",
    "MenuHandle": "menu",
    "RgnHandle": "region",
    "PicHandle": "picture",
    "PolyHandle": "polygon",
    "TEHandle": "text",
    "ListHandle": "list",
    "Handle": "handle",
    "Ptr": "pointer",
    "ProcPtr": "procedure",
    "StringPtr": "string",
    "TextBytes": "text bytes",
    "ParmBlkPtr": "parameter block",
}

_EVENTS = {
    0: "null",
    1: "mouseDown",
    2: "mouseUp",
    3: "keyDown",
    4: "keyUp",
    5: "autoKey",
    6: "update",
    7: "diskInsert",
    8: "activate",
    15: "osEvent",
}


def _event(guest: GuestAccess, address: int) -> str:
    event = EventRecord(guest, address)
    name = _EVENTS.get(event.what, str(event.what))
    where, message = event.where, event.message
    if name in ("keyDown", "keyUp", "autoKey"):
        return f"{name} 0x{message & 0xFF:02x}"
    return f"{name} at ({where.h},{where.v})" if name.startswith("mouse") else name
