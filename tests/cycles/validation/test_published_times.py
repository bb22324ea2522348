"""Files of published times: what they say, what is refused, and the arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.cycles.validation.published_times import (
    PROGRAMS_FILE,
    PublishedProgram,
    PublishedTime,
    PublishedTimes,
    load_programs,
    load_times,
    published_programs,
    published_times,
    summary_of,
    times_text,
)

PROGRAM = """title: some
programs:
  one:
    title: Sorter
    compiler: a compiler
    machine: a Macintosh
    cpu: "68040"
    megahertz: 33
    source: a disc
    binary: apps/sorter
    sha256: "{digest}"
    table: results/quadra
    prints_into: ""
    columns: [sort, order, seconds]
    named_by: [sort, order]
    time: seconds
""".replace("{digest}", "0" * 64)
TIMES = """title: some
measured: 2026-11-28
version: "1"
programs:
  one:
    quick random: {published: 1.5e-04, predicted: 0.0001}
"""


def programs_in(folder: Path, text: str = PROGRAM) -> Mapping[str, PublishedProgram]:
    path = folder / "programs.yaml"
    path.write_text(text)
    return load_programs(path)


def times_in(folder: Path, text: str) -> PublishedTimes:
    path = folder / "times.yaml"
    path.write_text(text)
    return load_times(path, programs_in(folder))


def test_what_comes_along() -> None:
    """66 figures of a Quadra 950; every one of them is looked at when a model changes."""
    times = published_times().times
    assert times.keys() == published_programs().keys()
    assert {key: len(each) for key, each in times.items()} == {
        "sortlib-think-c": 33,
        "sortlib-codewarrior": 33,
    }
    think = summary_of(times["sortlib-think-c"])
    assert (think.near, round(think.mean, 2)) == (31, 1.04)


def test_the_file_is_what_the_writer_writes() -> None:
    text = times_text(published_times())
    path = PROGRAMS_FILE.with_name("published_times.yaml")
    assert path.read_text(encoding="utf-8") == text


def test_a_ratio_above_1_is_a_model_that_is_too_fast(tmp_path: Path) -> None:
    (time,) = times_in(tmp_path, TIMES).times["one"]
    assert time == PublishedTime("quick random", 0.00015, 0.0001)
    assert time.ratio == pytest.approx(1.5)


def test_a_summary() -> None:
    times = [PublishedTime(str(n), n, 10) for n in (9.5, 10.5, 13)]
    summary = summary_of(times)
    assert (summary.count, summary.near) == (3, 2)
    assert summary.mean == pytest.approx(1.1)
    assert (summary.least, summary.most) == (0.95, 1.3)
    assert summary.deviation == pytest.approx(0.18, abs=0.01)
    with pytest.raises(ValueError, match="no times"):
        summary_of([])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("time: seconds", "time: second", "line 3.*no column second; did you mean seconds"),
        ("named_by: [sort, order]", "named_by: [sorts]", "no column sorts"),
        ("    machine: a Macintosh\n", "", "the key machine is missing"),
        ('cpu: "68040"', "cpu: z80", "line 7.*z80"),
        ("megahertz: 33", "megahertz: 0.0", "line 8.*not a number above 0"),
        ("megahertz: 33", "megahertz: fast", "line 8"),
        ("binary: apps/sorter", "binary: apps/sorter\n    more: 1", "more is not known"),
        ("0" * 64, "0" * 63, "sha256"),
    ],
)
def test_bad_programs_are_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in PROGRAM
    with pytest.raises(CaseError, match=words):
        programs_in(tmp_path, PROGRAM.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  one:", "  two:", "line 5.*there is no program two"),
        ("predicted: 0.0001", "predicted: 0.0", "line 6.*not a number above 0"),
        ("predicted: 0.0001", "predicted: nan", "line 6"),
        (", predicted: 0.0001", "", "the key predicted is missing"),
        ("measured: 2026-11-28", "measured: yesterday", "line 2"),
        ("title: some\n", "", "the key title is missing"),
    ],
)
def test_bad_times_are_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in TIMES
    with pytest.raises(CaseError, match=words):
        times_in(tmp_path, TIMES.replace(old, new))
