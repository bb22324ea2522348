"""Measuring and judging: what becomes of measurements that work, and of those that do not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from emu.base.errors import GuestError, ToolMissingError, UsageError
from posts.audit.claims import Claim, ClaimPlot, ClaimRun
from posts.audit.rules import CANNOT, FAILS, HOLDS, NOT_RUN, Rule
from posts.audit.run import audit

HERE = "tests.posts.audit.test_run"
PLAIN = Claim("009", "plain", "It is one.", measure=f"{HERE}:one", found="{value}",
              rule=Rule.parse(["value == 1"]))  # fmt: skip


# -- what the claims below name --


def one() -> Mapping[str, float]:
    return {"value": 1, "process": os.getpid()}


def two() -> Mapping[str, float]:
    return {"value": 2}


def words() -> Mapping[str, str]:
    return {"value": "one"}


def nothing() -> Mapping[str, float]:
    return {}


def broken() -> Mapping[str, float]:
    raise ZeroDivisionError("of a kind")


def leaving() -> Mapping[str, float]:
    raise SystemExit(0)


def series() -> Mapping[str, Mapping[int, int]]:
    return {"line": {1: 2, 3: 4}}


def scenes() -> Mapping[str, Any]:
    return {"case": [7]}


def compiled(workbench: Any, given: Mapping[str, Any]) -> Mapping[str, float]:
    return {"other": given["case"][0]}


def without_compiler(workbench: Any, given: Any) -> Mapping[str, float]:
    raise ToolMissingError("there is no compiler\nand more words")


def faulting(workbench: Any, given: Any) -> Mapping[str, float]:
    raise GuestError("it faulted")


answer_to_everything = 42


# -- tests --


def judged(*claims: Claim) -> list[tuple[str, str, int]]:
    found = audit([], claims, [], jobs=1)
    return [(answer.verdict, answer.found, answer.exit_code) for answer in found.answers]


def test_figures_make_the_verdict() -> None:
    other = replace(PLAIN, id="other", measure=f"{HERE}:two")
    assert judged(PLAIN, other) == [(HOLDS, "1", 0), (FAILS, "2", 0)]


def test_a_measurement_of_two_claims_is_made_once_and_elsewhere() -> None:
    second = replace(PLAIN, id="second", found="{process}")
    answers = audit([], [PLAIN, second], [], jobs=2).answers
    processes = {answer.figures["process"] for answer in answers}
    assert len(processes) == 1
    assert os.getpid() not in processes


def test_compiled_figures_join_the_others() -> None:
    both = replace(
        PLAIN,
        run=ClaimRun(f"{HERE}:compiled", f"{HERE}:scenes"),
        found="{value} and {other}",
        rule=Rule.parse(["value == 1", "other == 7"]),
    )
    assert judged(both) == [(HOLDS, "1 and 7", 0)]


@pytest.mark.parametrize(
    ("function", "why", "code"),
    [("without_compiler", "there is no compiler", 3), ("faulting", "it faulted", 4)],
)
def test_what_cannot_run_is_not_judged(function: str, why: str, code: int) -> None:
    claim = replace(PLAIN, run=ClaimRun(f"{HERE}:{function}", f"{HERE}:scenes"))
    assert judged(claim, PLAIN) == [(NOT_RUN, why, code), (HOLDS, "1", 0)]


def test_what_cannot_be_measured_is_not_judged() -> None:
    claim = Claim("009", "day", "It took a day.", cannot="nobody wrote it down")
    assert judged(claim) == [(CANNOT, "nobody wrote it down", 0)]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("words", "'value': 'one', which is not a number with a name"),
        ("nothing", "not a mapping of figures"),
        ("broken", "fails: ZeroDivisionError: of a kind"),
        ("leaving", "fails: SystemExit"),
        ("missing", "cannot be imported"),
        ("answer_to_everything", "is not a function"),
    ],
)
def test_what_is_no_measurement_is_an_error(function: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        judged(replace(PLAIN, measure=f"{HERE}:{function}"))


def test_series_of_a_plot() -> None:
    plot = ClaimPlot("picture", "A picture", "bars", (f"{HERE}:series",), "x", "y")
    (drawn,) = audit([], [], [plot], jobs=1).drawn
    assert drawn.series == {"line": {1: 2.0, 3: 4.0}}
