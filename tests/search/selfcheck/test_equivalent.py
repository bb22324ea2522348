"""Lists of mutants that nothing can tell from the routine."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError, MacproofError
from emu.cases.files.places import find_cases
from emu.cases.find import load_case
from emu.search.selfcheck.equivalent import (
    FILE,
    EquivalenceReason,
    Equivalents,
    OtherCase,
    find_equivalents,
    read_equivalents,
    with_equivalent,
    wrong_entries,
)
from emu.search.selfcheck.fates import Fate, MutantFate, ProgramFate
from emu.search.selfcheck.mutant import Mutant, TextChange
from emu.toolchain.sources import mac_sources

MUTANT = Mutant("a.c", 7, "F", "constant", "x = 1;", "x = 2;", TextChange(4, 5, "2"))
KEY = "a.c, F: x = 1; -> x = 2;"


def tried(*fates: Fate) -> MutantFate:
    return MutantFate(MUTANT, {f"cpu {n}": ProgramFate(fate) for n, fate in enumerate(fates)})


def written(folder: Path, text: str) -> Path:
    path = folder / FILE
    path.write_text(text)
    return path


def test_cases_share_a_list_and_have_their_own(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "one, two:\n  - {reason: both, mutants: [a], not_called: [f]}\n"
        "two:\n  - {reason: one of them, mutants: [b], not_called: [g]}\n",
    )
    assert read_equivalents(path, "one").mutants == {"a": EquivalenceReason("both")}
    both = {"a": EquivalenceReason("both"), "b": EquivalenceReason("one of them")}
    assert read_equivalents(path, "two").mutants == both
    assert list(read_equivalents(path, "two").uncalled) == ["f", "g"]
    assert read_equivalents(path, "on").mutants == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one:\n  - {mutants: [a]}\n", "line 2: one.0: the key reason is missing"),
        ("one:\n  - {reason: so}\n", "line 2"),
        ("one:\n  - {reason: so, mutant: [a]}\n", "did you mean mutants"),
        ("one: [\n", "it is not YAML"),
        ("", "the file is empty"),
    ],
)
def test_a_damaged_list_is_refused(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=told):
        read_equivalents(written(tmp_path, text), "one")


def test_a_listed_survivor_is_equivalent_and_any_other_entry_is_wrong() -> None:
    known = {KEY: EquivalenceReason("so")}
    survived = [tried(Fate.SURVIVED, Fate.IDENTICAL)]
    assert [(one.fate, one.why) for one in with_equivalent(survived, known)] == [
        (Fate.EQUIVALENT, "so")
    ]
    assert wrong_entries(survived, known) == []
    assert with_equivalent(survived, {}) == survived
    killed = [tried(Fate.SURVIVED, Fate.DIVERGED)]
    assert wrong_entries(killed, known) == [f"it can be told from the routine (diverged): {KEY}"]
    assert wrong_entries([], known) == [f"there is no such mutant: {KEY}"]


def test_a_reason_may_be_said_of_some_processors() -> None:
    one = MutantFate(
        MUTANT, {"601 O1": ProgramFate(Fate.DIVERGED), "68000 O1": ProgramFate(Fate.SURVIVED)}
    )
    for cpus, fate, wrong in (
        (("68000",), Fate.EQUIVALENT, 0),
        (("601",), Fate.SURVIVED, 1),
        (("601", "68000"), Fate.EQUIVALENT, 1),
    ):
        known = {KEY: EquivalenceReason("so", cpus)}
        assert with_equivalent([one], known)[0].fate is fate
        assert len(wrong_entries([one], known)) == wrong


def of_blockmap(tmp_path: Path, text: str) -> Equivalents:
    """What a list says of blockmap, that lies beside copies of its sources."""
    folder = mac_sources() / "blockmap"
    for path in folder.iterdir():
        if path.name != FILE:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    return read_equivalents(written(tmp_path, text), "blockmap")


def test_a_source_may_have_a_case_of_its_own(tmp_path: Path) -> None:
    text = "blockmap:\n  - {reason: so, case: single.case.yaml, files: [single.cpp]}\n"
    assert of_blockmap(tmp_path, text).elsewhere == {
        "single.cpp": OtherCase("single-float", ("68000",), "so")
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[{reason: so, case: none.yaml, files: [single.cpp]}]", "none.yaml"),
        ("[{reason: so, case: single.case.yaml}]", "line 1"),
        ("[{reason: so, files: [single.cpp]}]", "line 1"),
        ("[{reason: so, case: single.case.yaml, files: [blockmap.cpp]}]", "has no source"),
        (
            "[{reason: so, case: bare.case.yaml, files: [single.cpp]}]\n"
            "blockmap-bare: [{reason: so, case: single.case.yaml, files: [single.cpp]}]",
            "leaves single.cpp to another",
        ),
    ],
)
def test_a_case_that_does_not_try_the_source_is_refused(
    text: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(MacproofError, match=told):
        of_blockmap(tmp_path, f"blockmap: {text}\n")


@pytest.mark.parametrize(
    ("fates", "fate"),
    [
        ((Fate.DIVERGED, Fate.SURVIVED), Fate.SURVIVED),
        ((Fate.IDENTICAL, Fate.FAULTED), Fate.FAULTED),
        ((Fate.INVALID, Fate.IDENTICAL), Fate.IDENTICAL),
        ((Fate.INVALID,), Fate.INVALID),
    ],
)
def test_a_mutant_survives_if_it_does_on_any_processor(fates: tuple[Fate, ...], fate: Fate) -> None:
    assert tried(*fates).fate is fate


def test_every_list_that_comes_along_is_of_cases_beside_it() -> None:
    beside: dict[Path, set[str]] = {}
    for path in find_cases():
        beside.setdefault(path.parent, set()).add(load_case(str(path)).name)
    lists = sorted(mac_sources().glob(f"*/{FILE}"))
    assert len(lists) >= 7
    for path in lists:
        named = {line.split(":")[0] for line in path.read_text().splitlines() if line[:1].isalpha()}
        assert {name for names in named for name in names.split(", ")} <= beside[path.parent]
    assert find_equivalents(load_case("four-shifts")).mutants
