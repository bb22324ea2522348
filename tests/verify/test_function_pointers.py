"""Pointers to functions that a scene fills in by name, and that are observed by name."""

from __future__ import annotations

import pytest

import macproof
from emu.base.errors import CaseError
from emu.verify.runs.verdicts import REFUTED, VERIFIED
from tests.small_cases import SmallCases

SOURCE = """
typedef short (*Handler)(short);
short gValues[10];
short gCount, gResult;
Handler gHandler, gTable[3];
short Twice(short a) { return a * 2; }
short Minus(short a) { return -a; }
void Run()
{
    gResult = gHandler ? gHandler(gCount) : 0;
    gTable[0] = gHandler;
    gTable[1] = gHandler == Twice ? Minus : WRONG;
    gTable[2] = 0;
    gHandler = Twice;
}
"""
PYTHON = """
NAMES = ["Twice", "Minus", None]

class Named(Numbers):
    @property
    def handler(self):
        return NAMES[self.seed % 3]

    def keep(self, indices):
        return Named(self.values[indices], self.generator, self.seed)

def make_named(generator, objects, seed, width, height):
    return Named(make_numbers(generator, objects, seed, width, height).values, generator, seed)
"""
REFERENCE = """
name, n = scene.handler, scene.objects
result = {"Twice": 2 * n, "Minus": -n, None: 0}[name]
table = [name, "Minus" if name == "Twice" else "Twice", None]
return answer(result=result, table=table, handler="Twice")
"""
GIVEN = "{gCount: objects, gHandler: function handler}"
OBSERVE = "{gResult: result, gTable: function table, gHandler: function handler}"


def make(small_cases: SmallCases, source: str = SOURCE, **changes: str) -> macproof.Case:
    words = {"observe": OBSERVE, "given": GIVEN, "python": PYTHON, "make": "make_named"}
    right = source.replace("WRONG", "Twice")
    return small_cases.make(right, REFERENCE, **{**words, **changes})


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_functions_are_given_and_observed_by_name(small_cases: SmallCases, cpu: str) -> None:
    result = small_cases.verify(make(small_cases), cpu, "O2")
    assert [str(failure) for failure in result.failures] == []
    assert result.verdict == VERIFIED
    assert len(result.inputs) == 6  # two numbers of objects, three handlers
    wrong = make(small_cases, SOURCE.replace("WRONG", "gHandler"))
    result = small_cases.verify(wrong, cpu, "O2")
    assert result.verdict == REFUTED
    assert "gTable[1] is Minus, expected Twice" in " ".join(str(f) for f in result.failures)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"given": "{gCount: function handler}"}, "gCount is a short int; a function needs a po"),
        ({"given": GIVEN.replace("handler}", "objects}")}, "objects as .*, not as the name of a f"),
        ({"source": SOURCE.replace("Minus", "Negated")}, ": there is no function Minus"),
        (
            {"observe": OBSERVE.replace("function table", "table")},
            "is a pointer to void, and the case names no ar",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(
    small_cases: SmallCases, changes: dict[str, str], message: str
) -> None:
    with pytest.raises(CaseError, match=message):
        small_cases.verify(make(small_cases, **changes), "68000", "O1")
