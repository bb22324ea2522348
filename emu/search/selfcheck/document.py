"""A self-check as a document: the score, what survived with its place and its change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Literal,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import TONES, verdict_outcome
from emu.search.selfcheck.checker import BrokenCheck, BrokenCheckFate
from emu.search.selfcheck.fates import Fate
from emu.search.selfcheck.report import (
    KILLED,
    SCHEMA,
    MutantReport,
    SelfcheckReport,
)

_ASIDE = {
    Fate.EQUIVALENT: "equivalent: {}",
    Fate.ELSEWHERE: "left to the case {}",
    Fate.IDENTICAL: "the compiler makes the same code of it",
    Fate.ABSENT: "{}",
    Fate.INVALID: "it does not compile: {}",
}
_FATES = {
    BrokenCheckFate.SEEN: CheckStatus.PASSED,
    BrokenCheckFate.REFUSED: CheckStatus.PASSED,
    BrokenCheckFate.UNSEEN: CheckStatus.FAILURE,
    BrokenCheckFate.NOT_DONE: CheckStatus.SKIPPED,
}


def document_of(report: SelfcheckReport) -> Document:
    """The document of ``macproof selfcheck``."""
    return Document(
        title=f"{report.receipt.case.title}, broken on purpose",
        outcome=verdict_outcome(report.verdict, _caveat(report)),
        lead=tuple(_lead(report)),
        sections=tuple(_sections(report)),
        checks=(
            *(_check(mutant, report) for mutant in report.mutants),
            *(_check_of_check(check, report) for check in report.checks),
        ),
        seconds=report.receipt.seconds,
        data=report,
        schema=SCHEMA,
    )


def percent(score: float | None) -> str:
    """A score in words; never 100 % when a mutant survived."""
    if score is None:
        return "-"
    return "100 %" if score == 1 else f"{min(score * 100, 99.9):.1f} %"


def _caveat(report: SelfcheckReport) -> str:
    count = len(report.survivors)
    if count:
        return f"{count:,} mutant{'s' * (count != 1)} survived"
    if any(check.seen is BrokenCheckFate.UNSEEN for check in report.checks):
        return "a broken check was not seen"
    if report.wrong_entries:
        return "the list of equivalent mutants is wrong"
    return "" if report.verdict == KILLED else "there is no mutant that counts"


def _lead(report: SelfcheckReport) -> Iterator[str]:
    killed = report.count(Fate.DIVERGED) + report.count(Fate.FAULTED)
    scenes = report.receipt.scenes.count
    yield (
        f"{killed:,} of {killed + len(report.survivors):,} mutants that count were found out by "
        f"{scenes:,} scenes: the score is {percent(report.score)}. Programs: "
        f"{', '.join(report.programs)}."
    )
    yield (
        f"Set aside: {report.count(Fate.IDENTICAL):,} with the same code as the routine, "
        f"{report.count(Fate.ABSENT):,} in functions that the program does not have, "
        f"{report.count(Fate.EQUIVALENT):,} listed as equivalent, "
        f"{report.count(Fate.INVALID):,} that do not compile."
    )
    yield from report.unwatched.sentences()
    for source in report.left:
        yield (
            f"Not tried here: {source.mutants:,} in {source.file}, which the self-check of the "
            f"case {source.case} is of. {source.reason}"
        )
    untried = report.all_mutants - len(report.mutants)
    if untried:
        yield f"{untried:,} of {report.all_mutants:,} mutants were not tried, because of --limit."


def _sections(report: SelfcheckReport) -> Iterator[Section]:
    if report.survivors:
        parts = [part for survivor in report.survivors for part in _survivor(survivor, report)]
        yield Section("Survivors", tuple(parts))
    if report.wrong_entries:
        yield Section("Wrong entries of the list", (Points(report.wrong_entries),))
    if report.mutants:
        yield Section("Mutants", (_table(report),))
    yield Section("The check itself, broken", (_table_of_checks(report),))
    aside = [mutant for mutant in report.mutants if mutant.fate is Fate.EQUIVALENT]
    if aside:
        points = Points(tuple(f"{mutant.key}: {mutant.why}" for mutant in aside))
        yield Section("Equivalent", (points,), is_detail=True)


def _survivor(mutant: MutantReport, report: SelfcheckReport) -> Iterator[Part]:
    is_clear = len(report.programs) == 1 or mutant.file in mutant.survived_on
    on = "" if is_clear else f", on {', '.join(mutant.survived_on)}"
    yield f"{where(mutant)} in {mutant.function} ({mutant.operator}){on}"
    yield Literal((f"- {mutant.before}", f"+ {mutant.after}"))


def where(mutant: MutantReport) -> str:
    """The file and the line of a mutant."""
    return f"{mutant.file}:{mutant.line}" if mutant.line else mutant.file


def _table(report: SelfcheckReport) -> Table:
    counts = Counter((mutant.operator, mutant.fate) for mutant in report.mutants)
    operators = sorted({mutant.operator for mutant in report.mutants})
    rows = [_row(name, [name], counts) for name in operators]
    rows.append(_row("all", operators, counts))
    return Table(
        ("change", "mutants", "killed", "survived", "set aside", "score"),
        tuple(rows),
        breaks=frozenset({len(operators)}),
    )


def _row(title: str, operators: list[str], counts: Counter[tuple[str, Fate]]) -> tuple[str, ...]:
    row = {fate: sum(counts[name, fate] for name in operators) for fate in Fate}
    killed = sum(count for fate, count in row.items() if fate.is_killed)
    survived = row[Fate.SURVIVED]
    mutants = sum(row.values())
    numbers = (mutants, killed, survived, mutants - killed - survived)
    score = killed / (killed + survived) if killed + survived else None
    return (title, *(f"{number:,}" for number in numbers), percent(score))


def _table_of_checks(report: SelfcheckReport) -> Table:
    names = list(dict.fromkeys(check.name for check in report.checks))
    seen = {(check.name, check.program): check.seen for check in report.checks}
    rows = tuple(
        (name, *(seen[name, program].value for program in report.programs)) for name in names
    )
    columns = ("what is broken", *report.programs)
    return Table(columns, rows, words=len(columns), tones=TONES)


def _check_of_check(broken: BrokenCheck, report: SelfcheckReport) -> Check:
    name = f"{broken.name}, {broken.program}"
    return Check(
        f"selfcheck.{report.receipt.case.name}",
        name,
        _FATES[broken.seen],
        broken.why or broken.seen.value,
    )


def _check(mutant: MutantReport, report: SelfcheckReport) -> Check:
    fate, message = CheckStatus.PASSED, ""
    if mutant.fate is Fate.SURVIVED:
        fate = CheckStatus.FAILURE
        message = (
            f"it survived on {', '.join(mutant.survived_on)}\n- {mutant.before}\n+ {mutant.after}"
        )
    elif mutant.fate in _ASIDE:
        fate, message = CheckStatus.SKIPPED, _ASIDE[mutant.fate].format(mutant.why)
    return Check(
        f"selfcheck.{report.receipt.case.name}", mutant.key, fate, message, {"why": mutant.why}
    )
