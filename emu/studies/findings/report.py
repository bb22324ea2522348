"""A report of findings as JSON, from which everything else could be made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from emu.studies.findings.result import NOT_SHOWN, FindingResult, Seen
from emu.studies.findings.words import command

SCHEMA = "macproof.findings-report/1"


def make_report(
    results: Sequence[FindingResult], words: Sequence[str], seconds: float
) -> dict[str, Any]:
    """Everything that is known of findings, as plain data.

    Args:
        results: what came of them.
        words: the command that was given.
        seconds: how long it took.
    """
    return {
        "schema": SCHEMA,
        "verdict": NOT_SHOWN if any(r.status == NOT_SHOWN for r in results) else "shown",
        "findings": [_finding(result) for result in results],
        "totals": {
            "findings": len(results),
            "calls": len({id(outcome) for result in results for outcome in result.outcomes}),
            "facts": sum(result.facts for result in results),
            "comparisons": sum(
                outcome.comparisons
                for outcome in {id(o): o for result in results for o in result.outcomes}.values()
            ),
        },
        "command": list(words),
        "seconds": round(seconds, 1),
    }


def to_json(report: Mapping[str, Any]) -> str:
    """The report as text."""
    return json.dumps(report, indent=1) + "\n"


def _finding(result: FindingResult) -> dict[str, Any]:
    finding = result.finding
    return {
        "id": finding.id,
        "title": finding.title,
        "post": finding.post,
        "says": finding.says,
        "status": result.status,
        "why_not_run": result.why_not_run,
        "problems": result.problems,
        "left_out": result.left_out,
        "command": command(result),
        "steps": [
            {
                "name": step.step.name,
                "input": step.step.input,
                "as_described": {
                    "case": step.step.described.case.name,
                    "shows": dict(step.step.described.facts),
                    "claimed": dict(step.step.claimed),
                    "seen": _side(step.described),
                },
                "corrected": {
                    "case": step.step.corrected.case.name,
                    "right": dict(step.step.corrected.facts),
                    "seen": _side(step.corrected),
                }
                if step.step.corrected is not None
                else None,
            }
            for step in result.steps
        ],
    }


def _side(seen: Mapping[str, Seen]) -> dict[str, Any]:
    return {
        cpu: {
            "facts": dict(one.facts),
            "fault": one.fault,
            "problem": one.problem,
            "calls": len(one.outcomes),
            "reference_agrees": [outcome.agrees for outcome in one.outcomes],
            "violations": [list(outcome.violations) for outcome in one.outcomes],
            "comparisons": sum(outcome.comparisons for outcome in one.outcomes),
        }
        for cpu, one in seen.items()
    }
