"""``macproof inspect`` with functions: listed, chosen, ranked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
ROOT = Path(__file__).parents[3]
ARCHIVER = ROOT / "examples" / "old-application" / "Archiver.bin"
SOURCE = ROOT / "examples" / "old-application" / "archiver.cpp"
MENUS = ROOT / "tests" / "programs" / "mac" / "prebuilt"


def test_the_list_of_functions(macproof: Run) -> None:
    outcome = macproof("inspect", ARCHIVER, "--functions")
    assert outcome.code == 0, outcome.err
    for text in (
        "60 of 60 functions; ",
        "  CODE 1+0x4           88 bytes  0 callers, start-up code\n",
        "  CODE 1+0x90           6 bytes  1 caller, glue\n      Toolbox: ReleaseResource\n",
        "      calls: CODE 1+0xd2, CODE 1+0x1da6\n",
        "      globals: A5-0x4 (takes the address of), A5-0x10cc (reads)\n",
    ):
        assert text in outcome.out, text
    verbose = macproof("inspect", ARCHIVER, "--functions", "--verbose").out
    assert "found by jump table; 1 loops, " in verbose
    assert "numbers: 0x1, " in verbose
    assert macproof("inspect", ARCHIVER, "--functions", "--quiet").out == ""


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_functions_with_names_on_both_processors(macproof: Run, cpu: str) -> None:
    outcome = macproof("inspect", MENUS / cpu / "menus.bin", "--calls", "GetNewDialog")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("2 of ")  # one of both is the glue itself
    assert ", glue  GetNewDialog\n" in outcome.out
    assert "_Ask\n      calls GetNewDialog\n" in outcome.out


def test_the_json_has_all_facts(macproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "functions.json"
    assert macproof("inspect", ARCHIVER, "--touches", "A5-0x10cc", "--json", path).code == 0
    facts = json.loads(path.read_text())
    assert facts["schema"] == "macproof.functions/1"
    first, second = facts["functions"]
    assert (first["place"], second["place"]) == ("CODE 1+0xd2", "CODE 1+0x126")
    assert first["callers"] == ["CODE 1+0x126"]
    assert second["callees"]["CODE 1+0xd2"] == 1
    assert second["toolbox"]["InitGraf"] == 1
    use = {use["place"]: use for use in first["globals"]}["A5-0x10cc"]
    assert (use["reads"], use["writes"], use["takes"]) == (1, 1, 0)


def test_a_function_by_its_source(
    macproof: Run, tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    path = tmp_path / "like.json"
    outcome = macproof("inspect", ARCHIVER, "--like", f"{SOURCE}:UpdateSum", "--json", path)
    assert outcome.code == 0, outcome.err
    assert "   1. CODE 1+0xd2 " in outcome.out
    assert "number 0xffff" in outcome.out
    ranking = json.loads(path.read_text())["like"]["ranking"]
    assert ranking[0]["place"] == "CODE 1+0xd2"
    both = macproof(
        "inspect", ARCHIVER, "--like", f"{SOURCE}:UpdateSum", "--touches", "A5-0x10cc"
    ).out
    assert "CODE 1+0xd2" in both
    assert "   3. " not in both


@pytest.mark.usefixtures("no_compilers")
def test_without_a_compiler_a_source_cannot_be_compared(macproof: Run) -> None:
    outcome = macproof("inspect", ARCHIVER, "--like", f"{SOURCE}:UpdateSum")
    assert outcome.code == 3
    assert "g++-m68k-linux-gnu" in outcome.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--like", "foo.c"), "--like foo.c: name a source and a function in it, as in foo.c:Foo"),
        (("--like", "none.c:Foo"), "none.c: there is no such file"),
        (("--calls", "NewHandel"), "did you mean NewHandle?"),
    ],
)
def test_wrong_use(macproof: Run, words: tuple[str, ...], message: str) -> None:
    outcome = macproof("inspect", ARCHIVER, *words)
    assert outcome.code == 2
    assert message in outcome.err
