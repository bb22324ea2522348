"""Sentences about what the answers of a case's reference are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.verify.report.report import AnswersCheck, CallsBeyond, ProgramResult


def answer_sentences(results: Sequence[ProgramResult], reference: str) -> Iterator[str]:
    """What was compared that the case does not name, how many answers there were, and the limits.

    Args:
        results: the results of the programs.
        reference: the name of the reference.
    """
    checks = [result.answers for result in results if result.answers is not None]
    also = _each(name for check in checks for name in check.also_compared)
    if also:
        yield f"Also compared, since {reference} writes it: {', '.join(also)}."
    most = max(checks, key=lambda check: check.looked_at, default=None)
    if most is not None and most.looked_at:
        yield f"Different answers: {most.distinct:,}, of {most.looked_at:,} that were looked at."
    unfilled = _each(name for check in checks for name in check.unfilled)
    if unfilled:
        yield f"Read by the routine, and filled by no scene: {', '.join(unfilled)}."
    for name in _each(name for check in checks for name in check.free):
        yield (
            f"Calls of {name} were not compared: the case says calls: free, or {reference} takes "
            f"no parameter {name} to call."
        )
    for calls_beyond in _beyond(checks):
        yield (
            f"The first {calls_beyond.compared:,} calls of {calls_beyond.function} on a scene were "
            "compared with their arguments, and up to "
            f"{calls_beyond.most - calls_beyond.compared:,} more were only counted."
        )
    for clause in _each(clause for check in checks for clause in check.unseen):
        yield f"{clause[0].upper()}{clause[1:]}."


def answers_clause(results: Sequence[ProgramResult]) -> str:
    """The limits of a verdict that come from the answers, as a clause; "" if there are none."""
    checks = [result.answers for result in results if result.answers is not None]
    clauses = []
    if any(check.is_vacuous for check in checks):
        clauses.append("all answers were the same one")
    free = _each(name for check in checks for name in check.free)
    if free:
        clauses.append(f"calls of {', '.join(free)} were not compared")
    clauses += [
        f"calls of {calls_beyond.function} beyond the first {calls_beyond.compared:,} were only "
        "counted"
        for calls_beyond in _beyond(checks)
    ]
    clauses += [
        clause.partition(":")[0] for clause in _each(c for check in checks for c in check.unseen)
    ]
    left_out = _each(name for check in checks for name in check.left_out)
    if left_out:
        clauses.append(f"not compared: {', '.join(left_out)}")
    return "; ".join(clauses)


def _beyond(checks: Sequence[AnswersCheck]) -> list[CallsBeyond]:
    """Each function with calls that were only counted, and of all programs the most calls."""
    every = sorted(
        (calls_beyond for each in checks for calls_beyond in each.calls_beyond),
        key=lambda calls: calls.most,
    )
    return list({calls_beyond.function: calls_beyond for calls_beyond in every}.values())


def _each(names: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(names))
