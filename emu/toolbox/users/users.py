"""The user of the Macintosh who does the steps of a script."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.system_file.keyboard import MODIFIERS, key_map, key_message
from emu.toolbox.users.onlooker import Onlooker
from emu.toolbox.users.script import Script, ScriptError, action_of, drag_path
from emu.toolbox.users.situation import disabled_item, lacking_item, look_at

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh


_LONG_WAIT = 100
"""How often a program may look for an event until a step seems to wait in vain."""
_BETWEEN_CLICKS = 30
"""How often a program may look in vain before the user does not wait for it to take a mouse-up."""


class ScriptedUser:
    """Does a script's steps: one each time that the program waits."""

    def __init__(self, mac: Macintosh, script: Script) -> None:
        self._mac = mac
        self._script = script
        self._onlooker = Onlooker(mac, script)
        self._next = 0
        self._release: deque[Callable[[], None]] = deque()
        self._typed = 0
        self._until: int | None = None
        self._waits = 0
        self._looks_after_click = 0

    @property
    def steps_done(self) -> int:
        """How many steps have been done."""
        return self._next

    @property
    def steps_begun(self) -> int:
        """How many steps have been done, or are half done, as typing is."""
        return self._next + (self._typed > 0)

    def words(self, number: int) -> str:
        """A step as a line of YAML; counted from 0."""
        return self._script.words(number)

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self._script.steps)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do but to let go of the mouse button."""
        return self._next >= len(self._script.steps) and len(self._release) <= 1

    def act(self) -> bool:
        """Go on with the script; whether there was anything to do or to wait for.

        Raises:
            ScriptError: the step cannot be done.
        """
        if self._release:
            self._release.popleft()()
            self._looks_after_click = 0
            return True
        if self._is_between_clicks():
            return True
        if self._next >= len(self._script.steps):
            return False
        step = self._script.steps[self._next]
        if self._do(step):
            self._next += 1
            self._waits = 0
            self._typed = 0
            self._until = None
            return True
        self._waits += 1
        if self._waits > self._mac.settings.idle_limit:
            raise self._error(self._vain_wait())
        return True

    def end_of_time(self, problem: str) -> str:
        """Why a run had no more time: the step that it has long waited for, before the problem."""
        return (
            problem if self._waits < _LONG_WAIT else f"{self._error(self._vain_wait())}\n{problem}"
        )

    def _vain_wait(self) -> str:
        return (
            f"it has waited in vain: the program looked for an event {self._waits:,} times; "
            + self._situation()
        )

    def _is_between_clicks(self) -> bool:
        """Whether the program may not have seen yet that the last click is over.

        A program that follows the mouse while Button is true would take another press for the same.
        """
        self._looks_after_click += 1
        return self._looks_after_click <= _BETWEEN_CLICKS and self._mac.events.has_mouse_up()

    def _situation(self) -> str:
        """What is on the screen, and what the step may have meant."""
        seen = look_at(self._mac)
        step = self._script.steps[self._next]
        text = f"windows from the front: {', '.join(map(repr, seen.windows)) or 'none'}"
        if "menu" in step:
            return f"{text}; {lacking_item(seen, *step['menu'])}".removesuffix("; ")
        button = step.get("click", {}).get("button")
        if button is not None:
            return f"{text}; there is no button {button!r}{did_you_mean(button, seen.buttons)}"
        return text

    def _title(self, window: int) -> str:
        title = self._mac.windows.title_of(window)
        return title.decode("mac_roman")

    def _error(self, problem: str) -> ScriptError:
        return self._script.step_error(self._next, problem)

    def _do(self, step: dict[str, Any]) -> bool:
        name = action_of(step)
        done: bool = getattr(self, f"_do_{name}")(step)
        return done

    def _do_wait(self, step: dict[str, Any]) -> bool:
        wait = step["wait"]
        mac = self._mac
        if "window" in wait:
            front = mac.windows.front()
            return bool(front) and self._title(front) == wait["window"]
        if "text" in wait:
            return self._onlooker.observe(self._next)
        now = mac.clock.now()
        if self._until is None:
            self._until = now + 1000 * int(wait["milliseconds"])
        return bool(now >= self._until)

    def _do_click(self, step: dict[str, Any]) -> bool:
        click = step["click"]
        place = self._place(click)
        if place is None:
            return False
        self._mac.events.move_mouse(place)
        self._press(click)
        for _ in range(1, click.get("times", 1)):
            # At once: a program that sleeps looks too late for a double click.
            self._let_go(click)
            self._press(click)
        self._release.append(lambda: self._let_go(click))
        return True

    def _press(self, what: dict[str, Any]) -> None:
        """Press the mouse button with the modifier keys of a click or a drag."""
        held = what.get("modifiers", [])
        self._hold(held)
        self._mac.events.press_mouse(sum(MODIFIERS[name] for name in held))

    def _let_go(self, what: dict[str, Any]) -> None:
        """Let the mouse button go, and then the modifier keys."""
        self._mac.events.release_mouse(sum(MODIFIERS[name] for name in what.get("modifiers", [])))
        self._hold([])

    def _hold(self, names: list[str]) -> None:
        """Hold down these modifier keys and no others."""
        self._mac.guest.write(LowMemory.KEY_MAP, key_map(names))

    def _window(self, what: dict[str, Any]) -> int:
        """The window that a click or a drag is in; 0 if there is none.

        It is the frontmost with the title that is named, or without a title the one in front.
        """
        if "in" not in what:
            return self._mac.windows.front()
        visible = self._mac.windows.list.visible()
        return next((window for window in visible if self._title(window) == what["in"]), 0)

    def _place(self, click: dict[str, Any]) -> Point | None:
        mac = self._mac
        if "screen" in click:
            h, v = click["screen"]
            return Point(v, h)
        window = self._window(click)
        if not window:
            return None
        if "window" in click:
            h, v = click["window"]
            place = mac.quickdraw.to_global(window, Point(v, h))
            return place
        if "close" in click:
            closing = mac.windows.close_box(window)
            return closing
        what = click["item"] if "item" in click else click["button"]
        item_place = mac.dialogs.item_place(window, what)
        if item_place is None and isinstance(what, str):
            item_place = mac.controls.place(window, what)
        return item_place

    def _do_drag(self, step: dict[str, Any]) -> bool:
        drag = step["drag"]
        window = self._window(drag) if "in" in drag else 0
        if "in" in drag and not window:
            return False
        path = [self._corner(window, h, v) for h, v in drag_path(drag)]
        events = self._mac.events
        events.move_mouse(path[0])
        self._press(drag)
        for place in path[1:]:
            self._release.append(functools.partial(events.move_mouse, place))
        self._release.append(lambda: self._let_go(drag))
        return True

    def _corner(self, window: int, h: int, v: int) -> Point:
        """A point of the screen, of which the distance from a window's content is known."""
        place = Point(v, h)
        return self._mac.quickdraw.to_global(window, place) if window else place

    def _do_menu(self, step: dict[str, Any]) -> bool:
        title, item = step["menu"]
        mac = self._mac
        front = mac.windows.front()
        places = mac.menus.places(title, item)
        if places is None and front:
            places = mac.controls.popup_places(front, title, item)
        if places is None:
            return False
        in_bar, on_item = places
        events, number = mac.events, self._next
        events.move_mouse(in_bar)
        events.press_mouse()

        def choose() -> None:
            # Programs enable items when the mouse is pressed in the bar, so it is known only now.
            if not mac.menus.can_be_chosen(title, item):
                raise self._script.step_error(number, disabled_item(look_at(mac), title, item))
            events.release_mouse()

        self._release.append(lambda: events.move_mouse(on_item))
        self._release.append(choose)
        return True

    def _do_type(self, step: dict[str, Any]) -> bool:
        now, text = self._mac.clock.now(), step["type"]
        if self._until is None:
            self._until = now
        last = self._typed + 1
        if "speed" in step:  # also what a person types while the program sleeps
            pace = 1_000_000 // int(step["speed"])
            last = min(self._typed + (now - self._until) // pace + 1, len(text))
            self._until += pace * (last - self._typed)
        for character in text[self._typed : last]:
            self._waits = 0  # a slow person is no program that keeps one waiting
            self._mac.events.press_key(key_message(character))
        self._typed = last
        return self._typed == len(text)

    def _do_key(self, step: dict[str, Any]) -> bool:
        modifiers = sum(MODIFIERS[name] for name in step.get("modifiers", []))
        self._mac.events.press_key(key_message(step["key"]), modifiers)
        return True

    def _do_answer(self, step: dict[str, Any]) -> bool:
        front = self._mac.windows.front()
        place = self._mac.dialogs.item_place(front, step["answer"]) if front else None
        if place is None:
            return False
        events = self._mac.events
        events.move_mouse(place)
        events.press_mouse()
        self._release.append(events.release_mouse)
        return True

    def _do_file(self, step: dict[str, Any]) -> bool:
        return False  # the dialog asks for the file itself

    def take_file(self) -> str | None:
        """The answer to a file dialog, if that is the script's next step; None cancels it."""
        if self._next >= len(self._script.steps) or "file" not in self._script.steps[self._next]:
            return None
        name: str | None = self._script.steps[self._next]["file"]
        self._next += 1
        self._waits = 0
        return name

    def _do_drop(self, step: dict[str, Any]) -> bool:
        try:
            self._mac.documents.open(step["drop"])
        except UsageError as error:
            raise self._error(str(error)) from error
        return True

    def has_other_step(self) -> bool:
        """Whether there is something to do before a file dialog is answered, with its items."""
        if self._release:
            return True
        steps = self._script.steps
        return self._next < len(steps) and "file" not in steps[self._next]

    def _do_picture(self, step: dict[str, Any]) -> bool:
        return self._onlooker.observe(self._next)

    def _do_screen_picture(self, step: dict[str, Any]) -> bool:
        return self._onlooker.observe(self._next)

    def _do_compare(self, step: dict[str, Any]) -> bool:
        return self._onlooker.observe(self._next)

    def _do_end(self, step: dict[str, Any]) -> bool:
        self._next += 1  # it is done by ending the run
        return self._onlooker.observe(self._next - 1)
