"""Makes a script of what a person does: steps by what they mean, and the exact inputs beside them.

Whoever passes inputs on to a program tells the recorder of each look for an event and of each input
before it is applied. What an input means is known from what lies under the mouse, and from what the
Toolbox makes of it: the menu item that MenuSelect gives, the item that ModalDialog does.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any

from emu.base.errors import GuestError
from emu.toolbox.computer.clock import TICKS_A_SECOND
from emu.toolbox.computer.outputs import ScreenPicture
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Call, Macintosh, Perform
from emu.toolbox.system_file.keyboard import NAMED, key_message
from emu.toolbox.users.checkpoints import BETWEEN_CHECKPOINTS, Checkpoint, SessionDigest
from emu.toolbox.users.events_file import Recording
from emu.toolbox.users.gesture import Gesture
from emu.toolbox.users.inputs import (
    KeyPress,
    MouseMove,
    MousePress,
    MouseRelease,
    Observation,
    PictureObservation,
    RecordedInput,
    TextObservation,
    UserInput,
)
from emu.toolbox.users.onlooker import front_picture
from emu.toolbox.users.press_meanings import meaning_of, menu_step
from emu.toolbox.users.press_target import target_of
from emu.toolbox.users.saved_script import RecordedStep, SavedScript, save_script

_AT_WORK = 500_000
"""Microseconds. A program that was at work for longer needed time before the next step."""

_CHANGING_TEXT = ("shift", "capslock")
"""Modifier keys that only choose the character."""


@dataclass(slots=True)
class _Entry:
    """A step, or what will be one when it is known what became of it."""

    look: int
    step: dict[str, Any] = field(default_factory=dict)
    gesture: Gesture | None = None
    comment: str = ""

    def as_step(self) -> dict[str, Any]:
        return self.step if self.gesture is None else self.gesture.as_step()


class ScriptRecorder:
    """Hears what a person does with a Macintosh.

    Args:
        mac: the Macintosh; the program has not begun yet.

    Attributes:
        events: the inputs, with the look at which each came.
        calls: how many calls of the Toolbox had been made before the last of them.
        pictures: pictures that the program's windows are to be compared with.
        changes: how often something was heard that may be, or may change, a step.
    """

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self.events: list[RecordedInput] = []
        self.calls = self.changes = 0
        self.pictures: list[ScreenPicture] = []
        self._entries: list[_Entry] = []
        self._unanswered: list[Gesture] = []
        self._gesture: Gesture | None = None
        self._command_keys: list[_Entry] = []
        self._digest = SessionDigest(mac)
        self._checkpoints: list[Checkpoint] = []
        self._next_checkpoint = 0  # at the first look
        self._latest_calls: Checkpoint | None = None
        self._look = 0
        self._acted = self._worked = 0
        self._front: str | None = None
        mac.interpose(self._conduct)
        mac.standard_file.on_choice = self.answer_file

    # -- what is heard -----------------------------------------------------------------------------

    def look(self) -> None:
        """The program looks for an event in vain once more; called before anything is done."""
        self._look += 1
        self._latest_calls = self._digest.calls_by(self._look)
        now = self._mac.clock.approximate()
        if now >= self._next_checkpoint:
            self._next_checkpoint = now + BETWEEN_CHECKPOINTS
            self._checkpoints.append(self._digest.all_by(self._look))
        if self._mac.events.looks_in_vain <= 1:
            self._worked = self._mac.clock.approximate()

    def hear(self, heard: UserInput) -> None:
        """An input is about to be applied, at this look."""
        match heard:
            case TextObservation() | PictureObservation():
                self.observe(heard, self._look)
                return
        self._keep(heard)
        if self._is_choosing_file and not isinstance(heard, MouseRelease):
            return  # all that is one step: the file
        self.changes += not isinstance(heard, MouseMove)
        match heard:
            case MousePress(place, modifiers):
                self._add_waits()
                now = self._mac.clock.approximate()
                target = target_of(self._mac, place)
                self._gesture = Gesture(self._look, now, target, modifiers, [place])
                self._entries.append(_Entry(self._look, gesture=self._gesture))
                self._unanswered.append(self._gesture)
            case MouseMove(place) if self._gesture is not None:
                self._gesture.move(place)
            case MouseRelease(place):
                if self._gesture is not None:
                    self._gesture.move(place)
                self._gesture = None
                self._acted = self._mac.clock.approximate()
            case KeyPress(key, modifiers):
                self._hear_key(key, modifiers)

    @property
    def _is_choosing_file(self) -> bool:
        """Whether a file dialog is shown, which takes all inputs."""
        return self._mac.file_dialogs.is_open

    def answer_file(self, path: str | None) -> None:
        """A file dialog was answered with a path from the disk's root, or None: cancelled."""
        self._add_waits()
        self._add({"file": path}, self._look)
        self._acted = self._mac.clock.approximate()

    def observe(self, observation: Observation, look: int) -> None:
        """Add the step that an observation is, which is done at a look, the next one perhaps."""
        match observation:
            case TextObservation(text):
                self._add({"wait": {"text": text}}, look)
            case PictureObservation():
                self._add_waits()
                name = f"picture-{len(self.pictures) + 1}"
                self.pictures.append(ScreenPicture(name, front_picture(self._mac)))
                self._add({"compare": f"{name}.png"}, look)

    def _add(self, step: dict[str, Any], look: int) -> None:
        self._entries.append(_Entry(max(look, self._latest), step))
        self.changes += 1

    @property
    def _latest(self) -> int:
        """The look of the last step, or this one if it is later."""
        return max(self._look, 1, *(entry.look for entry in self._entries[-1:]))

    def _keep(self, heard: UserInput) -> None:
        self.calls = self._mac.calls.total()
        last = self.events[-1] if self.events else None
        is_seen = last is None or last.look < self._look or not isinstance(last.input, MouseMove)
        if isinstance(heard, MouseMove) and not is_seen:
            self.events.pop()  # the program never saw the mouse there
        self.events.append(RecordedInput(self._look, heard))

    def _hear_key(self, key: str, modifiers: tuple[str, ...]) -> None:
        waits = self._add_waits()
        last = self._entries[-1] if self._entries else None
        is_text = not set(modifiers) - set(_CHANGING_TEXT) and (key == "space" or key not in NAMED)
        self._acted = self._mac.clock.approximate()
        if is_text:
            letter = " " if key == "space" else key
            if last is not None and "type" in last.step and not waits:
                last.step["type"] += letter
            else:
                self._entries.append(_Entry(self._look, {"type": letter}))
            return
        step = {"key": key, **({"modifiers": list(modifiers)} if modifiers else {})}
        entry = _Entry(self._look, step)
        self._entries.append(entry)
        if "command" in modifiers:
            self._command_keys.append(entry)

    def _add_waits(self) -> bool:
        """Wait for what a person has waited for, before the next step; whether that was anything.

        That is a window that has come to the front, or that the program was at work for long.
        """
        before = len(self._entries)
        if self._worked - self._acted > _AT_WORK:
            milliseconds = (self._worked - self._acted) // 1000
            self._entries.append(_Entry(self._look, {"wait": {"milliseconds": milliseconds}}))
            self._acted = self._worked
        title = self._front_title()
        if title is not None and title != self._front:
            self._entries.append(_Entry(self._look, {"wait": {"window": title}}))
        self._front = title
        return len(self._entries) > before

    def _front_title(self) -> str | None:
        try:
            front = self._mac.windows.front() if self._mac.windows.ready else 0
            return self._mac.windows.title_of(front).decode("mac_roman") if front else None
        except GuestError:
            return None  # the program has damaged its windows

    # -- what the Toolbox makes of it --------------------------------------------------------------

    def _conduct(self, perform: Perform, call: Call) -> Any:
        result = perform(*call)
        if self._unanswered or self._command_keys:
            with contextlib.suppress(GuestError):  # the program has damaged what it is about
                self._hear_meaning(call, result)
        return result

    def _hear_meaning(self, call: Call, result: Any) -> None:
        routine, _, arguments, _ = call
        if routine.name == "MenuKey":
            self._hear_menu_key(arguments[0] & 0xFF, result)
        meaning = meaning_of(self._mac, routine.name, arguments, result)
        if meaning is None:
            return
        for number, gesture in enumerate(self._unanswered):
            if meaning.fits(gesture):
                self.changes += 1
                gesture.step, gesture.only_ends = meaning.step(gesture), meaning.only_ends
                del self._unanswered[: number + 1]
                return

    def _hear_menu_key(self, character: int, choice: int) -> None:
        """Say beside a key what it has chosen; a busy program hears of it after other keys."""
        for number, entry in enumerate(self._command_keys):
            if key_message(entry.step["key"]) & 0xFF == character:
                del self._command_keys[: number + 1]
                chosen = menu_step(self._mac, choice)
                entry.comment = "" if chosen is None else ", ".join(chosen["menu"])
                return

    # -- what is made of it ------------------------------------------------------------------------

    def saved(
        self, name: str, program: str, *, ended: bool, is_at_look: bool = False
    ) -> SavedScript:
        """The recording so far as files.

        Args:
            name: the script's name, without a suffix.
            program: the SHA-256 of the program, by `emu.runner.replay.program_digest`.
            ended: whether the program has ended by itself; if not, the last step ends the run.
            is_at_look: whether the program stands where it stood when it was last looked at: no
                input of this look was applied.
        """
        steps = self.steps(ended=ended)
        checkpoints = self._checkpoints_by_now(ended=ended, is_at_look=is_at_look)
        recording = Recording(tuple(self.events), checkpoints)
        return save_script(
            name, self._mac, program, steps, recording, calls=self.calls, pictures=self.pictures
        )

    def _checkpoints_by_now(self, *, ended: bool, is_at_look: bool) -> tuple[Checkpoint, ...]:
        """Those so far, and one of the end: the calls by the last look if more is not known."""
        last = self._latest_calls
        if ended:
            last = self._digest.all_by(self._look + 1)
        elif is_at_look:
            last = self._digest.all_by(self._look)
        if last is None or (self._checkpoints and self._checkpoints[-1].look == last.look):
            return tuple(self._checkpoints)
        return (*self._checkpoints, last)

    def steps(self, *, ended: bool) -> tuple[RecordedStep, ...]:
        """The steps so far.

        Args:
            ended: whether the program has ended by itself; if not, the last step ends the run.
        """
        steps: list[RecordedStep] = []
        before: Gesture | None = None
        for entry in self._entries:
            step, gesture = entry.as_step(), entry.gesture
            if gesture is not None and before is not None and self._is_double(before, gesture):
                click = dict(steps[-1].step["click"])
                click["times"] = min(click.get("times", 1) + 1, 3)
                steps[-1] = RecordedStep(steps[-1].look, {"click": click}, "")
            else:
                steps.append(RecordedStep(entry.look, step, entry.comment))
            before = gesture
        if not ended:
            steps += self._ending()
        return tuple(steps)

    def _ending(self) -> list[RecordedStep]:
        # At the next look the program has done what the last input has asked for.
        look = max(self._latest, self._look + 1)
        busy = (self._worked - self._acted) // 1000
        waits = [RecordedStep(look, {"wait": {"milliseconds": busy}})] if busy > 500 else []
        return [*waits, RecordedStep(look, {"end": True})]

    def _is_double(self, first: Gesture, second: Gesture) -> bool:
        """Whether a click is the second one of a double click."""
        if not (first.is_plain_click and second.is_plain_click):
            return False
        ticks = self._mac.guest.u32(LowMemory.DOUBLE_CLICK_TIME)
        near = all(abs(a - b) <= 4 for a, b in zip(first.path[0], second.path[0], strict=True))
        gap = second.microseconds - first.microseconds
        return near and gap <= ticks * 1_000_000 / TICKS_A_SECOND
