"""Small mistakes made in C++ sources."""

from __future__ import annotations

import pytest

from emu.search.selfcheck.mutant import Mutant, TextChange
from emu.search.selfcheck.source_mutants import mutants_of

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


def mutants_of_text(text: str) -> list[Mutant]:
    return mutants_of({"a.cpp": text})


def applied(mutant: Mutant, text: str) -> str:
    assert isinstance(mutant.change, TextChange)
    return mutant.change.apply(text)


def test_changes_are_in_code_of_functions_alone() -> None:
    found = mutants_of_text(SOURCE)
    changed = {applied(mutant, SOURCE) for mutant in found}
    assert len(changed) == len(found)
    assert SOURCE not in changed
    lines = {mutant.line for mutant in found}
    assert lines == {10, 15, 16, 17, 18, 19}
    for mutant in found:
        before, after = SOURCE.splitlines(), applied(mutant, SOURCE).splitlines()
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
def test_operator(operator: str, after: str) -> None:
    found = mutants_of_text(SOURCE)
    assert (operator, after) in {(mutant.operator, mutant.after) for mutant in found}


def test_a_member_is_named_with_its_class() -> None:
    text = "struct a { int F(); };\nint a::F()\n{\n    return 7;\n}\n"
    assert {mutant.function for mutant in mutants_of_text(text)} == {"a::F"}


def test_equal_changes_of_equal_lines_have_keys_of_their_own() -> None:
    text = "int F(int a)\n{\n    a += 2;\n    a += 2;\n    return a;\n}\n"
    found = mutants_of_text(text)
    assert len({mutant.key for mutant in found}) == len(found)
    assert {m.key for m in found} > {f"a.cpp, F: a += 2; -> a -= 2;{n}" for n in ("", " (2)")}
