"""Binaries with published times: found, told from others, run, and their tables read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from emu.base.errors import GuestError, InputError, MacproofError, UsageError
from emu.cycles.validation.published_times import (
    PublishedProgram,
    PublishedTime,
    PublishedTimes,
    published_programs,
    published_times,
)
from emu.timing.validation import program_times
from emu.timing.validation.program_times import (
    code_digest,
    find_programs,
    measure_all,
    predicted_times,
    read_table,
)
from emu.timing.validation.published_report import (
    differences,
    published_document,
    published_report,
)

APPLICATION = Path(__file__).parents[3] / "mac_src/prebuilt/mac/68000/Four Shifts.bin"
TABLE = "Testing\r  sort order seconds\r  quick random 1.5e-04\r  quick sorted 2.0\r\rDone.\r"


def program(digest: str) -> PublishedProgram:
    return PublishedProgram(
        key="one",
        title="Sorter",
        compiler="a compiler",
        machine="a Macintosh",
        cpu="68040",
        megahertz=33.0,
        source="a disc",
        binary="apps/sorter",
        sha256=digest,
        table="results/quadra",
        prints_into="",
        columns=("sort", "order", "seconds"),
        named_by=("sort", "order"),
        time="seconds",
    )


@pytest.fixture
def disc(tmp_path: Path) -> Path:
    (tmp_path / "disc" / "apps").mkdir(parents=True)
    (tmp_path / "disc" / "results").mkdir()
    (tmp_path / "disc" / "apps" / "sorter").write_bytes(APPLICATION.read_bytes())
    (tmp_path / "disc" / "results" / "quadra").write_text(TABLE, newline="")
    return tmp_path / "disc"


@pytest.fixture
def programs() -> Mapping[str, PublishedProgram]:
    return {"one": program(code_digest(APPLICATION))}


def printing(monkeypatch: pytest.MonkeyPatch, text: str, problem: str = "") -> None:
    def run_apart(function: Any, request: Any) -> Any:
        assert (request.cpu, request.clock, request.megahertz) == ("68040", "model", 33.0)
        return SimpleNamespace(text=text, output="", problem=problem)

    monkeypatch.setattr(program_times, "run_apart", run_apart)


def test_a_table_is_read_by_its_columns() -> None:
    times = read_table(TABLE, program(""))
    assert times == {"quick random": 1.5e-4, "quick sorted": 2.0}
    assert read_table("quick random 1\nquick random 2\nquick sorted -3", program("")) == {
        "quick random": 1
    }


def test_what_it_prints_is_laid_beside_what_was_published(
    disc: Path, programs: Mapping[str, PublishedProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    printing(monkeypatch, "quick random 1e-04\nquick sorted 2.5\n")
    found = find_programs(disc, programs)
    assert measure_all(found).times == {
        "one": (PublishedTime("quick random", 1.5e-4, 1e-4), PublishedTime("quick sorted", 2, 2.5))
    }


def test_another_binary_is_refused(disc: Path) -> None:
    with pytest.raises(UsageError, match="another binary"):
        find_programs(disc, {"one": program("0" * 64)})


def test_a_folder_without_them_is_refused(
    tmp_path: Path, programs: Mapping[str, PublishedProgram]
) -> None:
    with pytest.raises(UsageError, match="has none of these programs: Sorter"):
        find_programs(tmp_path, programs)
    with pytest.raises(UsageError, match="there is no folder"):
        find_programs(tmp_path / "missing", programs)


@pytest.mark.parametrize(
    ("printed", "problem", "words"),
    [
        ("quick random 1\n", "", "another table"),
        ("", "", "another table"),
        ("quick random 1\nquick sorted 2", "it crashed", "it crashed"),
    ],
)
def test_a_program_that_does_otherwise_is_refused(
    disc: Path,
    programs: Mapping[str, PublishedProgram],
    monkeypatch: pytest.MonkeyPatch,
    printed: str,
    problem: str,
    words: str,
) -> None:
    printing(monkeypatch, printed, problem)
    (found,) = find_programs(disc, programs)
    with pytest.raises(GuestError, match=words):
        predicted_times(found)


def test_an_empty_table_is_refused(disc: Path, programs: Mapping[str, PublishedProgram]) -> None:
    (disc / "results" / "quadra").write_text("nothing")
    (found,) = find_programs(disc, programs)
    with pytest.raises(InputError, match="no line of times"):
        predicted_times(found)


def test_what_differs_from_the_figures_that_come_along() -> None:
    """A reader who gets another prediction is told, and so is one who has another table."""

    def times(*figures: PublishedTime) -> PublishedTimes:
        return PublishedTimes("2026-11-28", "1", {"one": figures})

    known = times(PublishedTime("a", 1, 1), PublishedTime("b", 1, 1), PublishedTime("c", 1, 1))
    same = times(PublishedTime("a", 1, 1.004), PublishedTime("b", 1, 1), PublishedTime("c", 1, 1))
    assert list(differences(same, known)) == []
    other = times(PublishedTime("a", 1, 1.006), PublishedTime("b", 2, 1), PublishedTime("d", 1, 1))
    found = list(differences(other, known))
    assert len(found) == 3
    assert "one, a: 1.006 s are predicted, and 1 s come" in found[0]
    assert "one, b: 2 s were published" in found[1]
    assert "one, d: no figure" in found[2]
    document = published_document(published_report(other, {"one": program("")}, known))
    assert any(section.title == "Not as they come with macproof" for section in document.sections)


def test_the_report_of_what_comes_along() -> None:
    known = published_times()
    report = published_report(known, published_programs(), known)
    assert not report.changed and not report.absent
    assert [summary.count for summary in report.machines.values()] == [66]
    assert published_document(report).title == "66 published times of exact binaries"


@pytest.mark.slow
def test_the_figures_that_come_along_are_what_the_binaries_print(collection: Path) -> None:
    programs, known = published_programs(), published_times()
    try:
        times = measure_all(find_programs(collection, programs))
    except MacproofError as error:
        pytest.fail(str(error))
    assert times.times.keys() == known.times.keys()
    assert list(differences(times, known)) == []
