"""The page in windows of several sizes, in light and dark, for keys alone, and its policy."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from tests.play.page.conftest import DESK, Page
from tests.play.page.fake_server import HEIGHT, WIDTH, until

SMALL, PHONE = (1024, 768), (390, 800)
PANELS = ("findings", "script", "files", "calls", "windows", "heap", "resources", "keys")
FOCUSED = (
    "(one => one.id || one.value || one.closest('details')?.id || one.textContent)"
    "(document.activeElement)"
)


def fill(page: Page) -> None:
    """Show everything that there can be, with words that are too long."""
    page.fake.send(
        "findings",
        items=[{"n": 1, "check": "c" * 90, "problem": "p" * 300, "place": "CODE 1", "moment": 3}],
    )
    page.fake.send("step", yaml="steps:\n" + "  - type: " + "x" * 300 + "\n")
    page.fake.send("calls", lines=["1 DrawString " + "y" * 400] * 50)
    window = {"title": "t" * 200, "front": True, "visible": True, "bounds": [1, 2, 3, 4]}
    page.fake.send("windows", items=[window] * 20)
    page.fake.send("ended", problem="e" * 400, code=4)
    page.fake.send("difference", what="d" * 300, rectangles=[[1, 1, 5, 5]])
    for name in PANELS:
        page.value(f"document.querySelector('#{name}').open = true")
    until(lambda: page.text("#state") == "Ended")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [DESK, SMALL, PHONE], ids=["desk", "small", "phone"])
@pytest.mark.parametrize("screens", [1, 2])
def test_the_page_fits_its_window_and_asks_only_its_server(page, size, dark, screens):
    page.show(size, dark=dark)
    page.fake.begin(title="A program with a name that is long " * 3, screens=screens)
    fill(page)
    page.frame()
    whole = "document.documentElement"
    assert page.value(f"{whole}.scrollWidth - {whole}.clientWidth") == 0
    own = page.fake.address.partition("?")[0]
    assert [one for one in page.browser.requests if not one.startswith(own)] == []
    assert page.browser.complaints == []
    pixels = np.asarray(Image.open(io.BytesIO(page.browser.picture())).convert("L"))
    assert (np.median(pixels) < 64) == dark
    assert pixels.min() < 64 and pixels.max() > 192, "there is something to read"


@pytest.mark.parametrize("size", [(1024, 768), (1280, 900), (1920, 1080)])
def test_the_panels_are_beside_the_screen_where_there_is_room(page, size):
    page.show(size)
    page.fake.begin(width=640, height=480)
    page.fake.send("ended", problem="A sentence that is long. " * 20, code=4)
    page.frame()
    box = "document.querySelector('{}').getBoundingClientRect()"
    assert page.value(f"{box.format('.panels')}.left >= {box.format('.stage')}.right")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_differ_enough_from_what_is_behind_them(page, dark):
    """By the measure of WCAG 2.2, section 1.4.3: 4.5 to 1."""
    page.show(dark=dark)

    def light(name: str) -> float:
        style = f"getComputedStyle(document.documentElement).getPropertyValue('--{name}')"
        text = page.value(style).strip().lstrip("#")
        parts = [int(text[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    words = ("ink", "dark", "good", "bad", "doubtful", "link")
    pairs = [(name, behind) for name in words for behind in ("paper", "page")]
    pairs += [("ink", "press"), ("on-strong", "strong")]
    for name, behind in pairs:
        low, high = sorted((light(name), light(behind)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (name, behind)


def test_the_keys_reach_everything_in_the_order_of_reading(shown):
    shown.fake.moment(3, 9, "paused")
    finding = {"n": 1, "check": "odd", "problem": "p", "place": "CODE 1", "moment": 3}
    shown.fake.send("findings", items=[finding])
    shown.fake.send("step", yaml="steps:\n  - type: a\n")
    until(lambda: shown.text("#script .count") == "1")
    reached = []
    for _ in range(40):
        shown.browser.press("Tab")
        if shown.value("document.activeElement === document.body"):
            break
        reached.append(shown.value(FOCUSED))
        style = "getComputedStyle({}).outlineStyle"
        shows = "document.activeElement"  # or what stands for an input that is not seen itself
        beside = "document.activeElement.labels?.[0]?.querySelector('span') ?? document.body"
        outlines = [shown.value(style.format(one)) for one in (shows, beside)]
        assert "solid" in outlines, reached[-1]
    assert reached[0].startswith("Skip to the Macintosh")
    assert reached[1:6] == ["fit", "full", "mute", "end", "screen-0"]
    assert reached[6:] == [
        *("pause", "slider", "fork"),
        *("findings", "findings", "script", "script", "save", "compare", "text", "script"),
        *("files", "calls", "windows", "heap", "resources", "keys"),
    ]


def test_the_screen_is_reached_by_the_first_link(shown):
    shown.browser.press("Tab")
    shown.browser.press("Enter")
    assert shown.value("document.activeElement.id") == "screen-0"
    shown.browser.press("a")
    shown.fake.wait_for("key_down", key="a")


def test_the_keys_are_told_on_the_page(shown):
    told = shown.text("#keys tbody")
    for word in ("Command", "Option", "F2", "leaves the screen", "full screen"):
        assert word in told


def test_full_screen_shows_the_largest_whole_size(shown):
    shown.browser.click(*shown.value(
        "(({left, top}) => [left + 5, top + 5])"
        "(document.querySelector('#full').getBoundingClientRect())"
    ))  # fmt: skip
    until(lambda: shown.value("document.fullscreenElement?.id") == "screens")
    width = "document.querySelector('#screen-0').getBoundingClientRect().width"
    fits = f"Math.floor(Math.min(innerWidth / {WIDTH}, innerHeight / {HEIGHT}))"
    until(lambda: shown.value(width) == WIDTH * shown.value(fits))
    assert shown.value("document.activeElement.id") == "screen-0"
    shown.value("document.exitFullscreen()")
    until(lambda: not shown.value("document.fullscreenElement"))


def test_what_is_not_its_servers_is_refused_by_the_pages_own_policy(shown):
    shown.value(
        """(() => {
        const script = document.createElement("script");
        script.textContent = "document.title = '!'";
        const image = document.createElement("img");
        image.src = "http://127.0.0.1:9/x.png";
        document.body.append(script, image);
        })()"""
    )
    until(lambda: shown.value("document.title") and len(shown.browser.complaints) >= 2)
    assert shown.value("document.title") == "Ledger (macproof play)"
    policy = shown.value(
        "document.querySelector('meta[http-equiv=\"Content-Security-Policy\"]').content"
    )
    assert "default-src 'none'" in policy and "unsafe" not in policy
