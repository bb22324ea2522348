"""The user of the Macintosh: a script, or a patient user who waits for the program's end."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from emu.base.errors import CaseError
from emu.base.files import read_at_most
from emu.base.yaml_document import YamlDocument, check_against_schema
from emu.toolbox.findings import GuestStopped
from emu.toolbox.guest_types import Point
from emu.toolbox.layout import LowMemory
from emu.toolbox.managers.events.keyboard import MODIFIERS, key_map, key_message

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_PATIENCE = 8
"""How often in a row the program must look for an event before the patient user acts."""

_LARGEST_PICTURE = 64 << 20


class PatientUser:
    """The user without a script: waits, presses Return, clicks, and finally types Command-Q."""

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._turn = 0

    def act(self) -> bool:
        """Do the next thing if the program has looked for an event often enough."""
        events = self._mac.events
        if events.mouse_is_down():
            events.release_mouse()
            return True
        if events.looks_in_vain % _PATIENCE == 0 and self._turn < 3 * _PATIENCE:
            doings: list[Callable[[], None]] = [
                lambda: events.press_key(key_message("return")),
                events.press_mouse,
                lambda: events.press_key(key_message("return")),
                events.press_mouse,
                lambda: events.press_key(key_message("q"), MODIFIERS["command"]),
            ]
            doings[self._turn % len(doings)]()
            self._turn += 1
        return False


class ScriptError(GuestStopped):
    """A step of a script could not be done, or a picture differs from the expected one."""

    exit_code = 1


class Script:
    """Steps read from a YAML file; see ``emu/toolbox/script.schema.json``.

    Raises:
        CaseError: the file cannot be read or does not fit the schema.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._document = YamlDocument(path, "a script")
        schema = json.loads(
            resources.files("emu.toolbox").joinpath("script.schema.json").read_text()
        )
        check_against_schema(self._document, schema)
        self.steps: list[dict[str, Any]] = self._document.data["steps"]
        for number, step in enumerate(self.steps):
            self._check(number, step)

    def _check(self, number: int, step: dict[str, Any]) -> None:
        place = ("steps", number)
        actions = [key for key in step if key != "modifiers"]
        if len(actions) != 1:
            raise self._document.error(place, f"a step does one thing, not {len(actions)}")
        if "modifiers" in step and actions != ["key"]:
            raise self._document.error(place, "modifiers belong to a key; a click has its own")
        if "click" in step:
            targets = [key for key in step["click"] if key != "modifiers"]
            if len(targets) != 1:
                raise self._document.error(place, "a click is at one place")
        for text in (step.get("type", ""), *([step["key"]] if "key" in step else [])):
            for key in [text] if "key" in step else text:
                self._check_key(place, key)
        if "compare" in step and ("/" in step["compare"] or "\\" in step["compare"]):
            raise self._document.error(place, "compare names a file beside the script")

    def _check_key(self, place: tuple[str | int, ...], key: str) -> None:
        try:
            if key:
                key_message(key)
        except UnicodeEncodeError as error:
            problem = f"{key!r} is not in the Macintosh's character set"
            raise self._document.error(place, problem) from error
        except ValueError as error:
            raise self._document.error(place, str(error)) from error

    def line(self, number: int) -> int:
        """The line of a step."""
        return self._document.line(("steps", number))


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
        self._answers: list[int] = []

    @property
    def done(self) -> int:
        """How many steps have been done."""
        return self._next

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self._script.steps)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self._next >= len(self._script.steps) and not self._release

    def act(self) -> bool:
        """Go on with the script; whether there was anything to do or to wait for.

        Raises:
            ScriptError: the step cannot be done.
        """
        if self._release:
            self._release.pop(0)()
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
            raise self._error(
                f"it has waited in vain: the program looked for an event {self._waits:,} times; "
                + self._situation()
            )
        return True

    def _situation(self) -> str:
        titles = [self._title(window) for window in self._mac.windows.all()]
        return f"windows from the front: {', '.join(repr(t) for t in titles) or 'none'}"

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
        found = mac.dialogs.item_place(front, what)
        if found is None and isinstance(what, str):
            found = mac.controls.place(front, what)
        return found

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
        places = self._mac.menus.places(title, item)
        if places is None:
            return False
        in_bar, on_item = places
        events = self._mac.events
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
