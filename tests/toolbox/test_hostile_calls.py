"""Every declared routine, called with what no sane program passes, ends well or says why not."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from emu.base.errors import MacproofError
from emu.toolbox.calls.marshal import to_word
from emu.toolbox.computer.declaration import Routine, routines_of
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import GuestStopError, ProgramExit
from emu.toolbox.guest.guest_access import BadAddressError
from emu.toolbox.guest.guest_types import ParameterKind, Point, ToolboxType
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.window_kit import Desktop, item_list, pascal, resource, words

CALLS = 5
"""Of each routine on each processor."""
CALLS_ON_ONE_DESKTOP = 60

NUMBERS = (0, 1, 2, -1, 128, 129, 0x7FFF, -0x8000, 0x7FFFFFFF, -0x80000000, 0x10000)
POINTS = tuple(itertools.starmap(Point, itertools.product((0, 5, -0x8000, 0x7FFF), repeat=2)))
KINDS = ("DLOG", "DITL", "MENU", "STR#", "PICT", "WIND", "CNTL", "CODE", "\0\0\0\0", "ÿÿÿÿ")
NOWHERE = (0, 1, 3, 0x7FFFFFFF, 0xFFFFFFFF, 0x12345678, 0x80000000)
FILLERS = (b"\0", b"\xff", b"\x7f\xff", b"\x80\0", b"\0\1")

GOOD = (
    resource("DLOG", 128, words(40, 40, 200, 300, 1, 0x100, 0, 0, 0, 128) + b"\0"),
    resource("ALRT", 128, words(40, 40, 200, 300, 128, 0x5555)),
    resource("DITL", 128, item_list((4, (10, 10, 30, 80), b"OK"), (16, (40, 10, 60, 90), b"text"))),
    resource("MENU", 128, words(128, 0, 0, 0, 0, -1, -1) + b"\4File\4Open" + bytes(5)),
    resource("WIND", 128, words(40, 40, 200, 300, 0, 1, 1, 0, 0) + b"\0"),
    resource("CNTL", 128, words(4, 4, 20, 90, 0, 1, 1, 0, 0, 0, 0) + b"\0"),
    resource("STR#", 128, words(2) + pascal(b"one") + pascal(b"two")),
    resource("PICT", 128, words(10, 0, 0, 10, 10, 0x1101) + b"\xff"),
)


def garbage(random: Random) -> bytes:
    """The contents of a block that is no record at all."""
    size = random.choice((0, 2, 10, 64, 300))
    filler = random.choice((*FILLERS, random.randbytes(size)))
    return (filler * size)[:size]


class DesktopOfEverything:
    """A desktop with something of everything on it, good and bad."""

    def __init__(self, cpu: str, random: Random) -> None:
        bad = [
            resource(kind, 129, garbage(random))
            for kind in ("DLOG", "ALRT", "DITL", "MENU", "WIND", "CNTL", "STR#", "PICT", "CODE")
        ]
        self.desktop = desktop = Desktop(cpu, *GOOD, *bad, idle_limit=10)
        self._random = random
        window = desktop.window(40, 40, 200, 300, b"window")
        desktop.call("SetPort", window)
        control = desktop.control(window, (4, 4, 20, 90), b"control")
        box = desktop.rect(0, 0, 50, 100)
        dialog = desktop.call("GetNewDialog", 128, 0, 0xFFFFFFFF)
        memory = desktop.mac.memory
        blocks = [memory.new_pointer(512, clear=True) for _ in range(6)]
        for block in blocks:
            desktop.guest.write(block, garbage(random))
        handles = [memory.handle_from(garbage(random)) for _ in range(6)]
        text = [desktop.string(), desktop.string(b"\xff" * 255), desktop.string(b"%9d%s^0")]
        extremes = [desktop.rect(-0x8000, -0x8000, 0x7FFF, 0x7FFF), desktop.rect(9, 9, -9, -9)]
        regions = [desktop.call("NewRgn"), *handles]
        self._right = {
            "WindowPtr": [window, dialog],
            "GrafPtr": [window],
            "DialogPtr": [dialog],
            "ControlHandle": [control],
            "MenuHandle": [desktop.call("GetMenu", 128)],
            "TEHandle": [desktop.call("TENew", box, box)],
            "RgnHandle": regions,
            "PicHandle": [desktop.call("GetPicture", 128), *handles],
            "Rect": [box, *extremes],
            "ProcPtr": [0],  # code that never ends would need the clock of a whole run
            **dict.fromkeys(("Str255", "StringPtr"), text),
            **dict.fromkeys(("Handle", "PolyHandle", "CTabHandle", "PixMapHandle"), handles),
        }
        self._blocks = blocks

    def value(self, kind: ToolboxType) -> Any:
        """An argument of a type: most of the time right as far as it goes."""
        random, shape = self._random, kind.shape
        if shape is ParameterKind.POINT:
            return random.choice(POINTS)
        if shape is ParameterKind.BOOLEAN:
            return random.random() < 0.5
        if shape is ParameterKind.FOUR_CHARACTERS:
            return random.choice(KINDS)
        if shape in (ParameterKind.BYTE, ParameterKind.CHARACTER):
            return random.choice((0, 1, 8, 13, 127, 255))
        number = random.choice(NUMBERS)
        if shape is ParameterKind.SIGNED_16:
            return (number & 0xFFFF ^ 0x8000) - 0x8000
        if shape is ParameterKind.UNSIGNED_16:
            return number & 0xFFFF
        if shape is ParameterKind.SIGNED_32:
            return number
        if kind.name == "UInt32":
            return number & 0xFFFFFFFF
        if random.random() < 0.3:
            return random.choice(NOWHERE)
        return random.choice(self._right.get(kind.name, self._blocks))

    def corrupt(self) -> None:
        """Store a word that no sane program stores somewhere in a record that is in use."""
        random, guest, memory = self._random, self.desktop.guest, self.desktop.mac.memory
        kinds = ("WindowPtr", "DialogPtr", "ControlHandle", "MenuHandle", "TEHandle", "PicHandle")
        kind = random.choice(kinds)
        place = random.choice(self._right[kind])
        if kind.endswith("Handle"):
            if not memory.is_handle(place):
                return
            place = memory.address(place)
        wrong = random.choice((*FILLERS, random.randbytes(2), random.randbytes(4)))
        with contextlib.suppress(BadAddressError):  # as in the ROM
            guest.write(place + 2 * random.randrange(80), wrong)

    @property
    def is_whole(self) -> bool:
        """Whether the heap is still one, so that more can be tried on it."""
        try:
            self.desktop.mac.memory.heap.verify_all()
        except GuestStopError:
            return False
        return True


def call(mac: Macintosh, manager: Manager, routine: Routine, method: str, values: list[Any]) -> str:
    """Do a routine; "" if it gave a result or a reason, or else what escaped from it."""
    extra = {"trap": routine.variants[-1][1]} if routine.variants else {}
    try:
        result = mac.perform(routine, getattr(manager, method), values, extra)
        if routine.result is not None:
            to_word(routine.result, result)
    except (MacproofError, ProgramExit):
        pass
    except Exception as error:
        shown = ", ".join(hex(value) if isinstance(value, int) else str(value) for value in values)
        return f"{routine.name} ({shown}): {type(error).__name__}: {error}"
    return ""


def declared(mac: Macintosh) -> Iterator[tuple[str, Routine, str]]:
    """Manager, routine and method of every declaration that a processor has."""
    for name, manager in mac.managers.items():
        for routine, method in routines_of(manager):
            if routine.architecture in ("", mac.dispatcher.architecture):
                yield name, routine, method


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_no_routine_lets_an_exception_of_python_escape(cpu: str) -> None:
    random = Random(cpu)
    place, made, called, escaped = DesktopOfEverything(cpu, random), 0, 0, []
    for name, routine, method in list(declared(place.desktop.mac)):
        for _ in range(CALLS):
            if made == CALLS_ON_ONE_DESKTOP or not place.is_whole:
                place, made = DesktopOfEverything(cpu, random), 0
            mac = place.desktop.mac
            values = [place.value(parameter.type) for parameter in routine.parameters]
            problem = call(mac, mac.managers[name], routine, method, values)
            made, called = made + 1, called + 1
            if problem:
                escaped.append(problem)
                place, made = DesktopOfEverything(cpu, random), 0
    assert called > 3500
    assert not escaped, "\n".join(escaped)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_no_exception_escapes_when_records_in_use_are_corrupted(cpu: str) -> None:
    """Random routines of all that there are, while fields of windows, menus and texts change."""
    random = Random(f"corrupted {cpu}")
    place, made, called, escaped = DesktopOfEverything(cpu, random), 0, 0, []
    everything = list(declared(place.desktop.mac))
    while called < 2500:
        if made == CALLS_ON_ONE_DESKTOP or not place.is_whole:
            place, made = DesktopOfEverything(cpu, random), 0
        for _ in range(random.randrange(3)):
            place.corrupt()
        name, routine, method = random.choice(everything)
        mac = place.desktop.mac
        values = [place.value(parameter.type) for parameter in routine.parameters]
        problem = call(mac, mac.managers[name], routine, method, values)
        made, called = made + 1, called + 1
        if problem:
            escaped.append(problem)
            place, made = DesktopOfEverything(cpu, random), 0
    assert not escaped, "\n".join(escaped)


@pytest.mark.parametrize("variant", [0x7FFF, -1, 16, 24, 15])
def test_a_window_definition_with_any_variation(variant: int) -> None:
    """It is the low part of a definition ID, but a program passes any word."""
    desktop = Desktop("68040")
    window = desktop.window(40, 40, 200, 300, b"window")
    for message in range(-1, 8):
        desktop.call("WindowDefinition", variant, window, message, desktop.rect(0, 0, 9, 9))


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_click_in_a_window_of_a_driver_that_is_not_there(cpu: str) -> None:
    desktop = Desktop(cpu)
    window = desktop.window(40, 40, 200, 300, b"window")
    event = desktop.mac.memory.new_pointer(16, clear=True)
    desktop.guest.write(event + 10, (100).to_bytes(2, "big") * 2)  # where: within the window
    for kind in (-1, -2, -32, -63, -64, -0x8000):
        desktop.guest.write(window + 108, kind.to_bytes(2, "big", signed=True))
        desktop.call("SystemClick", event, window)


def test_what_escapes_is_seen() -> None:
    mac = DesktopOfEverything("68040", Random(0)).desktop.mac
    routine, method = next(
        pair for pair in routines_of(mac.managers["events"]) if pair[0].name == "Button"
    )
    mac.events.idle = lambda: 1 // 0
    problem = call(mac, mac.managers["events"], routine, method, [])
    assert problem.startswith("Button (): ZeroDivisionError")
