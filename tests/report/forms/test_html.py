"""Documents as HTML: all in one file, nothing obeyed, nothing fetched."""

from __future__ import annotations

import dataclasses
import functools
import re
from html.parser import HTMLParser

import pytest

from emu.report.document import (
    Document,
    Film,
    FilmFrame,
    Literal,
    Outcome,
    PngPicture,
    Section,
    Table,
    Tone,
)
from emu.report.figure import Box, Shape, ShapeKind
from emu.report.forms.html import to_html
from emu.report.forms.markdown import to_markdown
from emu.report.plots.plot_files import plot_file
from tests.report.samples import (
    CAME,
    COSTS,
    DOCUMENT,
    HOSTILE,
    LINKED,
    LISTING,
    PRICES,
    REPORTS,
    SPEEDS,
)

VOID = {"meta", "link", "img"}
EXPECTED = dataclasses.replace(
    CAME, title="What was expected", shapes=(Shape(Box(1, 2, 9, 9), HOSTILE, ShapeKind.CIRCLE),)
)
GOOD = dataclasses.replace(DOCUMENT, title="Other", outcome=Outcome("verified", Tone.GOOD))


@functools.cache
def film() -> Film:
    """Frames with and without a picture, and one in which something was found."""
    png, calls = plot_file(COSTS, ".png"), Table(("routine", "calls"), (("DrawString", "12"),))
    return Film(
        (
            FilmFrame(("The program starts",), "0.1 s", png, (), "12 Toolbox calls", calls),
            FilmFrame((HOSTILE, "2. key: x"), "0.2 s", b"", (HOSTILE,), "1 call", calls),
        )
        + (FilmFrame(("3. type: x",), "0.3 s", png, (), "2 calls", calls),) * 4
    )


@functools.cache
def whole() -> Document:
    """A document with one of everything; drawing its plot takes a while."""
    sections = (
        *DOCUMENT.sections,
        Section("Plots", (SPEEDS, COSTS, REPORTS)),
        Section("Failures", ("It failed.", CAME, EXPECTED, "It failed again.", CAME)),
        Section(HOSTILE, (HOSTILE, PngPicture(HOSTILE, plot_file(COSTS, ".png")))),
        Section("Wide", (Table(tuple(map(str, range(40))), ()), Literal(("x" * 300,)))),
        Section("Source", (LINKED, LISTING, PRICES)),
        Section("Film", (film(),)),
    )
    return dataclasses.replace(DOCUMENT, sections=sections)


