"""Compares the Toolbox calls of a run with those of another, one by one, while it runs."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from emu.base.errors import MacproofError
from emu.port.original.session import Session
from emu.port.recording.toolbox_calls import is_arithmetic
from emu.toolbox.calls.call_log import CallLog
from emu.toolbox.computer.declaration import Routine
from emu.toolbox.guest.guest_types import ToolboxType
from emu.toolbox.guest.layout import GRAFTS
from emu.toolbox.macintosh import Call, Perform

UNCOMPARED = ("LoadSeg", "UnloadSeg", "HiWord", "LoWord")
"""Calls that are left out: new functions call each other without the Segment Loader, and headers
have the last two as expressions. Routines that are no traps are left out on the 68K, too: an old
program has them in itself."""

_LOCAL, _CONSTANT = "a local", "a constant"
_OF_PROGRAM = r"(?:A5-|CODE -?\d+\+|section \d+\+)0x[0-9a-f]+"


class OtherCallError(MacproofError):
    """The run that is compared has made another call than the first one."""


@dataclass(frozen=True, slots=True)
class CallTexts:
    """A call of the Toolbox as text.

    Attributes:
        given: the routine and its arguments.
        whole: the same with the result and with what it has put into variables; "" if the call did
            not come to its end.
    """

    given: str
    whole: str = ""


@dataclass(frozen=True, slots=True)
class OtherCall:
    """The first call that differs.

    Attributes:
        number: its number, from 1.
        text: the call; "" if there is none.
        original: the call of the original; "" if there is none.
        caller: the function that makes it; "" if that is not known.
    """

    number: int
    text: str
    original: str
    caller: str = ""

    def __str__(self) -> str:
        by = f", called by {self.caller}" if self.caller else ""
        if not self.text:
            return f"Toolbox call {self.number}, {self.original}, is not made"
        if not self.original:
            return f"Toolbox call {self.number} is {self.text}{by}; the original makes no more"
        original = f"it is {self.original} in the original"
        return f"Toolbox call {self.number} is {self.text}{by}; {original}"


_OF_FRAMES = frozenset({"StackSpace"})
"""Routines whose results depend on the frames of their callers, which a compiler chooses."""


class PlacedCallLog(CallLog):
    """A log in which addresses are as they are, but for those that only one function knows.

    The stack and the constants of a new function lie elsewhere than those of the old one. All else
    has the same address in both.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session.mac.guest, session.mac.is_plumbing)
        self._session = session
        self._stack = range(session.mac.layout.stack, session.mac.layout.stack_top)

    def as_text(self, kind: ToolboxType, value: Any) -> str:  # noqa: D102
        text = super().as_text(kind, value)
        is_plain = isinstance(value, int) and not isinstance(value, bool) and text == str(value)
        return self._address(value) if is_plain and self._is_own(value) else text

    def numbered(self, kind: str, address: int) -> str:  # noqa: D102
        return "nil" if address == 0 else self._address(address)

    def _is_own(self, address: int) -> bool:
        return address in self._stack or GRAFTS.address <= address < GRAFTS.end

    def _address(self, address: int) -> str:
        if address in self._stack:
            return _LOCAL
        if GRAFTS.address <= address < GRAFTS.end:
            return _CONSTANT
        return self._session.place_of(address) or f"0x{address:x}"


class CallComparison:
    """Keeps the Toolbox calls of a run, and ends it at the first one that is not as expected.

    Args:
        session: the program, which has not run.
        expected: the calls of the other run; None if this is the first.
        caller: tells the function that makes the call which is under way.

    Attributes:
        calls: the calls so far.
        difference: the call that is another one, or None.
        seconds: the processor time that all this took.
    """

    def __init__(
        self,
        session: Session,
        expected: Sequence[CallTexts] | None,
        caller: Callable[[], str],
    ) -> None:
        self._log, self._guest = PlacedCallLog(session), session.mac.guest
        self._expected, self._caller = expected, caller
        self.calls: list[CallTexts] = []
        self.difference: OtherCall | None = None
        self.seconds = 0.0
        self._has_traps = session.mac.cpu.architecture == "m68k"
        session.mac.interpose(self._conduct)

    def _conduct(self, perform: Perform, call: Call) -> Any:
        routine, _, arguments, _ = call
        is_no_call = is_arithmetic(routine) or (routine.trap is None and self._has_traps)
        if is_no_call or routine.name in UNCOMPARED:
            return perform(*call)
        began = time.process_time()
        entry = self._log.begin(routine, arguments)
        number = len(self.calls)
        texts = entry.arguments
        entry.arguments = _without_unread(routine, arguments, texts, ())
        given = str(entry)
        self.calls.append(CallTexts(given))
        self._compare(number)
        self.seconds += time.process_time() - began
        try:
            with self._guest.noting() as noted:
                result = perform(*call)
        finally:
            self._log.end(entry)
        began = time.process_time()
        read = {address for address, _ in noted.reads}
        entry.arguments = _without_unread(routine, arguments, texts, read)
        self._log.finish(entry, result)
        self.calls[number] = compared_texts(routine.name, given, str(entry))
        self._compare(number)
        self.seconds += time.process_time() - began
        return result

    def _compare(self, number: int) -> None:
        if self._expected is None:
            return
        call = self.calls[number]
        other = self._expected[number] if number < len(self._expected) else CallTexts("")
        text, original = (call.whole, other.whole) if call.whole else (call.given, other.given)
        if not is_same(original, text):
            self.difference = OtherCall(number + 1, text, original, self._caller())
            raise OtherCallError(str(self.difference))

    def absent_calls(self) -> OtherCall | None:
        """The first call that the run should have made and has not."""
        if self._expected is None or len(self.calls) >= len(self._expected):
            return None
        return OtherCall(len(self.calls) + 1, "", self._expected[len(self.calls)].given)


def _without_unread(
    routine: Routine, arguments: Sequence[Any], texts: Sequence[str], read: Collection[int]
) -> tuple[str, ...]:
    """The texts of arguments, without the contents of what the routine has not read.

    A routine that only writes there may be given anything.
    """
    pairs = zip(routine.parameters, arguments, strict=True)
    given = ((p.type, value) for p, value in pairs if not p.type.name.startswith("VAR "))
    return tuple(
        text if not kind.refers_to or value in read else "..."
        for (kind, value), text in zip(given, texts, strict=True)
    )


def compared_texts(name: str, given: str, whole: str) -> CallTexts:
    """What of a call of a routine is compared, when it has come back."""
    return CallTexts(given, "" if name in _OF_FRAMES else whole)


def is_same(original: str, text: str) -> bool:
    """Whether two calls are the same; a constant of new code stands for one of the old program."""
    if original == text:
        return True
    if _CONSTANT not in text:
        return False
    pattern = re.escape(text).replace(re.escape(_CONSTANT), _OF_PROGRAM)
    return re.fullmatch(pattern, original) is not None
