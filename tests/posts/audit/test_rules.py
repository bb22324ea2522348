"""Rules: how they are read, and that each verdict comes of figures alone."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import UsageError
from posts.audit.claims import Claim, load_posts
from posts.audit.rules import FAILS, HOLDS, WITH_CONDITION, Condition, Rule

CLAIMS = [claim for post in load_posts() for claim in post.claims]
JUDGED = [claim for claim in CLAIMS if claim.rule is not None]


@pytest.mark.parametrize(
    ("text", "met", "missed"),
    [
        ("a == 3", 3, 4),
        ("a != 3", 4, 3),
        ("a < 3", 2, 3),
        ("a <= 3", 3, 3.5),
        ("a > -1.5", -1, -1.5),
        ("a >= 3", 3, 2),
        ("a within 10 % of 200", 181, 179),
        ("a within 10 % of 200", 219, 221),
        ("a within 2.5 % of -4", -4.1, -4.2),
    ],
)
def test_a_condition_is_a_comparison(text: str, met: float, missed: float) -> None:
    condition = Condition.parse(text)
    assert condition.is_met({"a": met})
    assert not condition.is_met({"a": missed})


def test_figures_are_compared_with_figures() -> None:
    condition = Condition.parse("tests_of_50 == pairs")
    assert condition.names == ("tests_of_50", "pairs")
    assert condition.is_met({"tests_of_50": 1225, "pairs": 1225})
    assert not condition.is_met({"tests_of_50": 1225, "pairs": 1224})
    assert Condition.parse("a within 5 % of b").is_met({"a": 95, "b": 100})


@pytest.mark.parametrize(
    "text",
    ["", "a", "a = 3", "a==3", "3 == a", "a == 3 ", "a == b == c", "a within 5 of 3", "A == 3",
     "a within 5% of 3", "a > 1e3", "a == 3; b", "a in b", "a == nan\n"],
)  # fmt: skip
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no condition"):
        Condition.parse(text)


@given(st.text(max_size=30))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    with contextlib.suppress(UsageError):
        assert Condition.parse(text).text == text


def test_a_figure_that_is_missing_is_an_error_not_a_verdict() -> None:
    with pytest.raises(UsageError, match="about b, which was not measured; measured were a"):
        Rule.parse(["b == 1"]).verdict({"a": 1})
    # Also where another condition has settled the matter.
    with pytest.raises(UsageError, match="about b"):
        Rule.parse(["a == 2", "b == 1"]).verdict({"a": 1})
    with pytest.raises(UsageError, match="about b"):
        Rule.parse(["a == 1"], ["b == 1"]).verdict({"a": 1})


def test_not_a_number_meets_nothing() -> None:
    for text in ("a == 3", "a < 3", "a >= 3", "a within 5 % of 3"):
        assert not Condition.parse(text).is_met({"a": float("nan")})


def test_a_rule_has_three_verdicts() -> None:
    rule = Rule.parse(["a == 0", "b == 0"], ["a == 0"])
    assert rule.verdict({"a": 0, "b": 0}) == HOLDS
    assert rule.verdict({"a": 0, "b": 1}) == WITH_CONDITION
    assert rule.verdict({"a": 1, "b": 0}) == FAILS
    assert Rule.parse([], ["a == 0"]).verdict({"a": 0}) == WITH_CONDITION
    assert str(rule) == (
        "holds if a == 0 and b == 0; holds with a condition if a == 0; otherwise does not hold"
    )


def test_a_rule_that_cannot_fail_is_refused() -> None:
    with pytest.raises(UsageError, match="would not depend on the figures"):
        Rule.parse([], [])


def figures_for(rule: Rule) -> Iterator[dict[str, float]]:
    """Figures on, just below and just above every limit of a rule, in every combination."""
    conditions = rule.holds + rule.with_condition
    names = sorted({name for condition in conditions for name in condition.names})
    limits: dict[str, set[float]] = {name: {0.0, 1.0, 2.0, 10.0} for name in names}
    for condition in conditions:
        if isinstance(condition.other, float):
            reach = abs(condition.other) * condition.percent / 100
            for away in (0.0, -1.0, 1.0, 2 * reach + 0.01, -2 * reach - 0.01):
                limits[condition.figure].add(condition.other + away)
    choices = [sorted(limits[name]) for name in names]
    return (dict(zip(names, values, strict=True)) for values in itertools.product(*choices))


@pytest.mark.parametrize("claim", JUDGED, ids=lambda claim: claim.id)
def test_every_verdict_of_every_claim_can_come(claim: Claim) -> None:
    rule = claim.rule
    assert rule is not None
    wanted = {FAILS}
    wanted |= {HOLDS} if rule.holds else set()
    wanted |= {WITH_CONDITION} if rule.with_condition else set()
    seen: set[str] = set()
    for figures in figures_for(rule):
        seen.add(rule.verdict(figures))
        if seen == wanted:
            break
    assert seen == wanted
