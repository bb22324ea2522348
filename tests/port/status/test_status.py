"""The state of each function, what comes next, and what became worse."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from emu.base.errors import InputError, MacproofError
from emu.cli import main
from emu.port.model import FunctionVerdict
from emu.port.project.project import read_project
from emu.port.status.badge import status_svg
from emu.port.status.difference import changes, read_status
from emu.port.status.documents import functions_document, status_document
from emu.port.status.table import Survey, find_row, survey_port
from emu.port.status.verdicts import read_verdicts, verdicts_path, write_verdicts
from emu.report.document import Excerpt, Literal, PartRow, Table
from tests.port.project.small_port import SOURCE, write_port

PLACE = "CODE 1+0xd2"
MORE = """\
/* STUB: CODE 1+0x126 */
void begin(void) { if (1) { } }
/* LIBRARY: CODE 1+0x11d0 _strlen */
/* FUNCTION: CODE 1+0x1180 */
void later(void);
"""
VERIFIED = FunctionVerdict("UpdateSum", PLACE, "verified", calls=20, blocks=5, reached=5)


def survey(folder: Path, *verdicts: FunctionVerdict) -> Survey:
    project = read_project(write_port(folder, {"sum.c": SOURCE, "more.c": MORE}))
    if verdicts:
        write_verdicts(project, verdicts)
    return survey_port(project)


def states(found: Survey) -> dict[str, str]:
    return {row.label: row.state for row in found.status.functions if row.new_name}


def test_states_come_from_marks_and_verdicts(tmp_path: Path) -> None:
    others = {"begin": "stub", "_strlen": "library", "later": "not begun"}
    assert states(survey(tmp_path)) == {"UpdateSum": "inconclusive", **others}
    found = survey(tmp_path, VERIFIED)
    assert states(found) == {"UpdateSum": "verified", **others}
    totals = {total.state: (total.functions, total.bytes) for total in found.status.totals}
    assert totals["verified"] == (1, 84)
    assert sum(count for count, _ in totals.values()) == len(found.status.functions)


def test_leaves_that_are_called_most_come_next(tmp_path: Path) -> None:
    found = survey(tmp_path)
    state = {row.place: row.state for row in found.status.functions}
    rows = [find_row(found.status, place) for place in found.status.next]
    assert all(row.state in ("not begun", "stub") for row in rows)
    assert all(state[place] == "library" for place in rows[0].callees)
    assert len(rows[0].callers) >= len(rows[1].callers) >= 1
    assert PLACE not in found.status.next


def test_old_code_stands_beside_new_source(tmp_path: Path) -> None:
    document = functions_document(survey(tmp_path), ["UpdateSum"])
    (section,) = document.sections
    (columns,) = [part for part in section.parts if isinstance(part, PartRow)]
    old, new = columns.parts
    assert isinstance(old, Literal) and isinstance(new, Excerpt)
    assert old.lines[-1].split() == ["CODE", "1+0x124", "rts"]
    assert any(line.endswith("d2, gBytes") for line in old.lines)
    assert new.lines[-1] == "}" and new.lines[0].startswith("// FUNCTION")


def test_the_page_leads_from_rows_to_functions(tmp_path: Path) -> None:
    document = status_document(survey(tmp_path, VERIFIED))
    (table,) = [
        part
        for section in document.sections
        if section.title == "Functions"
        for part in section.parts
        if isinstance(part, Table)
    ]
    assert set(table.choices or ()) == {"verified", "stub", "not begun", "library"}
    names = {section.name for section in document.sections}
    assert set(table.links.values()) <= names
    assert table.links[PLACE] in names


@pytest.mark.parametrize(
    ("verdict", "fate"),
    [("verified", "passed"), ("refuted", "failure"), ("inconclusive", "error")],
)
def test_continuous_integration_is_told_of_each_function(
    verdict: str, fate: str, tmp_path: Path
) -> None:
    document = status_document(survey(tmp_path, replace(VERIFIED, verdict=verdict, reason="so")))
    fates = {check.name: (check.fate.value, check.message) for check in document.checks}
    message = "" if fate == "passed" else f"{verdict}: so"
    assert fates == {
        "UpdateSum": (fate, message),
        "begin": ("skipped", "stub"),
    }


def test_what_became_worse_is_told_and_ends_with_1(tmp_path: Path) -> None:
    survey(tmp_path, VERIFIED)
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    words = ["port", "status", str(tmp_path), "--quiet"]
    assert main([*words, "--json", str(before)]) == 0
    assert main([*words, "--diff", str(before)]) == 0
    for verdict in (replace(VERIFIED, reached=4), replace(VERIFIED, verdict="refuted")):
        survey(tmp_path, verdict)
        assert main([*words, "--diff", str(before), "--json", str(after)]) == 1
    assert main([*words, "--diff", str(after)]) == 0
    survey(tmp_path, VERIFIED)
    (change,) = changes(read_status(after), read_status(before))
    assert (change.label, change.is_worse) == ("UpdateSum", False)


def test_a_status_of_another_program_is_refused(tmp_path: Path) -> None:
    status = survey(tmp_path).status
    with pytest.raises(InputError, match="another program"):
        changes(replace(status, digest="0" * 64), status)


def test_the_picture_has_a_part_for_each_state(tmp_path: Path) -> None:
    svg = status_svg(survey(tmp_path, VERIFIED).status)
    assert svg.count("<rect") == 1 + 2 * 3  # the ground; verified, stub, not begun
    assert "verified: 1 functions, 84 bytes" in svg


def test_verdicts_are_kept_beside_each_other(tmp_path: Path) -> None:
    project = read_project(write_port(tmp_path))
    other = FunctionVerdict("begin", "CODE 1+0x126", "refuted", "call 3: d0 is 1, expected 2")
    write_verdicts(project, [VERIFIED])
    write_verdicts(project, [other])
    found = read_verdicts(project)
    assert {place: one.verdict for place, one in found.items()} == {
        PLACE: "verified",
        other.place: "refuted",
    }
    assert found[PLACE].digests["source"]
    written = json.loads(verdicts_path(project).read_text())["functions"]
    assert [one["place"] for one in written] == [PLACE, other.place]
    elsewhere = replace(project, digest="0" * 64)
    assert {one.verdict for one in read_verdicts(elsewhere).values()} == {"inconclusive"}
    write_verdicts(elsewhere, [other])
    assert list(read_verdicts(elsewhere)) == [other.place]


@pytest.mark.parametrize(
    ("name", "text", "state"),
    [
        ("sum.c", SOURCE.replace("bytes[0]", "bytes[1]"), "inconclusive"),
        ("sum.h", "#define OLD\n", "inconclusive"),
        ("more.c", f"{MORE}/* better */\n", "verified"),
    ],
)
def test_a_verdict_holds_for_the_source_as_it_was(
    name: str, text: str, state: str, tmp_path: Path
) -> None:
    assert states(survey(tmp_path, VERIFIED))["UpdateSum"] == "verified"
    (tmp_path / name).write_text(text)
    row = find_row(survey_port(read_project(tmp_path)).status, "UpdateSum")
    assert row.state == state
    if state == "inconclusive":
        assert row.verdict is not None and "has changed since" in row.verdict.reason


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{", "", "it is not JSON"),
        ("verdicts/1", "verdicts/9", "not a macproof report of schema"),
        ('"verified"', '"fine"', "functions.0.verdict: 'fine' is no verdict"),
        ('"reached": 5', '"reached": 6', "functions.0.reached: 6 of 5 blocks"),
        ('"calls": 20', '"calls": "many"', "functions.0.calls: the report is damaged"),
    ],
)
def test_damaged_verdicts_are_told(old: str, new: str, said: str, tmp_path: Path) -> None:
    project = read_project(write_port(tmp_path))
    write_verdicts(project, [VERIFIED])
    path = verdicts_path(project)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match=r"verdicts\.json") as caught:
        read_verdicts(project)
    assert said in str(caught.value)
    assert main(["port", "status", str(tmp_path)]) == 2


def test_two_verdicts_of_one_function_are_told(tmp_path: Path) -> None:
    project = read_project(write_port(tmp_path))
    write_verdicts(project, [VERIFIED])
    data = json.loads(verdicts_path(project).read_text())
    data["functions"] *= 2
    verdicts_path(project).write_text(json.dumps(data))
    with pytest.raises(InputError, match="two verdicts"):
        read_verdicts(project)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"// FUNCTION: {PLACE}\nvoid a(void) {{}}\n// STUB: {PLACE}\nvoid b(void) {{}}\n",
            "a already",
        ),
        ("// FUNCTION: CODE 9+0x10\nvoid a(void) {}\n", "it has no code CODE 9"),
        ("// FUNCTION: CODE 1+0xd3\nvoid a(void) {}\n", "is odd"),
    ],
)
def test_a_place_that_cannot_be_is_told(text: str, said: str, tmp_path: Path) -> None:
    project = read_project(write_port(tmp_path, {"a.c": text}))
    with pytest.raises(MacproofError, match=r"a\.c, line") as caught:
        survey_port(project)
    assert said in str(caught.value)


def test_a_mark_where_no_function_was_found_is_told(tmp_path: Path) -> None:
    project = read_project(
        write_port(tmp_path, {"a.c": "// FUNCTION: CODE 1+0xd4\nvoid a(void) {}\n"})
    )
    (sentence,) = survey_port(project).status.unplaced
    assert sentence == "a.c, line 1: no function was found at CODE 1+0xd4"
