"""How long the Toolbox takes for what a person does: each figure is the time of one look.

Run it with ``python -m benchmarks.toolbox_speed``; the figures are processor time. A person moves
the mouse at each look: along a menu, with a window, in a text. A frame of 20 a second has 50 ms.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from benchmarks.short_form import parser_of
from emu.toolbox.guest.guest_types import Point
from tests.toolbox.window_kit import Desktop

TURNS = 40


class Stopwatch:
    """A user who does things, one at each look, and takes the time between the looks."""

    def __init__(self, desk: Desktop, doings: list[Callable[[], object]]) -> None:
        self._desk, self._doings = desk, doings
        self._last = time.process_time()
        self.times: list[float] = []

    def act(self) -> bool:
        """Take the time, and do the next thing."""
        self.times.append(time.process_time() - self._last)
        if self._doings:
            self._doings.pop(0)()
        else:
            self._desk.mac.events.release_mouse()
        self._last = time.process_time()
        return True


class Work:
    """Typical work on a desktop with three windows, a menu bar and a text."""

    def __init__(self, cpu: str) -> None:
        self.desk = desk = Desktop(cpu, depth=8)
        desk.mac.events.is_played = True
        for number, title in enumerate((b"File", b"Edit", b"Font", b"Style"), 1):
            menu = desk.call("NewMenu", number, desk.string(title))
            for item in range(12):
                desk.call("AppendMenu", menu, desk.string(b"Item of the menu %d" % item))
            desk.call("InsertMenu", menu, 0)
        desk.call("DrawMenuBar")
        for place in range(3):
            top = 50 + 20 * place
            self.window = desk.window(top, top, top + 300, top + 400, b"A window", definition=8)
        desk.call("SetPort", self.window)
        self.view = desk.rect(0, 0, 285, 385)
        self.text = desk.call("TENew", self.view, self.view)
        characters = b"Some words of a text that has several lines. " * 60
        desk.call("TESetText", desk.store(characters), len(characters), self.text)
        desk.call("TEActivate", self.text)
        desk.call("TEUpdate", self.view, self.text)
        self.bar = desk.control(self.window, (0, 385, 285, 401), definition=16, maximum=500)

    def _watch(self, *doings: Callable[[], object]) -> Stopwatch:
        watch = Stopwatch(self.desk, list(doings))
        self.desk.mac.events.user = watch
        return watch

    def _moves(self, start: Point, dh: int, dv: int) -> list[Callable[[], None]]:
        return [
            self.desk.move(start.v + dv * number, start.h + dh * number) for number in range(TURNS)
        ]

    def menu(self) -> list[float]:
        """The mouse goes down a menu."""
        places = self.desk.mac.menus.places("File", "Item of the menu 0")
        assert places is not None
        self.desk.press(places[0])
        watch = self._watch(*self._moves(places[1], 0, 4))
        self.desk.call("MenuSelect", places[0])
        self.desk.call("HiliteMenu", 0)
        return watch.times

    def menu_bar(self) -> list[float]:
        """The mouse goes from one title to the next."""
        self.desk.press(Point(10, 15))
        watch = self._watch(*[self.desk.move(10, 15 + 40 * (n % 4)) for n in range(TURNS)])
        self.desk.call("MenuSelect", Point(10, 15))
        self.desk.call("HiliteMenu", 0)
        return watch.times

    def drag(self) -> list[float]:
        """A window is dragged."""
        start = Point(81, 200)
        self.desk.press(start)
        watch = self._watch(*self._moves(start, 3, 2), self.desk.move(start.v, start.h))
        self.desk.call("DragWindow", self.window, start, self.desk.rect(0, 0, 480, 640))
        return watch.times

    def drop(self) -> list[float]:
        """A window is let go elsewhere."""
        times = []
        for number in range(TURNS):
            began = time.process_time()
            self.desk.call("MoveWindow", self.window, 90 + number % 2 * 30, 90, False)
            times.append(time.process_time() - began)
        return times

    def grow(self) -> list[float]:
        """A window is made larger."""
        start = Point(385, 485)
        self.desk.press(start)
        watch = self._watch(*self._moves(start, 2, 1))
        sizes = self.desk.rect(50, 50, 600, 600)
        self.desk.call("GrowWindow", self.window, start, sizes)
        return watch.times

    def select_text(self) -> list[float]:
        """Text is selected with the mouse."""
        self.desk.press(Point(100, 100))
        watch = self._watch(*self._moves(Point(100, 100), 4, 6))
        self.desk.call("TEClick", Point(10, 10), False, self.text)
        return watch.times

    def type_text(self) -> list[float]:
        """A key is typed in a long text."""
        self.desk.call("TESetSelect", 100, 100, self.text)
        return self._times(lambda number: self.desk.call("TEKey", 97 + number % 26, self.text))

    def scroll_text(self) -> list[float]:
        """A long text is scrolled by a line."""
        return self._times(
            lambda number: self.desk.call("TEScroll", 0, -1 + 2 * (number % 2), self.text)
        )

    def scroll_bar(self) -> list[float]:
        """A thumb is dragged."""
        origin = self.desk.mac.quickdraw.to_global(self.window, Point(20, 390))
        self.desk.press(origin)
        watch = self._watch(*self._moves(origin, 0, 4))
        self.desk.call("TrackControl", self.bar, Point(20, 390), 0)
        return watch.times

    def select_window(self) -> list[float]:
        """Another window comes to the front."""
        windows = self.desk.mac.windows.all()
        return self._times(lambda number: self.desk.call("SelectWindow", windows[number % 2]))

    def draw_strings(self) -> list[float]:
        """A program draws 20 lines of text."""

        def draw(number: int) -> None:
            self.desk.call("EraseRect", self.view)
            for line in range(20):
                self.desk.call("MoveTo", 4, 12 + 14 * line)
                self.desk.call("DrawString", text)

        text = self.desk.string(b"A line of text that a program draws")
        return self._times(draw)

    def _times(self, do: Callable[[int], object]) -> list[float]:
        times = []
        for number in range(TURNS):
            began = time.process_time()
            do(number)
            times.append(time.process_time() - began)
        return times


def main() -> None:
    """Print the figures."""
    cpus = ("68000",) if parser_of(__doc__).parse_args().short else ("68000", "601")
    print("milliseconds of one look: the median and the longest; 8 bits, 640 by 480 pixels")
    for cpu in cpus:
        for name in (
            "menu", "menu_bar", "drag", "drop", "grow", "select_text", "type_text", "scroll_text",
            "scroll_bar", "select_window", "draw_strings",
        ):  # fmt: skip
            work = Work(cpu)
            times = [1000 * seconds for seconds in getattr(work, name)()]
            print(f"{cpu:6} {name:14}{statistics.median(times):8.2f}{max(times):8.2f}")


if __name__ == "__main__":
    main()
