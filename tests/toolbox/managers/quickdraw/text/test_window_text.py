"""A window's text, read from where its characters were drawn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.quickdraw.text.window_text import PortText, Spacing
from tests.examples import examples
from tests.toolbox.quickdraw_kit import Drawing

ROWS, COLUMNS = 5, 20


class Console:
    """Writes as a console does: blanks on blank paper and ends of lines are never drawn."""

    def __init__(self, draw: Drawing) -> None:
        self._draw = draw
        draw.call("TextFont", 4)
        draw.call("TextSize", 9)
        self._width = draw.call("CharWidth", ord("M"))
        self._bounds = Rectangle(2, 2, 2 + 12 * ROWS, 2 + self._width * COLUMNS)
        self._row = self._column = 0

    def write(self, text: str) -> None:
        """Write, with line feeds."""
        draw = self._draw
        for character in text:
            if character == "\n":
                self._row, self._column = self._row + 1, 0
                if self._row == ROWS:
                    r = self._bounds
                    draw.call("ScrollRect", draw.rect(r.left, r.top, r.right, r.bottom), 0, -12, 0)
                    self._row -= 1
                continue
            if character != " ":
                draw.call("MoveTo", 2 + self._width * self._column, 2 + 12 * self._row + 10)
                draw.call("DrawChar", ord(character))
            self._column += 1

    def redraw(self, lines: list[str]) -> None:
        """Draw the window anew, as after it was uncovered."""
        r = self._bounds
        self._draw.call("EraseRect", self._draw.rect(r.left, r.top, r.right, r.bottom))
        for row, line in enumerate(lines):
            self._draw.call("MoveTo", 2, 2 + 12 * row + 10)
            for character in line.ljust(COLUMNS):
                self._draw.call("DrawChar", ord(character))


@pytest.fixture
def draw(mac: Macintosh) -> Drawing:
    """A port as large as the screen."""
    return Drawing(mac)


def text_of(draw: Drawing) -> str:
    """What was drawn in the current port."""
    return draw.mac.quickdraw_text.captured.text(draw.port)


def test_a_console_that_scrolls(draw: Drawing) -> None:
    text = "Collision testing...\n 0 objects:  81.6\n\n50   objects: 80\n" + "".join(
        f"line {n}\n" for n in range(12)
    )
    Console(draw).write(text)
    assert text_of(draw) == text.rstrip("\n")
    assert draw.mac.quickdraw_text.captured.text(0x1234) == ""


def test_a_window_drawn_anew_says_nothing_new(draw: Drawing) -> None:
    console = Console(draw)
    console.write("one\ntwo")
    console.redraw(["one", "two"])
    console.redraw(["one", "two"])
    assert text_of(draw) == "one\ntwo"


def test_what_is_erased_for_something_else_is_kept(draw: Drawing) -> None:
    console = Console(draw)
    console.write("first page\nof two")
    console.redraw(["second", "page"])
    console.write("\n\n\n\n\n")
    assert text_of(draw) == "first page\nof two\nsecond\npage"


def test_a_character_that_is_written_over(draw: Drawing) -> None:
    console = Console(draw)
    console.write("cat")
    width = draw.call("CharWidth", ord("M"))
    draw.call("EraseRect", draw.rect(2, 2, 2 + width, 14))
    draw.call("MoveTo", 2, 12)
    draw.call("DrawChar", ord("h"))
    assert text_of(draw) == "hat"


def test_strings_in_a_proportional_font(draw: Drawing) -> None:
    for h, v, text in ((200, 40, b"Are you"), (20, 60, b"left"), (120, 60, b"right")):
        draw.call("MoveTo", h, v)
        draw.call("DrawString", draw.string(text))
    assert text_of(draw) == "Are you\nleft right"


def test_text_so_far_is_that_of_closed_and_open_windows(draw: Drawing) -> None:
    draw.mac.outputs.keep_window("Closed", "before")
    draw.call("MoveTo", 10, 20)
    draw.call("DrawString", draw.string(b"here"))
    draw.window(300, 300, 100, 100)
    draw.call("MoveTo", 10, 20)
    draw.call("DrawString", draw.string(b"there"))
    assert draw.mac.quickdraw_text.text_so_far() == "before\nhere\nthere"


def test_looking_at_the_text_changes_nothing(draw: Drawing) -> None:
    console = Console(draw)
    console.write("one")
    draw.call("EraseRect", draw.rect(0, 0, 640, 480))
    assert text_of(draw) == "one"
    console.redraw(["one"])
    assert text_of(draw) == "one"


def test_a_port_that_is_forgotten(draw: Drawing) -> None:
    draw.call("DrawString", draw.string(b"old"))
    draw.mac.quickdraw_text.captured.forget(draw.port)
    assert text_of(draw) == ""


LINE = st.text(st.sampled_from("ab. "), max_size=12).map(str.rstrip)


@settings(max_examples=examples(200))
@given(lines=st.lists(LINE, min_size=1, max_size=12))
def test_any_text_comes_back(lines: list[str]) -> None:
    """On paper so long that nothing scrolls, and on paper of three lines."""
    # Blanks before all others of the text cannot be seen, nor lines before the first.
    visible = [line for line in lines if line]
    if not visible or any(not line.startswith(("a", "b", ".")) for line in visible):
        return
    expected = "\n".join(lines).strip("\n")
    for rows in (100, 3):
        port = PortText(Spacing(6, 12, True))
        area = Rectangle(0, 0, 12 * rows, 600)
        row = 0
        for number, line in enumerate(lines):
            if number:
                row += 1
                if row == rows:
                    port.scroll(area, 0, -12)
                    row -= 1
            for column, character in enumerate(line):
                if character != " ":
                    port.draw(character.encode(), [6], Point(12 * row + 10, 6 * column))
        assert b"\n".join(port.lines()).decode() == expected
