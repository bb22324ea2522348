"""The film of a run: after each step of the user, what the screen shows and what has happened."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from emu.base.errors import MacproofError
from emu.toolbox.macintosh import Macintosh

MOST_SCENES = 500
MOST_PICTURE_BYTES = 8 << 20
"""All pictures together, so that a page stays one that a browser opens at once."""


class Performer(Protocol):
    """A user whose steps can be told."""

    @property
    def steps_begun(self) -> int:
        """How many steps have begun."""

    def act(self) -> bool:
        """Do something, or nothing."""

    def words(self, number: int) -> str:
        """A step as a line of a script; counted from 0."""


@dataclass(frozen=True, slots=True)
class FilmScene:
    """A step of the user, and what came of it until the next one.

    Attributes:
        step: its number, from 1; 0 for what came before the first.
        words: the step as a line of a script; "" for what came before the first.
        done: whether it could be done; the last one of a script may not be.
        microseconds: the program's time at the end of it.
        calls: how often each routine of the Toolbox was called meanwhile.
        findings: the numbers of the run's findings, from 0, that came meanwhile.
        picture: the screen at the end of it, as PNG; b"" if it had not changed, or if there are too
            many pictures.
    """

    step: int
    words: str
    done: bool
    microseconds: int
    calls: Mapping[str, int]
    findings: tuple[int, ...]
    picture: bytes = field(repr=False)


class FilmingUser:
    """Takes a picture whenever the next step is done, and lets another user act.

    Args:
        mac: the Macintosh.
        user: the one who acts.

    Attributes:
        scenes: the film so far.
        left_out: how many steps are not in it, because there are too many.
    """

    def __init__(self, mac: Macintosh, user: Performer) -> None:
        self._mac = mac
        self._user = user
        self._open: tuple[int, str, bool] = 0, "", True
        self._seen = 0
        self._calls: Counter[str] = Counter()
        self._findings = 0
        self._last = b""
        self._bytes = 0
        self.scenes: list[FilmScene] = []
        self.left_out = 0

    def act(self) -> bool:
        """Let the other user act; if that is a new step, the screen is what the last one led to."""
        active = self._user.act()
        self._begin_scenes()
        return active

    def take_file(self) -> str | None:
        """The other user's answer to a file dialog."""
        take_file = getattr(self._user, "take_file", None)
        answer: str | None = take_file() if take_file is not None else None
        self._begin_scenes()
        return answer

    def has_other_step(self) -> bool:
        """Whether the other user does something before a file dialog is answered."""
        has_other_step = getattr(self._user, "has_other_step", None)
        return has_other_step is not None and has_other_step()

    def finish(self, *, undone: int | None) -> None:
        """End the last scene, when the run is over.

        Args:
            undone: the number of the step, from 0, that could not be done; None for none.
        """
        self._begin_scenes()
        if undone is not None and undone < self._seen:  # it had begun
            self._open = *self._open[:2], False
        elif undone is not None:
            self._begin(undone, done=False)
        self._end_scene()

    def _begin_scenes(self) -> None:
        for number in range(self._seen, self._user.steps_begun):
            self._begin(number, done=True)
        self._seen = self._user.steps_begun

    def _begin(self, number: int, *, done: bool) -> None:
        self._end_scene()
        self._open = number + 1, self._user.words(number), done

    def _end_scene(self) -> None:
        if len(self.scenes) >= MOST_SCENES:
            self.left_out += 1
            return
        step, words, done = self._open
        calls, findings = self._mac.calls, len(self._mac.outputs.findings)
        self.scenes.append(
            FilmScene(
                step=step,
                words=words,
                done=done,
                microseconds=self._mac.clock.approximate(),
                calls=dict(calls - self._calls),
                findings=tuple(range(self._findings, findings)),
                picture=self._picture(),
            )
        )
        self._calls, self._findings = Counter(calls), findings

    def _picture(self) -> bytes:
        """The screen, if it is not as it was and there is room for it."""
        png = b""
        with contextlib.suppress(MacproofError):
            png = self._mac.windows.screen_picture()
        if png == self._last or self._bytes + len(png) > MOST_PICTURE_BYTES:
            return b""
        self._last = png
        self._bytes += len(png)
        return png
