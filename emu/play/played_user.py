"""The user of a program that is played: a person's inputs, or a recording of them repeated."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.inputs import (
    FileDrop,
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MouseRelease,
    Observation,
    RecordedInput,
    UserInput,
)

_MOST_WAITING = 10_000
"""Inputs that a program which does not look for events may let wait; a person makes ten a second,
and a page that floods its server loses what is over."""


class PlayedUser:
    """Gives a program what a person does, a little each time that it looks for an event.

    Args:
        mac: the Macintosh.
        on_look: called at each look, before any input of it is applied.
        on_applied: called with each input of the person after it was applied, and with why it could
            not be done, or "".
        on_input: called with each input before it is applied, also when it is repeated.

    Attributes:
        looks: how often the program has looked for an event in vain.
        last: the last look that was played; up to there the recording is repeated.
        applied: how many inputs of the recording were applied.
    """

    def __init__(
        self,
        mac: Macintosh,
        on_look: Callable[[], None],
        on_applied: Callable[[RecordedInput, str], None],
        on_input: Callable[[UserInput], None] = lambda given: None,
    ) -> None:
        self._mac = mac
        self._on_look, self._on_input, self._on_applied = on_look, on_input, on_applied
        self._recording: deque[RecordedInput] = deque()
        self._given: deque[UserInput] = deque()
        self._keys: dict[str, None] = {}
        self._modifiers: tuple[str, ...] = ()
        self.looks = self.last = self.applied = 0
        self._is_at_look = False

    @property
    def is_repeating(self) -> bool:
        """Whether what happens now has happened before."""
        return bool(self._recording) or self.looks < self.last

    @property
    def has_waiting(self) -> bool:
        """Whether something that the person has done is left for later looks."""
        return bool(self._given)

    def repeat(self, recording: Iterable[RecordedInput], last: int) -> None:
        """Apply these inputs at their looks, and let the person act after a look only."""
        self._recording.extend(recording)
        self.last = max(self.last, last)
        self._given.clear()

    def fork(self) -> None:
        """Forget what is left of the recording: the person goes on from here."""
        self._recording.clear()
        self._given.clear()
        self.last = self.looks

    def let_go(self) -> None:
        """Let go what the recording holds down now: the person at the page does not hold it."""
        if self._mac.events.mouse_is_down():
            self._given.append(MouseRelease(self._mac.events.mouse))
        self._given.extend(KeyRelease(key) for key in self._keys)
        if self._modifiers:
            self._given.append(HeldModifiers(()))

    def give(self, given: UserInput) -> bool:
        """Take something that the person does; whether the program should look at once."""
        if self.is_repeating or len(self._given) >= _MOST_WAITING:
            return False
        self._given.append(given)
        return not isinstance(given, MouseMove)

    def observe(self, observation: Observation) -> RecordedInput:
        """Count something that the person observes where the program stands: before the next look.

        It belongs to this look if the program stands at one, and its inputs are still to come.
        """
        self.applied += 1
        return RecordedInput(self.looks + (not self._is_at_look), observation)

    def act(self) -> bool:
        """Do what is due at this look; there is always more to come."""
        self.looks += 1
        self._is_at_look = True
        self._on_look()
        self._is_at_look = False
        while self._recording and self._recording[0].look <= self.looks:
            self._apply(self._recording.popleft().input)
        if not self.is_repeating:
            self.last = self.looks
            for given in self._due():
                problem = self._apply(given)
                self._on_applied(RecordedInput(self.looks, given), problem)
        return True

    def _apply(self, given: UserInput) -> str:
        """Do an input; why it cannot be done, or ""."""
        self._on_input(given)
        self.applied += 1
        if isinstance(given, FileDrop):
            return given.put(self._mac)
        given.apply(self._mac)
        match given:
            case KeyPress(key):
                self._keys[key] = None
            case KeyRelease(key):
                self._keys.pop(key, None)
            case HeldModifiers(names):
                self._modifiers = names
        return ""

    def _due(self) -> list[UserInput]:
        """What one look may bring: the mouse where it is by now, and a press, a release or a key.

        A program sees each press and each release of a button or key for a while, as on a Mac.
        """
        due: list[UserInput] = []
        while self._given:
            given = self._given.popleft()
            if isinstance(given, MouseMove):
                if due and isinstance(due[-1], MouseMove):
                    due.pop()
                due.append(given)
                continue
            due.append(given)
            if not isinstance(given, (HeldModifiers, FileDrop, Observation)):
                break
        return due
