"""A document in each of its forms: everything is there, and nothing of it is obeyed."""

from __future__ import annotations

import dataclasses
import io
import json
from dataclasses import dataclass, replace
from enum import Enum
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from emu.base.printable import one_line
from emu.report.document import (
    Document,
    Excerpt,
    Literal,
    Outcome,
    PngPicture,
    Section,
    Table,
    Tone,
)
from emu.report.forms.html import to_html
from emu.report.forms.junit import to_junit
from emu.report.forms.markdown import to_markdown
from emu.report.forms.terminal import print_document
from emu.report.json_form import plain, to_json
from tests.report.samples import CAME, COSTS, DOCUMENT, HOSTILE, LINKED, LISTING, REPORTS, SPEEDS

PICTURES = dataclasses.replace(
    DOCUMENT, sections=(Section("Pictures", (SPEEDS, COSTS, REPORTS, CAME)),)
)


def on_terminal(document: Document, *, verbose: bool = False, width: int = 100) -> str:
    stream = io.StringIO()
    print_document(document, Console(file=stream, width=width), verbose=verbose)
    return stream.getvalue()


def test_a_terminal_shows_the_outcome_last_and_details_when_asked():
    short, long = on_terminal(DOCUMENT), on_terminal(DOCUMENT, verbose=True)
    last = "refuted in 1.2 s (odd addresses were not watched)"
    assert short.rstrip().endswith(last)
    assert long.rstrip().endswith(last)
    assert "With --verbose also: Receipt." in short
    assert "macproof verify *" not in short
    assert "    macproof verify *" in long
    assert "[l](u)" in short, "markup of the terminal's own is not obeyed"
    for text in ("A paragraph.", "All of them", "1,000", "- second", "That was all."):
        assert text in short


def test_markdown_obeys_nothing_of_the_text():
    text = to_markdown([DOCUMENT])
    title = text.splitlines()[0]
    assert title.startswith(r"# Unpack a\|b \<x\> \*y\* \`z\` \_w\_ \[l\](u) ")
    assert title.endswith("refuted (odd addresses were not watched)")
    assert r"\# no heading" in text
    assert r"* 1\. first" in text
    assert "* second line" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "```\nmacproof verify *\n```" in text
    fenced = Section("x", (Literal(("a ``` b", "````")),))
    assert "`````\na ``` b\n````\n`````" in to_markdown(
        [dataclasses.replace(DOCUMENT, sections=(fenced,))]
    )
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[:2] == ["| CPU | verdict | scenes |", "| --- | --- | --: |"]
    assert len(table) == 4


def test_markdown_of_several_begins_with_what_they_came_to():
    good = dataclasses.replace(DOCUMENT, title="Good", outcome=Outcome("verified", Tone.GOOD))
    text = to_markdown([good, DOCUMENT])
    lines = text.splitlines()
    assert lines[0] == "# 2 reports: 1 refuted, 1 verified"
    assert lines[2] == "| outcome | report | time |"
    assert lines[4].startswith("| refuted (odd addresses were not watched) | Unpack ")
    assert lines[5] == "| verified | Good | 1.2 s |"
    assert text.index("\n# Unpack") < text.index("\n# Good: verified")


def test_junit_counts_and_tells_why():
    root = ElementTree.fromstring(to_junit([DOCUMENT, DOCUMENT]))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "2", "0")
    suite = root[0]
    assert (suite.get("tests"), suite.get("time")) == ("2", "1.250")
    failed, passed = suite.findall("testcase")
    assert failed.get("classname") == "macproof.unpack"
    failure = failed.find("failure")
    assert failure is not None
    assert (failure.get("message") or "").startswith("wrong a|b <x>")
    assert (failure.text or "").endswith("\nmore")
    assert [p.attrib for p in failed.iter("property")] == [{"name": "scenes", "value": "1000"}]
    assert len(passed) == 0


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Inner:
    path: Path
    colour: Colour