class Page(HTMLParser):
    """The elements of a page, each with its attributes, and the text outside scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += f"{data}\n"

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def text() -> str:
    return to_html([whole()])


@pytest.fixture(scope="module")
def page(text) -> Page:
    return Page(text)


def test_everything_is_said_and_the_outcome_first(page):
    says = page.text
    for words in (
        "A paragraph.", "All of them", "1,000", "second\nline", "That was all.", "# no heading",
        "macproof verify *", "Calls in a second", "* and dotted", "What came",
        "Of uniform, seed 7.", "odd addresses were not watched", "in 1.2 s",
    ):  # fmt: skip
        assert words in says, words
    assert says.index("refuted") < says.index("A paragraph.")


def test_no_text_becomes_markup(text, page):
    shown = HOSTILE.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
    assert page.text.count(shown) >= 4
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert page.all("img")[0]["alt"] == shown
    assert len(page.all("script")) == 1
    assert not page.all("x")
    assert [one["aria-label"] for one in page.all("g") if "a|b" in one.get("aria-label", "")] == [
        shown
    ]


def test_nothing_is_fetched(text, page):
    for tag, attributes in page.elements:
        for name in ("src", "href", "data", "action", "poster", "srcset"):
            assert re.match(r"#|data:(,|image/png;base64,)", attributes.get(name, "#")), (
                tag,
                attributes,
            )
    assert "http:" not in text
    assert "https:" not in text
    assert not re.search(r"@import|url\((?!#)", text)
    (policy,) = (one["content"] for one in page.all("meta") if "http-equiv" in one)
    assert policy.startswith("default-src 'none'")


def test_every_name_in_the_page_is_there_once(page):
    names = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(names) == len(set(names))
    meant = {link["href"][1:] for link in page.all("a")}
    meant |= {link["href"][1:] for link in page.all("use")}
    for _, attributes in page.elements:
        meant |= set(re.findall(r"url\(#([^)]*)\)", " ".join(attributes.values())))
    assert len(meant) > 10
    assert meant <= set(names)


def test_plots_have_the_colours_of_the_page(page):
    drawings = [one for one in page.all("svg") if one["role"] == "img"]
    assert [one["aria-label"] for one in drawings] == [
        "68040 at 25 MHz", "Both linear", "visits", "How often a pair is reported",
    ]  # fmt: skip
    for _, attributes in page.elements:
        assert not re.search(r"#[0-9a-f]{6}", " ".join(attributes.values()))


def test_figures_stand_side_by_side_and_their_objects_can_be_reached(page):
    rows = [one for one in page.all("div") if one.get("class") == "windows"]
    assert len(rows) == 2
    shapes = [one for one in page.all("g") if "data-number" in one]
    assert [one["class"] for one in shapes[:3]] == ["shape marked", "shape wrong", "shape"]
    assert [one["tabindex"] for one in shapes] == ["-1", "0", "0", "-1", "0"]
    assert shapes[0]["data-partners"] == "1"
    assert len(page.all("ellipse")) == 1


def test_details_are_folded(page):
    folded = [one for one in page.all("details") if one.get("class") == "section"]
    assert len(folded) == 1
    assert "open" not in folded[0]


def test_of_many_documents_those_that_need_a_reader_come_first():
    text = to_html([GOOD, dataclasses.replace(DOCUMENT, outcome=None), DOCUMENT])
    page = Page(text)
    assert "<h1>3 reports: 1 refuted, 1 verified</h1>" in text
    documents = [one for one in page.all("details") if one.get("class") == "document"]
    assert ["open" in one for one in documents] == [True, True, False]
    links = [link["href"] for link in page.all("a")]
    assert links == ["#found", "#report-1", "#report-2", "#report-3"]
    assert page.text.index("refuted") < page.text.index("verified")


def test_the_same_documents_give_the_same_page(text):
    assert to_html([whole()]) == text


def test_a_page_of_nothing_is_a_page():
    bare = dataclasses.replace(DOCUMENT, title="Bare", outcome=None, sections=(), lead=())
    assert "<h1>Bare</h1>" in to_html([bare])
    assert "0 reports" in to_html([])


def rows_of(text: str) -> dict[str, str]:
    """The rows of the listing by their numbers, as they are written."""
    parts = re.split(r'<tr id="source-0-(\d+)"', text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_a_listing_has_its_figures_beside_each_line_and_what_it_is_made_of_below():
    text = to_html([Document("Source", (Section("Source", (LISTING, PRICES)),))])
    rows = rows_of(text)
    assert list(rows) == [str(n) for n in range(1, 10)]
    cells = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", rows["1"])]
    assert cells == ["1", "1.0", "&lt;0.1%", "", "", "int f()"]
    assert 'class="hot"' in rows["3"]
    assert 'class="hot"' not in rows["1"] + rows["2"]
    assert re.findall(r"--fraction: ([\d.]+)", text) == ["1.000", "0.250"]
    assert rows["3"].count("<details>") == 1
    assert "    return 1;</code></summary>" in rows["3"]
    assert 'href="#price-1"' in rows["3"]
    assert '<tr id="price-1">' in text


def test_many_quiet_lines_of_a_listing_are_put_away_and_not_lost():
    page = Page(to_html([Document("Source", (Section("Source", (LISTING,)),))]))
    assert "lines 10 to 43: no code" in page.text
    assert [n for n in range(4, 44, 2) if page.text.count(f"// {n}\n") != 1] == []


def test_a_film_is_a_strip_with_what_led_to_each_picture():
    html = to_html([Document("Run", (Section("Film", (film(),)),))])
    strip = Page(html)
    (attributes,) = strip.all("ol")
    assert (attributes["class"], attributes["tabindex"]) == ("film", "0")
    assert len(strip.all("img")) == 5
    assert all(image["alt"] for image in strip.all("img"))
    assert "The screen as before." in strip.text
    assert html.count("data:image/png;base64,") == 5
    assert len(strip.all("details")) == 6
    says = to_markdown([Document("Run", (Section("Film", (film(),)),))])
    assert "* The program starts; 0.1 s, 12 Toolbox calls\n" in says
