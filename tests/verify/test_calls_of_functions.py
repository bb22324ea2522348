"""How a routine calls a Python function that it is given is compared with the reference's calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from tests.rows import slow_but
from tests.verify.small_cases import SmallCase, compiled

EACH = """
typedef struct {{ short key; long weight; }} Item;
long Each(const short *values, short count, short (*visit)(short))
{{
    long sum = 0; short n;
    for (n = 0; n < count; n++) {{ {0} }}
    return sum;
}}
"""
RIGHT = EACH.format("sum += visit(values[n]);")
KEYS = """call: Each
arguments:
  values: {points_to: values, count: 8}
  count: objects
  visit: {python: "small:visit"}
"""
PYTHON = """

def visit(value):
    return int(value) & 7


def expect(scene, visit):
    return SimpleNamespace(sum=sum(visit(int(value)) for value in scene.values))


def silent(scene):
    return SimpleNamespace(sum=sum(visit(value) for value in scene.values))
"""
OBSERVE = "observe: {return: sum}\nreference: small:"
WRONG = {
    "twice": ("visit(values[n]); sum += visit(values[n]);", "calls of visit.count is"),
    "backward": ("sum += visit(values[count - 1 - n]);", "calls of visit.calls[0].argument1 is"),
    "never": ("sum += values[n] & 7;", "calls of visit.count is 0, expected"),
    "garbage": ("sum += visit(values[n]); if (n == 2) visit(99);", "calls of visit.count is"),
}


def summary(found: macproof.Verification) -> str:
    return str(json.loads(found.to_json())["results"][0]["failures"][0]["summary"])


@pytest.mark.parametrize("way", slow_but(["backward", "never"], WRONG))
@pytest.mark.parametrize("oracle", ["python", "program"])
def test_other_calls_are_refuted(
    tmp_path: Path, compilers: Callable[..., None], way: str, oracle: str
) -> None:
    compilers("68040")
    lines = f"{OBSERVE}expect\n"
    if oracle == "program":
        compiled(RIGHT, "Each", tmp_path / "old.elf")
        lines = "observe: [return]\nreference: {program: old.elf, symbol: Each}\n"
    body, told = WRONG[way]
    wrong = SmallCase(tmp_path, EACH.format(body), KEYS + lines, PYTHON).verify()
    assert wrong.verdict == "refuted"
    assert told in summary(wrong)
    assert SmallCase(tmp_path, RIGHT, KEYS + lines, PYTHON).verify().verdict == "verified"


def test_calls_that_the_reference_does_not_make_are_told(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    keys = f"{KEYS}{OBSERVE}silent\n"
    found = SmallCase(tmp_path, EACH.format(WRONG["twice"][0]), keys, PYTHON).verify()
    assert found.verdict == "verified"
    assert found.report.results[0].answers.free == ("visit",)
    assert "calls of visit were not compared" in str(found.document.outcome)
    never = SmallCase(tmp_path, EACH.format(WRONG["never"][0]), keys, PYTHON).verify()
    assert never.verdict == "inconclusive"
    assert "it never called visit" in str(never.report.results[0].undecided)
    free = keys.replace('"small:visit"}', '"small:visit", calls: free}')
    source = EACH.format(WRONG["never"][0])
    assert SmallCase(tmp_path, source, free, PYTHON).verify().verdict == "verified"


@pytest.mark.parametrize("factor", [2, 3])
def test_what_pointers_lead_to_is_compared(
    tmp_path: Path, compilers: Callable[..., None], factor: int
) -> None:
    compilers("68040")
    body = f"Item one; one.key = n; one.weight = {factor} * n; sum += visit(&one, n);"
    text = EACH.format(body).replace("(*visit)(short)", "(*visit)(const Item *item, short n)")
    found = SmallCase(tmp_path, text, f"{KEYS}{OBSERVE}expect\n", ITEMS).verify()
    assert found.verdict == ("verified" if factor == 2 else "refuted")
    if factor == 3:
        assert "calls of visit.calls[1].argument1.weight is 3, expected 2" in summary(found)


ITEMS = """

def visit(item, n):
    return int(item["key"])


def expect(scene, visit):
    each = ({"key": n, "weight": 2 * n} for n in range(scene.objects))
    return SimpleNamespace(sum=sum(visit(one, n) for n, one in enumerate(each)))
"""
