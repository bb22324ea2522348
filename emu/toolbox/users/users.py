"""The user of the Macintosh who does the steps of a script."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from emu.base.errors import CaseError
from emu.base.files import read_at_most
from emu.base.yaml_document import did_you_mean
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.system_file.keyboard import MODIFIERS, key_map, key_message
from emu.toolbox.users.script import Script, ScriptError
from emu.toolbox.users.situation import look_at

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_LARGEST_PICTURE = 64 << 20

_LONG_WAIT = 100
"""How often a program may look for an event until a step seems to wait in vain."""
_BETWEEN_CLICKS = 30
"""How often a program may look in vain before the user does not wait for it to take a mouse-up."""


class ScriptedUser:
    """Does a script's steps: one each time that the program waits."""

    def __init__(self, mac: Macintosh, script: Script) -> None:
        self._mac = mac
        self._script = script
        self._next = 0
        self._release: list[Callable[[], None]] = []
        self._typed = 0
        self._until: int | None = None
        self._waits = 0
        self._looks_after_click = 0

    @property
    def steps_done(self) -> int:
        """How many steps have been done."""
        return self._next

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
            self._release.pop(0)()
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
            title, item = step["menu"]
            menus = {menu.title: menu.items for menu in seen.menus}
            if title not in menus:
                return f"{text}; no menu {title!r} has items to choose{did_you_mean(title, menus)}"
            if item not in menus[title]:
                meant = did_you_mean(item, menus[title])
                listed = ", ".join(map(repr, menus[title]))
                return f"{text}; the menu {title!r} has no item {item!r}{meant} It has {listed}"
        button = step.get("click", {}).get("button")
        if button is not None:
            return f"{text}; there is no button {button!r}{did_you_mean(button, seen.buttons)}"
        return text

    def _title(self, window: int) -> str:
        title = self._mac.windows.title_of(window)
        return title.decode("mac_roman")

    def _error(self, problem: str) -> ScriptError:
        line = self._script.line(self._next)
        return ScriptError(
            f"{self._script.path}, line {line}: step {self._next + 1} cannot be done: {problem}"
        )

    def _do(self, step: dict[str, Any]) -> bool:
        name = next(key for key in step if key != "modifiers")
        done: bool = getattr(self, f"_do_{name}")(step)
        return done

    def _do_wait(self, step: dict[str, Any]) -> bool:
        wait = step["wait"]
        mac = self._mac
        if "window" in wait:
            front = mac.windows.front()
            return bool(front) and self._title(front) == wait["window"]
        if "text" in wait:
            return wait["text"] in mac.text_so_far()
        now = mac.clock.now()
        if self._until is None:
            self._until = now + 1000 * int(wait["milliseconds"])
        return bool(now >= self._until)

    def _do_click(self, step: dict[str, Any]) -> bool:
        click = step["click"]
        place = self._place(click)
        if place is None:
            return False
        held = click.get("modifiers", [])
        modifiers = sum(MODIFIERS[name] for name in held)
        events = self._mac.events
        events.move_mouse(place)
        self._hold(held)
        events.press_mouse(modifiers)

        def release() -> None:
            events.release_mouse(modifiers)
            self._hold([])

        self._release.append(release)
        return True

    def _hold(self, names: list[str]) -> None:
        """Hold down these modifier keys and no others."""
        self._mac.guest.write(LowMemory.KEY_MAP, key_map(names))

    def _place(self, click: dict[str, Any]) -> Point | None:
        mac = self._mac
        if "screen" in click:
            h, v = click["screen"]
            return Point(v, h)
        front = mac.windows.front()
        if not front:
            return None
        if "window" in click:
            h, v = click["window"]
            place = mac.quickdraw.to_global(front, Point(v, h))
            return place
        if "close" in click:
            closing = mac.windows.close_box(front)
            return closing
        what = click["item"] if "item" in click else click["button"]
        item_place = mac.dialogs.item_place(front, what)
        if item_place is None and isinstance(what, str):
            item_place = mac.controls.place(front, what)
        return item_place

    def _do_drag(self, step: dict[str, Any]) -> bool:
        (h, v), (to_h, to_v) = step["drag"]["from"], step["drag"]["to"]
        events = self._mac.events
        events.move_mouse(Point(v, h))
        events.press_mouse()
        self._release.append(lambda: events.move_mouse(Point((v + to_v) // 2, (h + to_h) // 2)))
        self._release.append(lambda: events.move_mouse(Point(to_v, to_h)))
        self._release.append(events.release_mouse)
        return True

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
        events = mac.events
        events.move_mouse(in_bar)
        events.press_mouse()
        self._release.append(lambda: events.move_mouse(on_item))
        self._release.append(events.release_mouse)
        return True

    def _do_type(self, step: dict[str, Any]) -> bool:
        self._mac.events.press_key(key_message(step["type"][self._typed]))
        self._typed += 1
        return self._typed == len(step["type"])

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

    def _do_picture(self, step: dict[str, Any]) -> bool:
        self._mac.outputs.keep_picture(step["picture"], self._front_picture())
        return True

    def _do_screen_picture(self, step: dict[str, Any]) -> bool:
        png = self._mac.windows.screen_picture()
        self._mac.outputs.keep_picture(step["screen_picture"], png)
        return True

    def _front_picture(self) -> bytes:
        front = self._mac.windows.front()
        png: bytes = (
            self._mac.windows.picture(front) if front else self._mac.windows.screen_picture()
        )
        return png

    def _do_compare(self, step: dict[str, Any]) -> bool:
        path = self._script.path.parent / step["compare"]
        wanted = _pixels(read_at_most(path, _LARGEST_PICTURE, "a picture"), path)
        png = self._front_picture()
        got = _pixels(png, path)
        if wanted.shape != got.shape:
            raise self._error(
                f"the picture is {got.shape[1]}x{got.shape[0]} pixels and {path.name} "
                f"{wanted.shape[1]}x{wanted.shape[0]}"
            )
        different = (wanted != got).any(axis=2)
        if different.any():
            v, h = np.argwhere(different)[0]
            self._mac.outputs.keep_picture(f"{path.stem}-differs", png)
            raise self._error(
                f"{np.count_nonzero(different)} pixels differ from {path.name}, "
                f"the first at ({h},{v})"
            )
        return True


def _pixels(png: bytes, path: Path) -> np.ndarray[Any, np.dtype[np.uint8]]:
    try:
        with Image.open(io.BytesIO(png)) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise CaseError(path, f"it is no picture: {error}") from error
