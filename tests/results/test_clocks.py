"""Speeds of many machines beside the models, and the machines that stand out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emu.cli import main
from emu.results.check import CheckedResults
from emu.results.clocks import model_clocks
from emu.results.results_file import parse_results_file
from emu.results.text_file import with_checksum
from tests.results.conftest import result_lines

CYCLES = {("four-shifts", "68040"): {0: 10_000.0, 50: 20_000.0, 200: 100_000.0}}


def checked(
    name: str, megahertz: float, about: dict[str, str] | None = None, *, bent: float = 1.0
) -> CheckedResults:
    """A file of a machine with a clock for which the model is right; ``bent`` of it at 200."""
    lines = result_lines(about, times=times(megahertz, bent=bent))
    return CheckedResults(parse_results_file(with_checksum(lines), Path(name)), 25, ())


def times(megahertz: float, *, bent: float = 1.0) -> list[tuple[int, int, int]]:
    priced = CYCLES["four-shifts", "68040"]
    return [
        (n, round(megahertz * 2e6 / cycles * (bent if n == 200 else 1)), 2_000_000)
        for n, cycles in priced.items()
    ]


def outliers(*files: CheckedResults) -> dict[str, str]:
    return {one.file: one.outlier for one in model_clocks(files, CYCLES) if one.outlier}


def test_the_clock_is_that_of_the_machine():
    (one,) = model_clocks([checked("a", 25)], CYCLES)
    assert one.typical == pytest.approx(25, rel=0.01) and not one.outlier
    assert list(one.megahertz) == [0, 50, 200]


def test_a_machine_unlike_its_kind_stands_out_among_three():
    kind = [checked("a", 25), checked("b", 24)]
    assert outliers(*kind, checked("slow", 19)) == {
        "slow": "its clock would be 19.0 MHz, and 3 files of such machines have 24.0 MHz in the "
        "middle"
    }
    assert outliers(*kind, checked("nearly", 20)) == {}
    assert outliers(kind[0], checked("slow", 12)) == {}  # of two, nobody knows which
    assert outliers(*kind, checked("other", 12, {"machine": "1 Centris"})) == {}


def test_a_machine_unlike_itself_stands_out_alone():
    assert list(outliers(checked("bent", 25, bent=0.5))) == ["bent"]
    assert outliers(checked("nearly", 25, bent=0.7)) == {}


def test_what_has_no_clock():
    unknown = checked("a", 25, {"cpu": "68030"})
    (one,) = model_clocks([unknown], CYCLES)
    assert (one.megahertz, one.typical, one.outlier) == ({}, None, "")
    assert model_clocks([checked("a", 25, {"machine": "macproof"})], CYCLES) == []


def test_a_folder_is_collected_and_bad_files_are_named(tmp_path, capsys):
    folder = tmp_path / "files"
    (folder / "more").mkdir(parents=True)
    whole = with_checksum(result_lines())
    (folder / "a").write_bytes(whole)
    (folder / "more" / "b").write_bytes(whole)
    (folder / "cut").write_bytes(whole[:400])
    (folder / "letter").write_text("Dear friends")
    (folder / ".DS_Store").write_bytes(b"\0" * 9)
    path = tmp_path / "all.json"
    assert main(["results", "--collect", str(folder), "--json", str(path)]) == 2
    told = capsys.readouterr()
    assert f"{folder / 'cut'}: " in told.err and f"{folder / 'letter'}: " in told.err
    assert "DS_Store" not in told.err
    assert "predicted, 68040 at 25 MHz" in told.out
    report = json.loads(path.read_text())
    assert [Path(one["file"]).name for one in report["clocks"]] == ["a", "b"]
    assert set(report["clocks"][0]["megahertz"]) == {"0", "50", "100", "200"}
    # Speeds of the compiler of 1994 beside code of today: no clock fits them all.
    assert f"Outlier: {folder / 'a'}, four-shifts: with 200 objects" in " ".join(told.out.split())


@pytest.mark.parametrize("name", ["nothing", "empty"])
def test_a_folder_without_files_is_refused(name, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["results", "--collect", str(tmp_path / name)]) == 2
    assert "--collect" in capsys.readouterr().err