@dataclass(frozen=True, slots=True)
class Outer:
    counts: dict[int, float | None]
    inner: tuple[Inner, ...]


def test_json_has_the_fields_of_dataclasses():
    data = Outer({50: 1.5, 100: None}, (Inner(Path("a/b"), Colour.RED),))
    text = to_json(data, "made.up/1")
    assert json.loads(text) == {
        "schema": "made.up/1",
        "counts": {"50": 1.5, "100": None},
        "inner": [{"path": "a/b", "colour": "red"}],
    }
    assert text.endswith("}\n")
    with pytest.raises(TypeError, match="set has no JSON form"):
        plain({"a": {1, 2}})
    with pytest.raises(TypeError, match="a key is text or a whole number"):
        plain({1.5: 1})


def test_a_document_without_outcome_or_sections_has_every_form():
    bare = dataclasses.replace(DOCUMENT, outcome=None, sections=(), checks=(), lead=(), closing=())
    assert on_terminal(dataclasses.replace(bare, seconds=None)).count("\n") == 1
    assert on_terminal(bare).endswith("\nDone in 1.2 s.\n")
    assert to_markdown([bare]).count("\n") == 1
    assert 'tests="0"' in to_junit([bare])


def test_a_terminal_names_plots_and_tells_what_is_in_figures():
    text = on_terminal(PICTURES, width=200)
    assert "A plot, which --html shows: Calls in a second." in text
    assert (
        "What came: 2 objects in 64 by 48 pixels, 1 marked; wrong: object 1 at (20, 20). "
        "Of uniform, seed 7." in text
    )


def test_markdown_has_the_numbers_of_plots_and_their_pictures():
    text = to_markdown([PICTURES], {"speeds": "my plots/a(1).png"})
    assert "![Calls in a second](my%20plots/a%281%29.png)" in text
    assert "**What each event costs**" in text
    for row in (
        "| objects | 0 | 50 | 200 | remark |",
        "| period | 611 | 341 | 82 | - |",
        "| early | 9,000 | 20 | - | n^-1.98 |",
        "| 30 / s | 30 | 30 | 30 | - |",
        "| O2 | - |",
        "| other | 0 | 100 | 0.25 |",
    ):
        assert row in text, row
    assert r"\* and dotted: cannot be what was timed." in text
    assert "What came: 2 objects in 64 by 48 pixels" in text


@pytest.mark.parametrize("width", [50, 80])
def test_a_table_breaks_a_word_only_where_the_screen_has_no_room(width: int) -> None:
    name = "a-name-that-is-not-to-be-cut"
    rows = ((name, "many words " * 20, "1,000"), ("b", "c " * 40, "2"))
    section = Section("Table", (Table(("name", "what", "count"), rows, words=2),))
    lines = on_terminal(Document("Names", (section,)), width=width).splitlines()
    assert any(name in line for line in lines)
    assert max(map(len, lines)) <= width
    narrow = on_terminal(Document("Names", (section,)), width=30).splitlines()
    assert max(map(len, narrow)) <= 30
    parts = [line.split()[0] for line in narrow if line.startswith("  ") and line.split()]
    assert name in "".join(parts), "what is broken is still whole"


def test_markdown_does_not_repeat_what_tables_have() -> None:
    plot = dataclasses.replace(SPEEDS, is_tabled=True)
    document = Document("Speeds", (Section("Plot", (plot,)),))
    assert "A plot, which --html shows: Calls in a second." in to_markdown([document])
    linked = to_markdown([document], {"speeds": "speeds.png"})
    assert "![Calls in a second](speeds.png)" in linked
    assert "| period |" not in linked
    assert r"\* and dotted: cannot be what was timed." in linked


def test_numbers_stay_as_they_are_in_markdown() -> None:
    text = to_markdown([Document("Numbers", (Section("4.5 and", ("1.25", "1. no list")),))])
    assert "## 4.5 and" in text
    assert "\n1.25\n" in text
    assert "1\\. no list" in text


