"""The audit as a report: JSON of schema ``macproof.audit/1``, and what all its forms share."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from emu import __version__
from emu.cycles.models import MODELS
from emu.machine.engine import describe_engine
from emu.studies.audit.rules import VERDICTS, WITH_CONDITION
from emu.studies.audit.run import Answer, Audit, Drawn

Report: TypeAlias = dict[str, Any]

SCHEMA = "macproof.audit/1"
NOTE = (
    "Counts are facts of the references and of emulation. What is marked (model) rests on cycle "
    "models and is a prediction."
)


def make_report(audit: Audit, *, command: Sequence[str], programs: str, seconds: float) -> Report:
    """The report as plain data.

    Args:
        audit: what was measured.
        command: the command line.
        programs: where compiled programs came from: auto, compiled or prebuilt.
        seconds: how long it took.
    """
    counts = [answer.verdict for answer in audit.answers]
    return {
        "schema": SCHEMA,
        "note": NOTE,
        "posts": [
            {"post": post.number, "title": post.title, "by": post.by} for post in audit.posts
        ],
        "verdicts": {verdict: counts.count(verdict) for verdict in VERDICTS},
        "claims": [_claim(answer) for answer in audit.answers],
        "plots": [_plot(drawn) for drawn in audit.drawn],
        "receipt": {
            "command": list(command),
            "programs": programs,
            "macproof": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "engine": describe_engine(),
            "models": {
                cpu: {"title": model.title, "megahertz": model.megahertz}
                for cpu, model in MODELS.items()
            },
            "seconds": round(seconds, 3),
        },
    }


def to_json(report: Report) -> str:
    """The canonical form: keys in their order, one trailing newline."""
    return json.dumps(report, indent=1) + "\n"


def claims_of(report: Report, post: str) -> list[Report]:
    """The claims of a post."""
    return [claim for claim in report["claims"] if claim["post"] == post]


def tally(report: Report) -> str:
    """How many claims have each verdict, in words."""
    parts = [f"{count} {verdict}" for verdict, count in report["verdicts"].items() if count]
    count = len(report["claims"])
    return f"{count} claim{'' if count == 1 else 's'}: {', '.join(parts)}"


def found_words(claim: Report) -> str:
    """What was found, with what goes with it."""
    words: str = claim["found"]
    if claim["model"] and claim["figures"]:
        words += " (model)"
    if claim["condition"]:
        words += f". Condition: {claim['condition']}"
    return words


def _claim(answer: Answer) -> Report:
    claim = answer.claim
    with_condition = answer.verdict == WITH_CONDITION
    return {
        "post": claim.post,
        "id": claim.id,
        "says": claim.says,
        "number": claim.number,
        "verdict": answer.verdict,
        "found": answer.found,
        "condition": claim.condition if with_condition else "",
        "figures": dict(answer.figures),
        "rule": "" if claim.rule is None else str(claim.rule),
        "rule_rests_on": claim.rule_rests_on,
        "model": claim.is_model,
        "measure": claim.measure,
        "run": {"with": claim.run.measure, "scenes": claim.run.scenes} if claim.run else None,
        "reproduce": f"macproof audit {claim.id}" if claim.rule is not None else "",
    }


def growth(values: Mapping[int, float]) -> float | None:
    """The k for which values grow as n to the power of k, by least squares of logarithms.

    None where there is no such thing: of fewer than two values, or of one that is not above 0.
    """
    sizes, heights = np.array(list(values)), np.array(list(values.values()))
    if len(values) < 2 or (sizes <= 0).any() or (heights <= 0).any():
        return None
    return float(np.polyfit(np.log(sizes), np.log(heights), 1)[0])


def _plot(drawn: Drawn) -> Report:
    plot = drawn.plot
    is_growth = plot.kind == "log-log"
    return {
        "id": plot.id,
        "title": plot.title,
        "kind": plot.kind,
        "x": plot.x,
        "y": plot.y,
        "note": plot.note,
        "series": {
            name: {str(x): y for x, y in values.items()} for name, values in drawn.series.items()
        },
        "exponents": {name: growth(values) for name, values in drawn.series.items() if is_growth},
    }
