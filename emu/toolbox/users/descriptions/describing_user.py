"""A user who writes down what could be done whenever the program only waits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from emu.base.errors import GuestError
from emu.toolbox.managers.events.user import User
from emu.toolbox.managers.file_dialogs.file_list import FileWish
from emu.toolbox.users.descriptions.file_wishes import file_dialog_words, file_steps
from emu.toolbox.users.patient_user import PATIENCE
from emu.toolbox.users.situation import Situation, look_at

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_MOST = 100
"""The most descriptions of one run."""


class DescribingUser:
    """Describes what a user could do, and lets another user act.

    Args:
        mac: the Macintosh.
        user: the one who acts.

    Attributes:
        descriptions: what could be done at each point, as YAML for the ``steps`` of a script, with
            a comment before it that says when and what is in front.
    """

    def __init__(self, mac: Macintosh, user: User) -> None:
        self._mac = mac
        self._user = user
        self._last: Situation | None = None
        self.descriptions: list[str] = []
        mac.standard_file.on_wish = self._describe_files

    def act(self) -> bool:
        """Describe the situation if the program only waits, and let the other user act."""
        events = self._mac.events
        waits = events.looks_in_vain == PATIENCE or events.null_events % 100 == 99
        if waits and not events.mouse_is_down():
            self.describe()
        return self._user.act()

    def take_file(self) -> str | None:
        """The other user's answer to a file dialog."""
        take_file = getattr(self._user, "take_file", None)
        answer: str | None = take_file() if take_file is not None else None
        return answer

    def has_other_step(self) -> bool:
        """Whether the other user does something before a file dialog is answered."""
        has_other_step = getattr(self._user, "has_other_step", None)
        return has_other_step is not None and has_other_step()

    def describe(self) -> None:
        """Describe the situation, if it is not the one that was described last."""
        try:
            seen = look_at(self._mac)
        except GuestError:
            return  # the program has damaged what there was to describe
        if seen == self._last or len(self.descriptions) >= _MOST:
            return
        self._last = seen
        windows = ", ".join(map(repr, seen.windows)) or "none"
        self._add(f"windows from the front: {windows}", seen.steps())

    def _describe_files(self, wish: FileWish) -> None:
        if len(self.descriptions) < _MOST:
            self._last = None
            self._add(file_dialog_words(self._mac, wish), file_steps(self._mac, wish))

    def _add(self, what: str, steps: Iterable[str]) -> None:
        seconds = self._mac.clock.approximate() / 1e6
        self.descriptions.append("\n".join([f"  # after {seconds:.2f} s, {what}", *steps]))
