"""The tool that breaks cases on purpose."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.cpp_mutants import Mutant, mutants_of
from benchmarks.mutants import (
    Tried,
    read_equivalent,
    read_uncalled,
    require_uncalled,
    sources_of,
    try_mutants,
    with_equivalent,
)
from emu.base.errors import MacproofError
from emu.cases.find import load_case
from emu.toolchain.sources import mac_sources

SOURCE = """\
// if (a < b) return;
#define LESS(a, b) ((a) < (b))
#ifdef WIDE
int Sum(long a, long b) {
#else
int Sum(int a, int b) {
#endif
    const char* text = "a < b";
    /* a < b */
    return a + b;
}
struct node { int x, y; node* next; };
int Count(node* o)
{
    int n = 0;
    for (; o != 0; o = o->next)
        if (o->x == 7)
            n++;
    return n;
}
int table[2] = { 1 + 2, 3 };
"""


def mutants_of_text(tmp_path: Path, text: str) -> list[Mutant]:
    path = tmp_path / "a.cpp"
    path.write_text(text)
    return mutants_of([path])


def test_changes_are_in_code_of_functions_alone(tmp_path: Path) -> None:
    found = mutants_of_text(tmp_path, SOURCE)
    changed = {mutant.apply(SOURCE) for mutant in found}
    assert len(changed) == len(found)
    assert SOURCE not in changed
    lines = {mutant.line for mutant in found}
    assert lines == {10, 15, 16, 17, 18, 19}
    for mutant in found:
        before, after = SOURCE.splitlines(), mutant.apply(SOURCE).splitlines()
        assert len(before) == len(after)
        assert [i for i, pair in enumerate(zip(before, after, strict=True), 1) if len({*pair}) > 1]


@pytest.mark.parametrize(
    ("operator", "after"),
    [
        ("arithmetic", "return a - b;"),
        ("variable", "return b + b;"),
        ("jump", "return 0;"),
        ("condition", "for (; !(o != 0); o = o->next)"),
        ("link", "for (; o != 0; o = o->next ? o + 1 : 0)"),
        ("variable", "if (o->y == 7)"),
        ("constant", "if (o->x == 8)"),
        ("relational", "if (o->x >= 7)"),
        ("increment", "n--;"),
        ("statement", ";"),
        ("unary", "return -n;"),
    ],
)
def test_operator(operator: str, after: str, tmp_path: Path) -> None:
    found = mutants_of_text(tmp_path, SOURCE)
    assert (operator, after) in {(mutant.operator, mutant.after) for mutant in found}


def test_sources_are_those_of_the_case_and_what_they_include() -> None:
    case = load_case(str(mac_sources() / "four_shifts" / "case.yaml"))
    assert [path.name for path in sources_of(case)] == ["four_shifts.cpp", "four_shifts.h"]


@pytest.mark.slow
def test_a_mutant_is_found_out_and_one_that_changes_nothing_is_set_aside() -> None:
    case = load_case("brute-force-bare")
    mutants = mutants_of(sources_of(case))
    wanted = {
        "&& _Abs(a->y - b->y) <= kRectSize;": "diverged",
        "return a <= 0 ? -a : a;": "same code",
        "memset(gCollisionArray, 0, sizeof *gCollisionArray / gObjectCount);": "diverged",
    }
    chosen = [mutant for mutant in mutants if mutant.after in wanted]
    tried = try_mutants(case, chosen, cpu="68040", build="O1", jobs=1)
    fates = {one.mutant.after: one.fate for one in tried}
    assert fates == wanted
    assert all(one.why for one in tried if one.fate == "diverged")


@pytest.mark.slow
def test_the_command_tries_mutants_in_worker_processes(tmp_path: Path) -> None:
    written = tmp_path / "tried.json"
    words = ["-m", "benchmarks.mutants", "trivial-loops", "--limit", "5", "--json", str(written)]
    run = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=300)
    assert run.stderr == ""
    assert run.returncode == 0
    assert "diverged" in {one["fate"] for one in json.loads(written.read_text())["trivial-loops"]}


def test_the_list_of_equivalent_mutants_is_checked(tmp_path: Path) -> None:
    first, second = mutants_of_text(tmp_path, SOURCE)[:2]
    listed = tmp_path / "list.yaml"
    listed.write_text(f"one:\n  - reason: so\n    mutants: ['{first.key}']\n")
    known = read_equivalent(listed, "one")
    assert read_equivalent(listed, "two") == {}
    tried = [Tried(first, "survived"), Tried(second, "survived")]
    assert [(one.fate, one.why) for one in with_equivalent(tried, known)] == [
        ("equivalent", "so"),
        ("survived", ""),
    ]
    with pytest.raises(MacproofError, match=r"no such mutant"):
        with_equivalent(tried[1:], known)
    with pytest.raises(MacproofError, match=r"diverged"):
        with_equivalent([Tried(first, "diverged"), tried[1]], known)


def test_cases_share_a_list_and_have_their_own(tmp_path: Path) -> None:
    listed = tmp_path / "list.yaml"
    listed.write_text(
        "one, two:\n  - {reason: both, mutants: [a], not_called: [f]}\n"
        "two:\n  - {reason: one of them, mutants: [b], not_called: [g]}\n"
    )
    assert read_equivalent(listed, "one") == {"a": "both"}
    assert read_equivalent(listed, "two") == {"a": "both", "b": "one of them"}
    assert read_uncalled(listed, "two") == ["f", "g"]
    assert read_equivalent(listed, "on") == {}


@pytest.mark.slow
def test_functions_that_are_not_called_are_checked(tmp_path: Path) -> None:
    case = load_case("trivial-loops")
    other, own = (
        f"trivial_loops.cpp, {name}" for name in ("CompareAsDescribed", "CompareEachPairOnce")
    )
    listed = tmp_path / "list.yaml"
    listed.write_text(f"trivial-loops:\n  - reason: so\n    not_called: ['{other}']\n")
    assert read_equivalent(listed, case.name) == {}
    assert read_uncalled(listed, case.name) == [other]
    require_uncalled(case, [other], cpu="68040", build="O1")
    with pytest.raises(MacproofError, match="trivial-loops calls a function"):
        require_uncalled(case, [other, own], cpu="68040", build="O1")
    with pytest.raises(MacproofError, match=r"no function trivial_loops\.cpp, Compare$"):
        require_uncalled(case, ["trivial_loops.cpp, Compare"], cpu="68040", build="O1")


def test_a_member_is_named_with_its_class(tmp_path: Path) -> None:
    text = "struct a { int F(); };\nint a::F()\n{\n    return 7;\n}\n"
    assert {mutant.function for mutant in mutants_of_text(tmp_path, text)} == {"a::F"}


def test_equal_changes_of_equal_lines_have_keys_of_their_own(tmp_path: Path) -> None:
    text = "int F(int a)\n{\n    a += 2;\n    a += 2;\n    return a;\n}\n"
    found = mutants_of_text(tmp_path, text)
    assert len({mutant.key for mutant in found}) == len(found)
    assert {m.key for m in found} > {f"a.cpp, F: a += 2; -> a -= 2;{n}" for n in ("", " (2)")}
