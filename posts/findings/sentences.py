"""Sentences about findings: numbers, facts and commands in words, for documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from posts.findings.result import NOT_RUN, NOT_SHOWN, SHOWN, FindingResult, FormResult, calls_of

_WIDEST = 60


def counts(results: Sequence[FindingResult]) -> str:
    """How many findings have each status, in words."""
    statuses = [result.status for result in results]
    by_status = {status: statuses.count(status) for status in (SHOWN, NOT_SHOWN, NOT_RUN)}
    return ", ".join(f"{count} {status}" for status, count in by_status.items() if count)


def totals(results: Sequence[FindingResult]) -> str:
    """Two sentences that say how many calls were made, and how much was compared."""
    outcomes = calls_of(results)
    corrected = {
        id(outcome): outcome
        for result in results
        for step in result.steps
        for seen in step.corrected.values()
        for outcome in seen.outcomes
    }
    whole = sum(outcome.agrees is True for outcome in corrected.values())
    facts = sum(result.facts for result in results)
    values = sum(outcome.comparisons for outcome in outcomes)
    return (
        f"{counted(len(outcomes), 'call')} of compiled routines; "
        f"{facts:,} facts compared with what should be seen; {values:,} values compared with "
        f"references. {whole:,} calls of corrected forms left all data memory as their "
        "references demand."
    )


def counted(number: int, what: str) -> str:
    """A number with a noun, in the plural unless it is 1: "1,200 calls", "1 call"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def facts_words(facts: Mapping[str, Any]) -> str:
    """Facts with their values in one line, such as "stored.gCount = 3, fault = none"."""
    return ", ".join(f"{name} = {value_words(value)}" for name, value in facts.items())


def value_words(value: Any) -> str:
    """A value in JSON, cut after 60 characters."""
    text = json.dumps(value)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]} ..."


def seen_words(seen: FormResult) -> str:
    """What one form of a routine did on one processor, and whether that is right."""
    parts = [facts_words(seen.facts)] if seen.facts else []
    if seen.fault:
        parts.append(seen.fault)
    if seen.problem:
        parts.append(f"WRONG: {seen.problem}")
    if seen.outcomes and all(outcome.agrees for outcome in seen.outcomes):
        parts.append("memory is as its reference demands")
    return "; ".join(parts)


def command(result: FindingResult) -> str:
    """The command that shows the finding again."""
    return f"macproof findings {result.finding.id}"