def test_of_many_details_some_are_named() -> None:
    details = tuple(Section(f"S{n}", (), is_detail=True) for n in range(8))
    text = on_terminal(Document("Many", details))
    assert "With --verbose also: S0, S1, S2, S3, S4 and 3 more." in text


def test_a_picture_is_told_where_it_cannot_be_shown() -> None:
    document = Document("Windows", (Section("Pictures", (PngPicture("1 *a*", b"\x89PNG"),)),))
    assert "A picture, which --html shows: 1 *a*." in on_terminal(document)
    assert r"A picture, which --html shows: 1 \*a\*." in to_markdown([document])
    page = to_html([document])
    assert '<img src="data:image/png;base64,iVBORw==" alt="1 *a*"' in page


def test_pictures_of_a_terminal_are_named_together() -> None:
    pictures = tuple(PngPicture(f"{n}-window", b"\x89PNG") for n in (1, 2))
    text = on_terminal(Document("Run", (Section("Pictures", pictures),)))
    assert "2 pictures, which --html shows: 1-window, 2-window." in text


def test_an_excerpt_has_its_numbers_and_the_marked_line_in_every_form() -> None:
    lines = ("a < b", "", HOSTILE)
    document = Document("X", (Section("Code", (Excerpt("f.c", 9, lines, 11),)),))
    shown = one_line(HOSTILE)
    for text in (on_terminal(document, width=200), to_markdown([document])):
        rows = [row.removeprefix("    ") for row in text.splitlines()]
        assert rows[rows.index("f.c") :][1:4] == ["   9  a < b", "  10", f"> 11  {shown}"]
    page = to_html([document])
    assert f"<mark>{escape(shown, quote=False)}</mark>" in page
    assert page.count("<mark>") == 1
    assert "a &lt; b" in page


def test_a_folded_section_is_shown_on_a_terminal_and_folded_on_a_page() -> None:
    sections = (Section("First", ("one",)), Section("Later", ("two",), is_folded=True))
    document = Document("X", sections)
    assert "two" in on_terminal(document)
    page = to_html([document]).partition("<main")[2]
    assert page.index("one") < page.index("<details") < page.index("two")


def test_of_many_documents_each_has_the_name_that_a_command_line_knows() -> None:
    documents = [replace(DOCUMENT, title=f"Title {n}", name=f"case-{n}") for n in (1, 2)]
    for text in (to_markdown(documents), to_html(documents)):
        head = text[: text.index("Programs")]
        assert "case-1" in head and "case-2" in head and "Title 1" in head


SOURCE = Document("Source", (Section("Source", (LINKED, LISTING)),))


def test_a_terminal_shows_a_listing_and_what_lines_are_made_of_when_asked() -> None:
    text = on_terminal(SOURCE, width=60)
    lines = text.splitlines()
    places = {line.index(word) for line in lines for word in ("source", "int f()") if word in line}
    assert len(places) == 1, "the text of all lines begins in one column"
    assert next(line for line in lines if "int f()" in line).split()[:3] == ["1", "1.0", "<0.1%"]
    line = next(line for line in lines if "return 1;" in line)
    assert line.split() == ["3", "1,000.0", "60.0%", "2.0", "5.0%", "return", "1;"]
    assert "(lines 10 to 43: no code)" in text
    assert "// 20" not in text
    assert "00001002" not in text
    whole = on_terminal(SOURCE, width=60, verbose=True)
    assert "// 20" in whole
    assert "00001002  rts" in whole
    assert "\x1b" not in whole
    assert "\u202e" not in whole


def test_markdown_has_all_of_a_listing_in_a_fence() -> None:
    text = to_markdown([SOURCE])
    fenced = text[text.index("```") : text.rindex("```")].splitlines()
    assert sum("// 20" in line for line in fenced) == 1
    assert any(line.split() == ["00001002", "rts", "12"] for line in fenced)
    assert "\x1b" not in text
