"""The Macintosh's screen in the page: its pixels, its sizes, its cursor."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from tests.play.page.conftest import Page
from tests.play.page.fake_server import HEIGHT, WIDTH, until

CANVAS = "document.querySelector('#screen-0')"


def picture_of(page: Page) -> np.ndarray:
    """What a user sees."""
    return np.asarray(Image.open(io.BytesIO(page.browser.picture(is_whole=False))).convert("RGB"))


def drawing(page: Page) -> np.ndarray:
    """Show a screen of random pixels, of which some are drawn once more; they are returned."""
    generator = np.random.default_rng(36)
    pixels = generator.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    page.fake.draw(pixels, 0, 0)
    patch = generator.integers(0, 256, (20, 33, 3), dtype=np.uint8)
    page.fake.draw(patch, 401, 97)
    page.frame()
    page.frame()
    pixels[97:117, 401:434] = patch
    return pixels


@pytest.mark.parametrize(
    ("size", "scale", "each"),
    [("1", 1, 1), ("2", 1, 2), ("1", 2, 2), ("1", 1.5, 2), ("2", 1.25, 3), ("fit", 1, 2)],
)
def test_each_pixel_is_seen_at_each_size(page, size, scale, each):
    """Beside 1x and 2x, ``each`` is how many pixels of the computer a Macintosh's one takes."""
    page.show((1600, 1000), scale=scale)
    page.fake.begin()
    page.click(f"#sizes [value='{size}']")
    pixels = drawing(page)
    left, top = (round(value * scale) for value in page.place(-0.5, -0.5))
    seen = picture_of(page)[top : top + HEIGHT * each, left : left + WIDTH * each]
    assert np.array_equal(seen, pixels.repeat(each, 0).repeat(each, 1))


def test_frames_that_are_not_whole_are_left_out(shown):
    pixels = drawing(shown)
    for frame in (b"", b"\1", b"\1" + bytes(9), b"\1\0" + bytes(2) + b"\xff" * 8, b"\7" * 14):
        shown.fake.send_bytes(frame)
    shown.fake.send_bytes(b"\1\5\0\0\0\0\1\0\1\0abcd")  # of a screen that there is not
    shown.frame()
    read = f"[...{CANVAS}.getContext('2d').getImageData(401, 97, 1, 1).data]"
    assert shown.value(read) == [*pixels[97, 401].tolist(), 255]
    assert shown.browser.complaints == []


def test_the_largest_whole_size_that_has_room_is_taken(page):
    page.show((1024, 768))
    page.fake.begin(width=640, height=480)
    page.frame()
    assert page.value(f"{CANVAS}.getBoundingClientRect().width") == 640
    page.show((390, 800))
    page.fake.begin(width=640, height=480)
    page.frame()
    assert page.value(f"{CANVAS}.getBoundingClientRect().width") < 390


def cursor(width: int = 16) -> str:
    """A black arrow's square, as a PNG in base64."""
    output = io.BytesIO()
    Image.new("RGBA", (width, width), (0, 0, 0, 255)).save(output, "PNG")
    return base64.b64encode(output.getvalue()).decode()


@pytest.mark.parametrize(("size", "spot"), [("1", "3 5"), ("2", "6 10")])
def test_the_cursor_is_the_macintoshs(shown, size, spot):
    shown.click(f"#sizes [value='{size}']")
    shown.fake.send("cursor", png=cursor(), h=3, v=5, visible=True)
    style = f"getComputedStyle({CANVAS}).cursor"
    until(lambda: spot in shown.value(style), "the cursor")
    address = f'{style}.match(/data:[^")]*/)[0]'
    width = (
        "new Promise((done) => { const image = new Image();"
        f" image.onload = () => done(image.width); image.src = {address}; }})"
    )
    assert shown.value(width) == 16 * int(size)
    shown.fake.send("cursor", png=cursor(), h=3, v=5, visible=False)
    until(lambda: shown.value(style) == "none", "no cursor")
    shown.fake.send("cursor", png="AAAA", h=3, v=5, visible=True)
    until(lambda: shown.value(style) == "default", "the ordinary cursor")


def test_where_two_programs_differ_lights_up_on_both(page):
    page.show((1280, 900))
    page.fake.begin(screens=2)
    grey = np.full((HEIGHT, WIDTH, 3), 128, np.uint8)
    page.fake.draw(grey, 0, 0, 0)
    page.fake.draw(grey, 0, 0, 1)
    for screen in (0, 1):
        canvas = f"document.querySelector('#screen-{screen}')"
        read = f"[...{canvas}.getContext('2d').getImageData(9, 9, 1, 1).data]"
        until(lambda read=read: page.value(read) == [128, 128, 128, 255], "both are drawn")
    page.frame()
    before = picture_of(page)
    page.fake.send("difference", what="2 windows, not 1", rectangles=[[100, 50, 80, 40]])
    until(lambda: page.text("#differences .what") == "2 windows, not 1")
    page.frame()
    after = picture_of(page)
    for screen in (0, 1):
        box = page.value(
            f"(({{left, top}}) => [left, top])(document.querySelector('#screen-{screen}')"
            ".getBoundingClientRect())"
        )
        left, top = (round(value) for value in box)
        changed = (before != after).any(axis=2)[top : top + HEIGHT, left : left + WIDTH]
        rows, columns = np.nonzero(changed)
        assert (columns.min(), columns.max(), rows.min(), rows.max()) == (98, 181, 48, 91)
        assert not changed[50:90, 100:180].any(), "only the edge is drawn"
    page.fake.send("difference", what="", rectangles=[])
    until(lambda: page.value("document.querySelector('.differences').hidden"))
    assert page.text("#differences .empty") == "The two programs have done the same."


def test_the_mouse_is_seen_on_the_other_screen_too(page):
    page.show((1280, 900))
    page.fake.begin(screens=2)
    page.fake.send("cursor", png=cursor(), h=3, v=5, visible=True)
    until(lambda: "data:" in page.value(f"getComputedStyle({CANVAS}).cursor"))
    page.browser.point_at(*page.place(50, 60))
    until(lambda: pointer(page, 1))
    assert pointer(page, 1) == ["47px", "55px", "16px"]
    assert pointer(page, 0) is None, "there is the user's own"


def pointer(page: Page, screen: int) -> list[str] | None:
    """Where a pointer is on a screen, and how wide; None if there is none."""
    return page.value(
        "(({hidden, style: {left, top, width}}) => hidden ? null : [left, top, width])"
        f"(document.querySelectorAll('.pointer')[{screen}])"
    )


def test_the_mouse_of_a_moment_that_is_repeated_is_seen(shown):
    shown.click("#sizes [value='2']")
    shown.fake.send("cursor", png=cursor(), h=3, v=5, visible=True)
    until(lambda: "data:" in shown.value(f"getComputedStyle({CANVAS}).cursor"))
    shown.fake.moment(4, 9, "paused", mouse=[50, 60])
    until(lambda: pointer(shown, 0))
    assert pointer(shown, 0) == ["94px", "110px", "32px"]
    shown.fake.moment(9, 9, "paused", mouse=[50, 60])
    until(lambda: not pointer(shown, 0))
