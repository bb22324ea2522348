"""``macproof cases``: what there is, what can be typed for it, and what is wrong with the rest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.cases.files.places import find_cases
from emu.cases.find import load_case

ROOT = Path(__file__).parents[2]
Command = Callable[..., Any]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with cases in it."""
    monkeypatch.chdir(tmp_path)
    for example in ("bounce", "packbits"):
        shutil.copytree(ROOT / "examples" / example, tmp_path / example)
    for path in (ROOT / "examples" / "bounce").iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def test_every_case_is_there_with_what_it_is(macproof: Command, here: Path):
    done = macproof("cases", "--json", here / "cases.json")
    assert (done.code, done.err) == (0, "")
    assert "Cases in this folder" in done.out
    report = json.loads((here / "cases.json").read_text())
    cases = {one["word"]: one for one in report["cases"]}
    assert sum(one["place"] == "kit" for one in cases.values()) == len(list(find_cases()))
    assert {word for word, one in cases.items() if one["place"] == "here"} == {
        "case.yaml",
        "bounce",
        "packbits",
        "packbits/pack.case.yaml",
    }
    assert cases["four-shifts"]["entry"] == ["_DetermineCollisions"]
    assert cases["four-shifts"]["reference"] == "pyref.sectors.four_shifts:determine_collisions"
    assert cases["bounce"]["cpus"] == ["68000", "68040", "601"]


def test_the_words_are_those_that_load_a_case(macproof: Command, here: Path):
    macproof("cases", "--json", here / "cases.json", "--quiet")
    cases = json.loads((here / "cases.json").read_text())["cases"]
    assert macproof("cases", "--names").out.splitlines() == [one["word"] for one in cases]
    for one in (*cases[:1], *cases[-4:]):
        assert load_case(one["word"]).name == one["name"]


def test_a_case_that_refers_to_another_program(
    macproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(ROOT / "examples")
    assert macproof("cases", "--json", tmp_path / "cases.json").code == 0
    cases = json.loads((tmp_path / "cases.json").read_text())["cases"]
    (one,) = [case for case in cases if case["word"] == "old-and-new"]
    assert (one["reference"], one["reference_kind"]) == ("Mix of Original.bin", "another program")


def test_a_wrong_file_is_told_and_is_no_success(macproof: Command, here: Path):
    (here / "bounce" / "case.yaml").write_text("schema: macproof.case/1\nname: bounce\n")
    done = macproof("cases")
    assert done.code == 2
    assert "bounce/case.yaml, line 1: the key title is missing" in done.out
    assert "packbits" in done.out


def test_no_python_of_a_case_is_executed(macproof: Command, here: Path):
    reference = here / "bounce" / "bounce_reference.py"
    reference.write_text(f"open({str(here / 'made')!r}, 'w')\n")
    assert macproof("cases").code == 0
    assert macproof("cases", "--names").code == 0
    assert macproof("verify", "bonce").code == 2
    assert not (here / "made").exists()


def test_names_are_nothing_but_words(macproof: Command, here: Path):
    shutil.copytree(here / "bounce", here / "two\nlines")
    done = macproof("cases", "--names")
    assert (done.code, done.err) == (0, "")
    assert "lines" not in done.out
    refused = macproof("cases", "--names", "--json", "x.json")
    assert (refused.code, refused.out) == (2, "")


def test_a_report_is_not_written_over_a_case(macproof: Command, here: Path):
    done = macproof("cases", "--json", "bounce/case.yaml")
    assert done.code == 2
    assert "--json would be written over" in done.err


def test_a_wrong_word_leads_to_a_case_of_this_folder(macproof: Command, here: Path):
    assert "did you mean bounce?" in macproof("verify", "bonce").err
    (here / "packbits").rename(here / "other")
    name = load_case("other").name
    assert "for the one in this folder give other" in macproof("verify", name).err
