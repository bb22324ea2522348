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
    checks = [one.answers for one in results if one.answers is not None]
    also = _each(name for one in checks for name in one.also_compared)
    if also:
        yield f"Also compared, since {reference} writes it: {', '.join(also)}."
    most = max(checks, key=lambda one: one.looked_at, default=None)
    if most is not None and most.looked_at:
        yield f"Different answers: {most.distinct:,}, of {most.looked_at:,} that were looked at."
    unfilled = _each(name for one in checks for name in one.unfilled)
    if unfilled:
        yield f"Read by the routine, and filled by no scene: {', '.join(unfilled)}."
    for name in _each(name for one in checks for name in one.free):
        yield (
            f"Calls of {name} were not compared: the case says calls: free, or {reference} takes "
            f"no parameter {name} to call."
        )
    for one in _beyond(checks):
        yield (
            f"The first {one.compared:,} calls of {one.function} on a scene were compared with "
            f"their arguments, and up to {one.most - one.compared:,} more were only counted."
        )
    for clause in _each(clause for one in checks for clause in one.unseen):
        yield f"{clause[0].upper()}{clause[1:]}."


def answers_clause(results: Sequence[ProgramResult]) -> str:
    """The limits of a verdict that come from the answers, as a clause; "" if there are none."""
    checks = [one.answers for one in results if one.answers is not None]
    clauses = []
    if any(one.is_vacuous for one in checks):
        clauses.append("all answers were the same one")
    free = _each(name for one in checks for name in one.free)
    if free:
        clauses.append(f"calls of {', '.join(free)} were not compared")
    clauses += [
        f"calls of {one.function} beyond the first {one.compared:,} were only counted"
        for one in _beyond(checks)
    ]
    clauses += [one.partition(":")[0] for one in _each(c for one in checks for c in one.unseen)]
    left_out = _each(name for one in checks for name in one.left_out)
    if left_out:
        clauses.append(f"not compared: {', '.join(left_out)}")
    return "; ".join(clauses)


def _beyond(checks: Sequence[AnswersCheck]) -> list[CallsBeyond]:
    """Each function with calls that were only counted, and of all programs the most calls."""
    every = sorted((one for each in checks for one in each.calls_beyond), key=lambda one: one.most)
    return list({one.function: one for one in every}.values())


def _each(names: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(names))
