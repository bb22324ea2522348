"""What pytest shows of a case that is not verified: its whole story once, and one line of it.

pytest prints the representation of a failure where it tells of the failure. Its short summary has
a line for each failed test, for which it takes ``reprcrash.message`` of that representation; JUnit
and the services of continuous integration take the same. A representation that is only a text has
none, so that the whole text would be printed twice.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Protocol


class Lines(Protocol):
    """Where pytest prints: its ``TerminalWriter``."""

    def line(self, text: str) -> None:
        """Print a line."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Where a test failed, and why in one line."""

    path: str
    lineno: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}: {self.message}"


@dataclass(frozen=True, slots=True)
class Story:
    """The representation of a failure.

    Attributes:
        text: the whole message.
        reprcrash: the line of it that pytest's summary shows.
    """

    text: str
    reprcrash: Crash

    def __str__(self) -> str:
        return self.text

    @property
    def macproof_crash(self) -> tuple[str, int, str]:
        """The parts of ``reprcrash``, which xdist can send to another process."""
        return astuple(self.reprcrash)

    def toterminal(self, lines: Lines) -> None:
        """Print the whole message."""
        lines.line(self.text)
