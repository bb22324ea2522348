"""The HTML form in a real browser, in its light and its dark colours, on a desk and on a phone."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from emu.report.document import Document, Excerpt, Section, Table
from emu.report.forms.html import to_html
from emu.report.plots.plot_style import HUES
from emu.report.verdict_words import TONES
from tests.report.browser import NAMES, find_browser, running
from tests.report.forms.test_html import GOOD, whole
from tests.report.samples import HOSTILE

PROGRAM = find_browser()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason=f"there is no browser: {', '.join(NAMES)}"),
]
DESK, PHONE = (1280, 900), (390, 800)
FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with running(PROGRAM or "", tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, documents in (("one", [whole()]), ("many", [GOOD, whole(), GOOD])):
        (folder / f"{name}.html").write_text(to_html(documents), "utf-8")
    return {name: folder / f"{name}.html" for name in ("one", "many")}


@pytest.mark.parametrize("name", ["one", "many"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_page_fits_its_window_and_fetches_nothing(browser, pages, name, size, dark):
    browser.show(pages[name], *size, dark=dark)
    page = "document.documentElement"
    assert browser.value(f"{page}.scrollWidth - {page}.clientWidth") == 0
    assert browser.requests == [pages[name].as_uri()]
    assert browser.complaints == []
    pixels = np.asarray(Image.open(io.BytesIO(browser.picture())).convert("L"))
    assert (np.median(pixels) < 64) == dark
    assert pixels.min() < 64 and pixels.max() > 192, "there is something to read"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_differ_enough_from_what_is_behind_them(browser, pages, dark):
    """By the measure of WCAG 2.2, section 1.4.3: 4.5 to 1."""
    browser.show(pages["one"], *DESK, dark=dark)

    def light(name: str) -> float:
        style = f"getComputedStyle(document.documentElement).getPropertyValue('--{name}')"
        text = browser.value(style).strip().lstrip("#")
        parts = [int(text[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    pairs = [(name, "paper") for name in ("ink", "dark", "good", "bad", "doubtful", "link")]
    pairs += [(f"hue-{number}", "paper") for number in range(len(HUES))]
    pairs += [("ink", name) for name in ("bar", "hot", "warm")]
    for name, behind in pairs:
        low, high = sorted((light(name), light(behind)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (name, behind)


def test_the_keys_reach_everything_in_the_order_of_reading(browser, pages):
    browser.show(pages["one"], *DESK)
    reached = []
    for _ in range(40):
        browser.press("Tab")
        if browser.value("document.activeElement === document.body"):
            break
        reached.append(browser.value(FOCUSED))
    sections = [section.title for section in whole().sections if not section.is_detail]
    assert reached[0] == "Skip to what was found"
    assert reached[1:4] == ["Programs", "Plots", "Failures"]
    rest = reached[1 + len(sections) :]
    summaries = ["Receipt", *["The numbers of this plot"] * 3]
    shapes = ["object 1 at (20, 20)", rest[5], "object 1 at (20, 20)"]
    too_wide = ["".join(map(str, range(40))), "x" * 300]
    film = ["The film of the run", "12 Toolbox calls", "1 call", *["2 calls"] * 4]
    lines = ["a.c:3", "    return 1;", "lines 10 to 43: no code"]
    assert rest == [*summaries, *shapes, *too_wide, *lines, *film]


def test_the_film_is_moved_by_the_keys_of_arrows_and_its_calls_open(browser, pages):
    browser.show(pages["one"], *DESK)
    browser.value("document.querySelector('.film').focus()")
    strip = "document.querySelector('.film')"
    assert browser.value(f"{strip}.scrollWidth > {strip}.clientWidth")
    browser.press("ArrowRight")
    moved = f"new Promise(done => setTimeout(() => done({strip}.scrollLeft), 500))"
    assert browser.value(moved) > 0
    browser.press("Tab")
    assert browser.value(FOCUSED) == "12 Toolbox calls"
    browser.press("Enter")
    assert browser.value("document.querySelector('.film details').open") is True
    hidden = "document.querySelector('.film table').getBoundingClientRect().height"
    assert browser.value(hidden) > 0


def test_the_focus_is_seen_and_folded_parts_open(browser, pages):
    browser.show(pages["one"], *DESK)
    browser.press("Tab")
    assert browser.value("document.activeElement.getBoundingClientRect().left") >= 0
    assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.press("Enter")
    assert browser.value("document.activeElement.id") == "found"
    browser.press("Tab")
    assert browser.value(FOCUSED) == "Receipt"
    is_open = "document.querySelector('details.section').open"
    assert browser.value(is_open) is False
    browser.press("Enter")
    assert browser.value(is_open) is True


def test_objects_tell_what_they_are_by_keys_and_by_pointing(browser, pages):
    browser.show(pages["one"], *DESK)
    told = "document.querySelector('.told').textContent"
    assert browser.value(told).startswith("Point at an object")
    browser.value("document.querySelector('.shape[tabindex=\"0\"]').focus()")
    assert browser.value(told) == "object 1 at (20, 20)"
    assert browser.value("document.querySelectorAll('.partner').length") == 2
    browser.press("ArrowRight")
    assert browser.value(told) == "object 0 at (10, 10), hits 1"
    browser.press("ArrowLeft")
    assert browser.value(told) == "object 1 at (20, 20)"
    browser.value("document.querySelector('.windows').scrollIntoView()")
    box = "document.querySelector('.shape').getBoundingClientRect()"
    left, top = browser.value(f"[{box}.left, {box}.top]")
    browser.point_at(left + 3, top + 3)
    assert browser.value(told) == "object 0 at (10, 10), hits 1"


def test_a_link_opens_the_report_that_it_leads_to(browser, pages):
    browser.show(pages["many"], *PHONE)
    third = "document.getElementById('report-3').closest('details').open"
    assert browser.value(third) is False
    browser.value("document.querySelector('a[href=\"#report-3\"]').click()")
    browser.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert browser.value(third) is True
    top = browser.value("document.getElementById('report-3').getBoundingClientRect().top")
    assert 0 <= top < PHONE[1]


def test_a_line_of_a_listing_opens_to_what_it_is_made_of(browser, pages):
    browser.show(pages["one"], *DESK)
    line = "document.getElementById('source-0-3')"
    browser.value("document.querySelector('a[href=\"#source-0-3\"]').click()")
    assert browser.value(f"{line}.matches(':target')") is True
    assert browser.value(f"{line}.querySelector('table').checkVisibility()") is False
    browser.value(f"{line}.querySelector('summary').focus()")
    browser.press("Enter")
    assert browser.value(f"{line}.querySelector('table').checkVisibility()") is True
    bar = f"getComputedStyle({line}.querySelector('.bar')).backgroundSize"
    assert browser.value(bar).startswith("100%")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_source_line_is_seen_and_copied_without_its_number(browser, tmp_path, size):
    lines = ("first();", HOSTILE, "x = " + "y" * 200 + ";")
    sections = (
        Section("Failures", (Excerpt("my_port.cpp", 99, lines, 100),)),
        Section("Figures", ("Folded words.",), is_folded=True),
    )
    page = tmp_path / "excerpt.html"
    page.write_text(to_html([Document("Refuted", sections)]), "utf-8")
    browser.show(page, *size)
    assert browser.complaints == []
    assert browser.value("document.documentElement.scrollWidth - innerWidth") <= 0
    assert browser.value("document.querySelector('mark').checkVisibility()") is True
    copied = browser.value(
        "getSelection().selectAllChildren(document.querySelector('.excerpt pre')), "
        "getSelection().toString()"
    )
    assert copied.startswith("first();\n") and "99" not in copied
    folded = "document.querySelector('details.section')"
    assert browser.value(f"{folded}.querySelector('p').checkVisibility()") is False
    browser.value(f"{folded}.querySelector('summary').click()")
    assert browser.value(f"{folded}.querySelector('p').checkVisibility()") is True


def test_a_page_that_does_not_fit_or_fetches_something_would_be_seen(browser, pages, tmp_path):
    text = pages["one"].read_text("utf-8")
    bad = text.replace("overflow-x: auto", "").replace(
        "</main>",
        '<img src="http://127.0.0.1:9/x.png"><script>document.title = "!"</script></main>',
    )
    (tmp_path / "bad.html").write_text(bad, "utf-8")
    browser.show(tmp_path / "bad.html", *PHONE)
    assert browser.value("document.documentElement.scrollWidth") > PHONE[0]
    assert browser.complaints, "the page's own policy refuses both"
    assert browser.value("document.title") != "!"


def test_rows_are_searched_chosen_and_sorted(browser, tmp_path):
    rows = (("CODE 1+0x10", "verified", "1,200"), ("CODE 1+0x9", "refuted", "84"), ("b", "x", "9"))
    table = Table(("place", "state", "bytes"), rows, words=2, tones=TONES, choices=("refuted", "x"))
    page = tmp_path / "page.html"
    page.write_text(to_html([Document("a port", (Section("Functions", (table,)),))]), "utf-8")
    browser.show(page, *DESK)
    shown = "[...document.querySelectorAll('tbody tr:not([hidden]) th')].map(c => c.textContent)"
    count = "document.querySelector('output').textContent"

    def enter(kind: str, value: str) -> list[str]:
        event = "input" if kind == "input" else "change"
        browser.value(
            f"(() => {{ const one = document.querySelector('{kind}'); one.value = '{value}';"
            f" one.dispatchEvent(new Event('{event}')); }})()"
        )
        return browser.value(shown)

    assert enter("input", "code") == ["CODE 1+0x10", "CODE 1+0x9"]
    assert browser.value(count) == "2"
    assert enter("select", "refuted") == ["CODE 1+0x9"]
    assert enter("select", "x") == []
    enter("select", "")
    enter("input", "")
    click = "document.querySelectorAll('thead button')[2].click()"
    browser.value(click)
    assert browser.value(shown) == ["b", "CODE 1+0x9", "CODE 1+0x10"]
    browser.value(click)
    assert browser.value(shown) == ["CODE 1+0x10", "CODE 1+0x9", "b"]
    assert browser.complaints == []
