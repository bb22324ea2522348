"""A person who plays a program and is recorded, as ``macproof play`` passes inputs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from emu.runner.replay import program_digest
from emu.toolbox.computer.clock import CallClock
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import ProgramExit
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.inputs import (
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
    MouseRelease,
    UserInput,
)
from emu.toolbox.users.saved_script import SavedScript
from emu.toolbox.users.script_recorder import ScriptRecorder

Doings = Iterator[UserInput | int]
"""What a person does: inputs, and numbers of looks for which he only watches."""


@dataclass
class Played:
    """What a session left."""

    saved: SavedScript
    log: list[str]
    pictures: list[tuple[str, bytes]]
    files: dict[str, bytes]
    text: str
    left: bool
    doings: list[str] = field(default_factory=list)


class Person:
    """Does one thing at each look."""

    def __init__(self, mac: Macintosh, doings: Callable[[Person], Doings]) -> None:
        self.mac = mac
        mac.events.is_played = True  # as for a person, and for an exact replay
        self.recorder = ScriptRecorder(mac)
        self.files: list[str | None] = []
        self._doings = doings(self)
        self._waits = 0
        self.left = False

    def act(self) -> bool:
        """Do the next thing, and leave when there is none."""
        self.recorder.look()
        if self._waits:
            self._waits -= 1
            return True
        for doing in self._doings:
            if isinstance(doing, int):
                self._waits = doing
            else:
                self.recorder.hear(doing)
                doing.apply(self.mac)
            return True
        self.left = True
        raise ProgramExit

    def take_file(self) -> str | None:
        """Answer a file dialog."""
        answer = self.files.pop(0) if self.files else None
        self.recorder.answer_file(answer)
        return answer

    def accept_file(self) -> Doings:
        """Accept the name that a file dialog offers, if it is shown."""
        if "file_dialogs" in self.mac.managers:
            yield KeyPress("return")
            yield 1
            yield KeyRelease("return")
            yield 20

    # -- what a hand does --------------------------------------------------------------------------

    def drag(self, *places: Point, modifiers: tuple[str, ...] = ()) -> Doings:
        """Press, move, let go; with some looks between."""
        yield MouseMove(places[0])
        yield MousePress(places[0], modifiers)
        for place in places[1:]:
            yield MouseMove(place)
            yield 1
        yield MouseRelease(places[-1], modifiers)
        yield 40

    def click(self, place: Point) -> Doings:
        """Press and let go, a little beside, since a hand trembles."""
        yield MousePress(place)
        yield 2
        yield MouseRelease(Point(place.v, place.h + 1))
        yield 40

    def choose(self, title: str, item: str) -> Doings:
        """Go through a menu to an item."""
        places = self.mac.menus.places(title, item)
        assert places is not None, (title, item)
        bar, on_item = places
        between = Point((bar.v + on_item.v) // 2, on_item.h)
        yield from self.drag(Point(bar.v + 1, bar.h - 2), between, on_item)

    def type(self, text: str, *modifiers: str) -> Doings:
        """Press keys."""
        if modifiers:
            yield HeldModifiers(modifiers)
        for key in text:
            yield KeyPress(key, modifiers)
            yield 1
            yield KeyRelease(key, modifiers)
        if modifiers:
            yield HeldModifiers(())
        yield 20


def play(
    program: Path, doings: Callable[[Person], Doings], name: str = "session", cpu: str | None = None
) -> Played:
    """Play a program to the end of what the person does."""
    mac = load(program, cpu, settings=Settings(keep_log=True), clock=CallClock())
    person = Person(mac, doings)
    mac.events.user = person
    mac.run()
    saved = person.recorder.saved(name, program_digest(program), ended=not person.left)
    assert mac.log is not None
    return Played(
        saved=saved,
        log=[str(call) for call in mac.log.calls],
        pictures=[(picture.name, picture.png) for picture in mac.outputs.pictures],
        files=dict(mac.files.changed_files()),
        text=mac.text_so_far(),
        left=person.left,
    )
