"""The calls of a program as they are made: the last of them, and a digest of all."""

from __future__ import annotations

import hashlib
from collections import deque

from emu.play.messages import CallLines, CallsOrder, CallSum
from emu.toolbox.calls.call_log import CallLog, ToolboxCall
from emu.toolbox.macintosh import Macintosh

_MOST_LINES = 200
"""Lines that are kept from one message to the next; a program makes thousands a second."""


class CallsFeed:
    """Takes calls out of the log of a Macintosh.

    Args:
        mac: the Macintosh.
        sums: whether a digest of all calls is wanted, to compare two programs.
    """

    def __init__(self, mac: Macintosh, *, sums: bool) -> None:
        self._mac = mac
        self._sums = sums
        self._wanted = CallsOrder(False)
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)
        self._all = 0
        self._latest: deque[str] = deque(maxlen=_MOST_LINES)
        self._digest = hashlib.sha256()
        self._count = 0
        self._switch()

    def set(self, wanted: CallsOrder) -> None:
        """Choose what is shown from now on."""
        self._wanted = wanted
        self._lines.clear()
        self._all = 0
        self._switch()

    def _switch(self) -> None:
        """Log calls only if somebody looks at them: that takes a third of a call's time."""
        if not (self._wanted.on or self._sums):
            self._mac.log = None
        elif self._mac.log is None:
            self._mac.log = CallLog(self._mac.guest, self._mac.is_plumbing)

    def take(self) -> None:
        """Take the calls that are over out of the log."""
        log = self._mac.log
        if log is None or not log.calls:
            return
        # The last may be under way, and its result is what matters. Of those around it, which
        # have called the program back, the beginning is shown.
        calls, log.calls[:] = log.calls[:-1], log.calls[-1:]
        for call in calls:
            self._note(call)

    def _note(self, call: ToolboxCall) -> None:
        name, text = call.routine.name, str(call)
        if self._wanted.on and self._wanted.part.casefold() in name.casefold():
            self._all += 1
            self._lines.append(text)
        if self._sums and not self._mac.is_plumbing(name):
            self._count += 1
            self._digest.update(text.encode("utf-8", "backslashreplace") + b"\n")
            self._latest.append(text)

    def new_lines(self) -> CallLines | None:
        """The lines since the last message; None if there are none."""
        self.take()
        if not self._lines:
            return None
        seen = CallLines(tuple(self._lines), self._all - len(self._lines))
        self._lines.clear()
        self._all = 0
        return seen

    def summed(self, look: int) -> CallSum:
        """All calls up to a look."""
        self.take()
        return CallSum(look, self._count, self._digest.hexdigest(), tuple(self._latest))
