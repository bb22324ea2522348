"""The annotated source of a profile: every line with its figures, whatever the source says."""

from __future__ import annotations

import dataclasses
import re

import pytest

from emu.cases.programs.source_texts import SourceTexts
from emu.report.document import Document, Listing, Section, Table
from emu.report.forms.html import to_html
from emu.report.forms.markdown import to_markdown
from emu.report.forms.terminal import text_of
from emu.timing.annotated_document import annotated
from emu.timing.profile_document import profile_document
from tests.report.forms.test_html import Page
from tests.timing.profile_samples import HOSTILE, HOSTILE_NAME, TEXT, sample_report

TEXTS = SourceTexts({"a.c": TEXT}, {})


def made(case, tmp_path, texts: SourceTexts = TEXTS) -> Document:
    report = sample_report(case, tmp_path, texts)
    return annotated(profile_document(report), report, texts)


@pytest.fixture
def document(case, tmp_path) -> Document:
    return made(case, tmp_path)


def section(document: Document, title: str) -> Section:
    (found,) = (one for one in document.sections if one.title == title)
    return found


def test_every_line_has_its_figures_and_its_instructions(document):
    (listing,) = section(document, "a.c").parts
    assert isinstance(listing, Listing)
    assert listing.groups == ("68040 O1",)
    first, second, third, fourth = listing.lines
    assert (first.text, first.figures, first.fractions) == ("int f()", ((),), (0.0,))
    assert (second.figures, second.fractions) == ((("2.0", "2.0", "30.0", "30.0%"),), (0.5,))
    assert (third.figures, third.fractions) == ((("2.0", "2.0", "60.0", "60.0%"),), (1.0,))
    assert fourth.figures == (("0", "", "", ""),)
    assert (first.below, fourth.below) == ((), ())
    (code,) = third.below
    (row,) = code.rows
    assert row[0] == "00001000"
    assert row[2:] == ("moveq #1, d0", "moveq", "manual [1]", "2.0", "60.0", "30.00")


def test_the_most_expensive_lines_come_first_and_lead_to_the_source(document):
    table = section(document, "Most expensive lines").parts[0]
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == ["a.c:3", "a.c:2", "(no line information)"]
    assert table.links == {"a.c:3": "source-0-3", "a.c:2": "source-0-2"}


def test_every_link_leads_somewhere(document):
    page = Page(to_html([document]))
    targets = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    links = {attributes["href"][1:] for attributes in page.all("a")}
    assert {"source-0-3", "cycles-1", "cycles-2"} <= links <= targets


def test_what_others_wrote_is_text_and_nothing_else(document):
    text = to_html([document])
    page = Page(text)
    assert HOSTILE not in text
    assert HOSTILE in page.text
    assert HOSTILE_NAME not in page.text
    assert '<b onclick="a()">\\x1b[31m\\u202ef</b>' in page.text
    assert "a compiler <1>" in page.text
    assert not page.all("img")
    for form in (text, to_markdown([document]), text_of(document)):
        assert "\x1b" not in form
        assert "\u202e" not in form


def test_code_of_unknown_lines_is_listed_by_function(document):
    words, table = section(document, "Code without source text").parts
    assert words == "68040 O1: 10.0 cycles of a call, 10.0% of all, by function:"
    assert isinstance(table, Table)
    assert table.title == "(no symbol): 10.0 cycles"
    assert [row[0] for row in table.rows] == ["00002000"]


def test_a_source_that_is_missing_is_said_to_be(case, tmp_path):
    document = made(case, tmp_path, SourceTexts({}, {"a.c": "it is gone"}))
    page = Page(to_html([document]))
    assert "The text of a.c is missing: it is gone." in page.text
    assert "100.0 cycles of a call, 100.0% of all" in page.text
    assert "a.c:3" in page.text
    assert not re.search(r"source-0", str(page.elements))


def test_all_that_the_figures_rest_on_is_told(document):
    sources = section(document, "Sources of the cycles").parts[1]
    assert isinstance(sources, Table)
    assert [row[0] for row in sources.rows] == ["[1]", "[2]"]
    assert sources.names == {0: "cycles-1", 1: "cycles-2"}
    (facts,) = section(document, "The programs").parts
    assert isinstance(facts, Table)
    assert "a compiler <1>" in dict(facts.rows).values()
    assert section(document, "Assumptions of the models").is_detail


def test_the_document_comes_out_the_same_again(case, tmp_path, document):
    assert to_html([made(case, tmp_path)]) == to_html([document])


def test_a_profile_of_several_programs_has_a_group_of_columns_for_each(case, tmp_path):
    report = sample_report(case, tmp_path, TEXTS)
    (program,) = report.programs
    twice = dataclasses.replace(
        report, programs=(program, dataclasses.replace(program, build="O2"))
    )
    document = annotated(profile_document(twice), twice, TEXTS)
    (listing,) = section(document, "a.c").parts
    assert isinstance(listing, Listing)
    assert listing.groups == ("68040 O1", "68040 O2")
    assert [table.title for table in listing.lines[2].below] == ["68040 O1", "68040 O2"]
    assert listing.lines[2].below[1].rows[0][4] == "manual [3]"
