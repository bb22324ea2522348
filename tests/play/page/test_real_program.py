"""`macproof play` in a real browser: menus, typing, windows, time, the recording."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from emu.runner.runner import RunRequest, load_request
from emu.toolbox.computer.settings import Settings
from emu.toolbox.users.events_file import read_events
from emu.toolbox.users.inputs import RecordedUser
from tests.play.page.conftest import DESK, Page
from tests.play.page.fake_server import until
from tests.report.browser import Browser

NOTES = Path(__file__).parents[2] / "programs" / "mac" / "prebuilt"
TITLE_BAR, GROW_ICON, MENU, CLEAR = (150, 50), (333, 193), (40, 10), (40, 28)
PIXELS = (
    "(() => {{ const c = document.querySelector('#screen-{}');"
    " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
    " let text = ''; for (let i = 0; i < d.length; i += 4) text += d[i] > 127 ? 1 : 0;"
    " return text; }})()"
)


class PlayedPage(Page):
    """The page of a program that runs on this computer."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address

    def show(self, size: tuple[int, int] = DESK, dark: bool = False, scale: float = 1) -> None:
        self.browser.show(self.address, *size, dark=dark, scale=scale)
        until(lambda: self.text("#state") == "Running", "the program")

    def pixels(self, screen: int = 0) -> np.ndarray:
        """The Macintosh's screen in black and white: true where it is white."""
        width = self.value(f"document.querySelector('#screen-{screen}').width")
        text = self.value(PIXELS.format(screen))
        return (np.frombuffer(text.encode(), np.uint8) == ord("1")).reshape(-1, width)

    def press(self, h: int, v: int) -> None:
        self.browser.button_down(*self.place(h, v))

    def drag(self, h: int, v: int) -> None:
        self.browser.point_at(*self.place(h, v), is_held=True)

    def release(self, h: int, v: int) -> None:
        self.browser.button_up(*self.place(h, v))

    def type(self, text: str) -> None:
        self.value("document.querySelector('#screen-0').focus()")
        for letter in text:
            self.browser.press(letter)

    def until_screen(self, what: str, truth) -> None:
        """Wait until the screen looks as it should."""
        until(lambda: truth(self.pixels()), what)

    def windows(self) -> tuple[int, ...]:
        """The bounds of the first window as the panel has them."""
        cells = "[...document.querySelectorAll('#windows td')].map(one => one.textContent)"
        found = self.value(cells)
        return tuple(map(int, found[3].split(", "))) if len(found) > 3 else ()

    def go_to(self, moment: int) -> None:
        """Move the slider, and wait until the moment is there."""
        self.enter("#slider", str(moment))
        until(lambda: f"moment {moment:,} of" in self.text("#moment"), f"moment {moment}")

    def moment(self) -> int:
        return int(self.text("#moment").split("moment ")[1].split(" ")[0].replace(",", ""))


def close(page: PlayedPage) -> None:
    """Close the page, as far as a browser with one page can."""
    page.browser.show("about:blank", *DESK)


