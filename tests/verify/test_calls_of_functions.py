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


TURNS = """
long Turns(const short *values, short count, short (*first)(short), short (*second)(short))
{{
    long sum = 0; short n;
    {0}
    return sum;
}}
"""
IN_TURN = "for (n = 0; n < count; n++) { sum += first(values[n]); sum += second(values[n]); }"
TURNS_KEYS = """call: Turns
arguments:
  values: {points_to: values, count: 8}
  count: objects
  first: {python: "small:visit"}
  second: {python: "small:visit"}
observe: {return: sum}
reference: small:in_turn
"""
IN_TURN_PYTHON = (
    PYTHON
    + """

def in_turn(scene, first, second):
    return SimpleNamespace(sum=sum(first(int(one)) + second(int(one)) for one in scene.values))
"""
)
OUT_OF_TURN = {
    "one after the other": "for (n = 0; n < count; n++) sum += first(values[n]);"
    "for (n = 0; n < count; n++) sum += second(values[n]);",
    "exchanged": IN_TURN.replace("first", "other")
    .replace("second", "first")
    .replace("other", "second"),
}


@pytest.mark.parametrize("way", slow_but(["exchanged"], OUT_OF_TURN))
def test_calls_of_two_functions_in_another_order_are_refuted(
    tmp_path: Path, compilers: Callable[..., None], way: str
) -> None:
    compilers("68040")
    body = OUT_OF_TURN[way]
    wrong = SmallCase(tmp_path, TURNS.format(body), TURNS_KEYS, IN_TURN_PYTHON).verify()
    assert wrong.verdict == "refuted"
    assert ".order is" in summary(wrong)
    right = SmallCase(tmp_path, TURNS.format(IN_TURN), TURNS_KEYS, IN_TURN_PYTHON)
    assert right.verify().verdict == "verified"


TEXTS = """
static char gText[40];
short Texts(short count, void (*print)(const char *text, void *refCon))
{{
    short n;
    for (n = 0; n < 39; n++) gText[n] = 'a' + n % 26;
    gText[20] = 0;
    {0}
    return count;
}}
"""
TEXTS_KEYS = """call: Texts
arguments: {count: objects, print: {python: "small:nothing"}}
observe: {return: objects}
ignore: [gText]
reference: small:printing
"""
TEXTS_PYTHON = """

def nothing(text, place):
    return None


def printing(scene, print):
    print("abcdefghijklmnopqrst", "somewhere")
    print(None, None)
    return SimpleNamespace(objects=scene.objects)
"""
RIGHT_TEXTS = "print(gText, gText); print(0, 0);"
WRONG_TEXTS = {
    "short": ("gText[2] = 0; print(gText, gText); print(0, 0);", "text.length is 2, expected 20"),
    "end": ("gText[19] = 'x'; print(gText, gText); print(0, 0);", "argument1_text.checksum is"),
    "nowhere": ("print(gText, 0); print(0, 0);", "argument2_is_zero is 1, expected 0"),
    "no text": ("print(gText, gText); print(gText, 0);", "calls[1].argument1_is_null is 0"),
}


@pytest.mark.parametrize("way", slow_but(["end", "nowhere"], WRONG_TEXTS))
def test_texts_are_compared_to_their_end_and_other_pointers_as_null(
    tmp_path: Path, compilers: Callable[..., None], way: str
) -> None:
    compilers("68040")
    body, told = WRONG_TEXTS[way]
    wrong = SmallCase(tmp_path, TEXTS.format(body), TEXTS_KEYS, TEXTS_PYTHON).verify()
    assert wrong.verdict == "refuted"
    assert told in summary(wrong)
    right = SmallCase(tmp_path, TEXTS.format(RIGHT_TEXTS), TEXTS_KEYS, TEXTS_PYTHON).verify()
    assert right.verdict == "verified"
    assert "not compared: what void * leads to in calls of print" in str(right.document.outcome)


def test_a_number_in_place_of_a_text_is_an_error_of_the_reference(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    python = TEXTS_PYTHON.replace('"abcdefghijklmnopqrst"', "97")
    with pytest.raises(macproof.MacproofError, match=r"calls print with 97, which is no C string"):
        SmallCase(tmp_path, TEXTS.format(RIGHT_TEXTS), TEXTS_KEYS, python).verify()
