"""The user without a script: tries what leads past first screens, and finally quits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from emu.base.errors import GuestError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.system_file.keyboard import MODIFIERS, key_message
from emu.toolbox.users.script import step_text
from emu.toolbox.users.situation import Situation, look_at

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

PATIENCE = 8
"""How often in a row the program must look for an event before the patient user acts."""

_PATIENCE_WITH_WORK = 600
"""How many events a program that works in every pass must get in vain before the user acts."""

_PATIENCE_WITH_BUTTON = 2000
"""How often such a program must ask for the mouse button or the keys in vain."""

_MOST_TURNS = 24
_LEAVING = ("don\u2019t save", "don't save", "discard", "no")
_GOING_ON = ("ok", "okay", "continue", "begin", "start", "play", "yes")
_QUITTING = ("quit", "exit")


class PatientUser:
    """Presses Return, clicks, does both again, and then quits; up to 24 turns.

    A click goes to a button that leads on, such as OK; else to the middle of the front window, as a
    splash screen wants it. On a Power Macintosh without a window, nothing is clicked.
    """

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._turn = 0
        self._next: list[Callable[[], None]] = []
        self._has_quit = False
        self._done: list[str | Mapping[str, Any]] = []

    @property
    def steps_begun(self) -> int:
        """How often the user has done something."""
        return len(self._done)

    def words(self, number: int) -> str:
        """What was done, as a line of a script; counted from 0."""
        done = self._done[number]
        return done if isinstance(done, str) else step_text(done)

    def act(self) -> bool:
        """Do the next thing if the program has looked for an event often enough."""
        events = self._mac.events
        if self._next:
            self._next.pop(0)()
            return True
        if events.mouse_is_down():
            events.release_mouse()
            return True
        waits = (
            events.looks_in_vain % PATIENCE == 0
            or events.null_events > _PATIENCE_WITH_WORK
            or events.looks > _PATIENCE_WITH_BUTTON
        )
        if waits and self._turn < _MOST_TURNS:
            self._take_turn()
        return False

    def _take_turn(self) -> None:
        doings = (self._press_return, self._click, self._press_return, self._click, self._quit)
        doings[self._turn % len(doings)]()
        self._turn += 1

    def _press_return(self) -> None:
        self._done.append("key: return")
        self._mac.events.press_key(key_message("return"))

    def _click(self) -> None:
        seen, place, named = self._situation(), None, None
        front = self._mac.windows.front() if seen is not None else 0
        if not front and self._has_finder():
            return
        if front and seen is not None:
            button = self._button(seen)
            place = self._mac.controls.place(front, button) if button else None
            named = {"button": button} if place is not None else None
            place = place or self._mac.windows.middle(front)
        if place is not None:
            self._mac.events.move_mouse(place)
        mouse = self._mac.events.mouse
        self._done.append({"click": named or {"screen": [mouse.h, mouse.v]}})
        self._mac.events.press_mouse()

    def _has_finder(self) -> bool:
        """Whether a click beside all windows goes to the Finder, which comes to the front.

        It runs beside every program on a Power Macintosh. A program that asks for no events but
        for the button sees the click all the same.
        """
        is_polling = self._mac.events.looks > _PATIENCE_WITH_BUTTON
        return self._mac.cpu.architecture == "powerpc" and not is_polling

    def _button(self, seen: Situation) -> str:
        """The title of the button to press; "" for none."""
        wanted = (*_LEAVING, *_GOING_ON) if self._has_quit else _GOING_ON
        titles = {title.lower(): title for title in reversed(seen.buttons)}
        return next((titles[title] for title in wanted if title in titles), "")

    def _quit(self) -> None:
        """Type Command-Q, or choose a Quit that has no key; in vain, click the close box."""
        again, self._has_quit = self._has_quit, True
        front = self._mac.windows.front() if again and self._situation() is not None else 0
        box = self._mac.windows.close_box(front) if front else None
        if box is not None:
            self._done.append("click: {close: true}")
            self._mac.events.move_mouse(box)
            self._mac.events.press_mouse()
            return
        places = self._quit_places()
        if places is None:
            self._done.append("key: q, modifiers: [command]")
            self._mac.events.press_key(key_message("q"), MODIFIERS["command"])
            return
        title, item, in_bar, on_item = places
        self._done.append({"menu": [title, item]})
        events = self._mac.events
        events.move_mouse(in_bar)
        events.press_mouse()
        self._next = [lambda: events.move_mouse(on_item), events.release_mouse]

    def _quit_places(self) -> tuple[str, str, Point, Point] | None:
        """A Quit without a key: menu, item, where to press, where to let go; None if none is."""
        if (seen := self._situation()) is None:
            return None
        for menu in seen.menus:
            for text in menu.items:
                if text.lower().startswith(_QUITTING):
                    if self._mac.menus.key_of(menu.title, text):
                        return None
                    places = self._mac.menus.places(menu.title, text)
                    return None if places is None else (menu.title, text, *places)
        return None

    def _situation(self) -> Situation | None:
        """What the user sees; None if the program has damaged it."""
        try:
            return look_at(self._mac)
        except GuestError:
            return None