@contextmanager
def playing(
    browser: Browser, *words: str, leave: Callable[[PlayedPage], None] = close
) -> Iterator[PlayedPage]:
    """The command, and a page that shows what it plays and is left in the end."""
    command = [sys.executable, "-m", "macproof", "play", *words, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            page = PlayedPage(browser, process.stdout.readline().strip())
            page.show()
            yield page
            leave(page)
            assert process.wait(30) == 0, "leaving the page ends the run"
        finally:
            process.kill()


def saved(page: PlayedPage, folder: Path) -> Path:
    """Save the recording, and give the file with the exact events."""
    behavior = {"behavior": "allow", "downloadPath": folder.as_posix()}
    page.browser.ask("Page.setDownloadBehavior", **behavior)
    page.click("#save")
    return until(lambda: next(folder.glob("*.events.yaml"), None), "the recording")


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_program_is_played_recorded_and_replayed(browser, tmp_path, cpu):
    program = NOTES / cpu / "notes.bin"
    with playing(browser, str(program)) as page:
        until(page.windows, "the window")
        before = page.pixels()

        page.press(*MENU)
        page.until_screen("the menu", lambda now: (now != before)[20:60, 10:120].any())
        page.drag(*CLEAR)
        page.until_screen("the item under the mouse", lambda now: not now[24:34, 14:20].any())
        page.release(300, 300)
        page.until_screen("no menu", lambda now: (now == before)[20:50].all())

        page.type("Hello, world")
        text = slice(62, 80), slice(44, 200)
        page.until_screen("the text", lambda now: (~now[text]).sum() > 100)

        left, top, right, bottom = page.windows()
        page.press(*TITLE_BAR)
        for step in range(1, 21):
            page.drag(TITLE_BAR[0] + 5 * step, TITLE_BAR[1] + 3 * step)
        page.release(TITLE_BAR[0] + 100, TITLE_BAR[1] + 60)
        moved = (left + 100, top + 60, right + 100, bottom + 60)
        until(lambda: page.windows() == moved, "the moved window")
        assert page.value("document.querySelector('#state').textContent") == "Running"

        page.click("#pause")
        until(lambda: page.text("#state") == "Paused")
        end, shown = page.moment(), page.pixels()
        events = saved(page, tmp_path)
        assert page.browser.complaints == []

    settings = Settings(keep_log=True, timeout=60)
    mac = load_request(RunRequest(program, cpu=None, settings=settings))
    user = mac.events.user = Until(mac, read_events(events).inputs, end)
    with pytest.raises(Reached):
        mac.run()
    assert user.looks == end
    screen = mac.quickdraw.screen
    colors = screen.space.colors(screen.pixels(screen.bounds))
    assert np.array_equal(colors[:, :, 0] > 127, shown)
    assert [call.routine.name for call in mac.log.calls].count("DragWindow") == 1


class Reached(BaseException):
    """The moment has come at which the page was paused."""


class Until(RecordedUser):
    """Repeats a recording up to a moment."""

    def __init__(self, mac, recording, end: int) -> None:
        super().__init__(mac, recording)
        self._end = end

    def act(self) -> bool:
        if self.looks + 1 == self._end:
            self.looks += 1
            raise Reached
        return super().act()


def test_time_goes_back_and_on_from_there(browser):
    with playing(browser, str(NOTES / "68000" / "notes.bin")) as page:
        until(page.windows, "the window")
        until(lambda: page.moment() > 0)
        empty, start = page.pixels(), page.moment()
        page.type("First")
        time.sleep(0.5)
        first, middle = page.pixels(), page.moment()
        page.type(" and second")
        time.sleep(0.5)
        page.click("#pause")
        until(lambda: page.text("#state") == "Paused")
        page.go_to(middle)
        caret = slice(62, 80)  # it blinks, in the line of the text
        assert ((page.pixels() != first)[caret].sum()) < 20
        assert np.array_equal(page.pixels()[90:], first[90:])
        page.go_to(start)
        assert (page.pixels() != empty).sum() < 20
        page.click("#pause")
        until(lambda: page.text("#state") == "Replaying")
        page.until_screen("what was typed", lambda now: (now != empty)[caret].sum() > 30)
        page.click("#pause")
        until(lambda: page.text("#state") == "Paused")
        page.go_to(middle)
        page.click("#fork")
        until(lambda: page.text("#state") == "Running")
        page.type("!")
        page.until_screen("another text", lambda now: (now != first)[caret].sum() > 3)
        assert page.value("document.querySelector('#fork').disabled")


def test_a_program_that_ends_is_told_and_can_be_gone_back_to(browser):
    with playing(browser, str(NOTES / "68000" / "notes.bin")) as page:
        until(page.windows, "the window")
        until(lambda: page.moment() > 5)
        page.type("")
        page.browser.press("q", "Control")
        until(lambda: page.text("#state") == "Ended", "the end")
        assert "Move the slider to see what came before." in page.text("#notice")
        page.go_to(5)
        assert page.text("#state") == "Paused"


def test_a_button_ends_the_run(browser):
    def end(page: PlayedPage) -> None:
        page.click("#end")
        assert "You have ended the run" in page.text("#notice")

    with playing(browser, str(NOTES / "68000" / "notes.bin"), leave=end) as page:
        until(page.windows, "the window")


def test_two_programs_are_played_at_once(browser):
    programs = [str(NOTES / cpu / "notes.bin") for cpu in ("68000", "601")]
    with playing(browser, programs[0], "--against", programs[1]) as page:
        until(page.windows, "the window")
        page.type("Twice")
        time.sleep(1.0)
        page.click("#pause")
        until(lambda: page.text("#state") == "Paused")
        time.sleep(0.5)
        one, other = page.pixels(0), page.pixels(1)
        assert (~one[62:80, 44:200]).sum() > 30, "there is text"
        assert (one != other).sum() < 20, "but for the caret"
        assert page.text("#differences .empty") == "The two programs have done the same."


def test_a_second_page_is_refused_with_a_sentence(browser, tmp_path_factory):
    from tests.report.browser import find_browser, running

    with playing(browser, str(NOTES / "68000" / "notes.bin")) as page:
        with running(find_browser() or "", tmp_path_factory.mktemp("second")) as second:
            second.show(page.address, *DESK)
            other = Page(second, None)  # type: ignore[arg-type]
            until(lambda: other.text("#state") == "No connection")
            assert "another page" in other.text("#notice")
        assert page.text("#state") == "Running"
