"""What a session has done by a look for an event, as digests that its replay compares with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from emu.quickdraw.color_space import IndexedColorSpace
from emu.toolbox.calls.call_log import CallLog, ToolboxCall

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Call, Macintosh, Perform

BETWEEN_CHECKPOINTS = 1_000_000
"""Microseconds of the program's time: an hour has 400 KB of checkpoints, and they cost 0.1%."""

_DIGEST_SIZE = 8
"""Bytes: a chance, not somebody who forges a recording, has to be told from the same."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a session has done by a look, before any input of this look.

    Attributes:
        look: its number, from 1; that after the last one if the program has ended by itself.
        calls: how many calls of the Toolbox were over.
        log: a digest of their lines in the log, in the order in which the calls ended.
        screen: a digest of the screen's pixels and colours; "" if it was not taken.
        files: a digest of the files that the program made or changed; "" if it was not taken.
    """

    look: int
    calls: int
    log: str
    screen: str = ""
    files: str = ""


class SessionDigest:
    """Sums up the calls of a Macintosh as they end.

    Args:
        mac: the Macintosh; its program has not begun yet.
    """

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        # A log of its own: one that is shown may be turned off, and numbers objects otherwise then.
        self._log = CallLog(mac.guest, mac.is_plumbing, last=1)
        self._lines = hashlib.blake2b(digest_size=_DIGEST_SIZE)
        self._calls = 0
        mac.interpose(self._conduct)

    def _conduct(self, perform: Perform, call: Call) -> Any:
        routine, _, arguments, _ = call
        entry = self._log.begin(routine, arguments)
        try:
            result = perform(*call)
        finally:
            self._log.end(entry)
        self._log.finish(entry, result)
        self._add(entry)
        return result

    def _add(self, call: ToolboxCall) -> None:
        self._calls += 1
        self._lines.update(f"{call}\n".encode("utf-8", "backslashreplace"))

    def calls_by(self, look: int) -> Checkpoint:
        """What is known at any time: the calls. It takes some microseconds."""
        return Checkpoint(look, self._calls, self._lines.hexdigest())

    def all_by(self, look: int) -> Checkpoint:
        """The screen and the files too, which takes a millisecond at 640x480."""
        return Checkpoint(
            look, self._calls, self._lines.hexdigest(), self._screen_digest(), self._file_digest()
        )

    def _screen_digest(self) -> str:
        screen = self._mac.quickdraw.display
        digest = hashlib.blake2b(screen.grid.tobytes(), digest_size=_DIGEST_SIZE)
        if isinstance(screen.space, IndexedColorSpace):
            digest.update(screen.space.palette.tobytes())
        return digest.hexdigest()

    def _file_digest(self) -> str:
        digest = hashlib.blake2b(digest_size=_DIGEST_SIZE)
        for path, data in self._mac.files.changed_files().items():
            for part in (path.encode(), data):
                digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class ReplayProof:
    """How much of a session a replay was compared with, all of it equal.

    Attributes:
        calls: Toolbox calls whose lines in the log are the session's.
        of_calls: how many the session's recording knows.
        screens: how often the whole screen was compared, and the files that the program made or
            changed.
    """

    calls: int
    of_calls: int
    screens: int

    def __str__(self) -> str:
        looks = f"{self.screens:,} look{'' if self.screens == 1 else 's'}"
        return (
            f"equal to the session: {self.calls:,} of {self.of_calls:,} Toolbox calls, the screen "
            f"and the files at {looks}"
        )


class SessionComparison:
    """Compares a replay with its session, checkpoint by checkpoint.

    Args:
        mac: the Macintosh of the replay; its program has not begun yet.
        checkpoints: those of the session.

    Attributes:
        difference: the first one as words; "" if there is none.
    """

    def __init__(self, mac: Macintosh, checkpoints: Sequence[Checkpoint]) -> None:
        self._digest = SessionDigest(mac)
        self._checkpoints = checkpoints
        self._next = 0
        self.difference = ""

    @property
    def proof(self) -> ReplayProof:
        """How much has been compared so far."""
        done = self._checkpoints[: self._next]
        return ReplayProof(
            max((each.calls for each in done), default=0),
            max(each.calls for each in self._checkpoints),
            sum(each.screen != "" for each in done),
        )

    def end(self, look: int) -> bool:
        """Compare when the program has ended by itself; whether everything is equal.

        Args:
            look: the number after that of its last look.
        """
        if not self.compare(look):
            return False
        if self._next < len(self._checkpoints):
            wanted = self._checkpoints[self._next].look
            self.difference = f"it ended after look {look - 1:,}, and was at look {wanted:,} then"
        return not self.difference

    def compare(self, look: int) -> bool:
        """Compare at a look, before its inputs; whether everything is equal so far."""
        if self._next == len(self._checkpoints) or self._checkpoints[self._next].look != look:
            return True
        wanted = self._checkpoints[self._next]
        found = self._digest.all_by(look) if wanted.screen else self._digest.calls_by(look)
        what = [
            name
            for name, mine, other in (
                ("Toolbox calls", (found.calls, found.log), (wanted.calls, wanted.log)),
                ("screen", found.screen, wanted.screen),
                ("files", found.files, wanted.files),
            )
            if mine != other
        ]
        if not what:
            self._next += 1
            return True
        self.difference = self._words(found, wanted, what)
        return False

    def _words(self, found: Checkpoint, wanted: Checkpoint, what: Sequence[str]) -> str:
        before = self._checkpoints[self._next - 1] if self._next else Checkpoint(0, 0, "")
        return (
            f"{' and '.join(what)} differ between looks {before.look:,} and {wanted.look:,}: "
            f"{found.calls - before.calls:,} Toolbox calls were made there, and "
            f"{wanted.calls - before.calls:,} then"
        )
