"""Makes a document of checked results: the verdict on each file, and the speeds of the machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.base.errors import InputError
from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.plots.numbers import three_digits
from emu.report.verdict_words import TONES, verdict_outcome
from emu.results.check import CheckedResults
from emu.results.clocks import UNLIKE_ITS_KIND, UNLIKE_ITSELF, Cycles, EquivalentClock, model_clocks
from emu.results.report import SCHEMA, make_report
from emu.results.speeds import routines, rows, speeds_plot, speeds_table

_MOST_NAMED = 5


def results_document(
    checked: Sequence[CheckedResults],
    unusable: Sequence[InputError],
    seconds: float,
    cycles: Cycles | None = None,
) -> Document:
    """Make a document of all checked files.

    Args:
        checked: the files that could be checked.
        unusable: for each of the other files, why it could not be checked.
        seconds: how long the check took.
        cycles: what the cycle models predict, to hold the speeds against; None is nothing.
    """
    clocks = None if cycles is None else model_clocks(checked, cycles)
    report = make_report(checked, clocks)
    count = len(checked) + len(unusable)
    without = len(unusable)
    caveat = f"{without} of the files could not be checked" if without else ""
    return Document(
        title=f"{count} file{'' if count == 1 else 's'} of results",
        outcome=verdict_outcome(report.verdict, caveat),
        sections=tuple(_sections(checked, unusable, cycles or {}, clocks or [])),
        checks=(*map(_check, checked), *map(_check_of_unusable, unusable)),
        seconds=seconds,
        data=report,
        schema=SCHEMA,
    )


def _sections(
    checked: Sequence[CheckedResults],
    unusable: Sequence[InputError],
    cycles: Cycles,
    clocks: Sequence[EquivalentClock],
) -> Iterator[Section]:
    if checked:
        yield Section("Files", (_table(checked), *_virtual(checked)))
    wrong = [check for check in checked if check.refutations]
    if wrong:
        shown = tuple(text for check in wrong for text in _some(check))
        yield Section("Scenes with another digest than the reference's", (Points(shown),))
    if any(len(check.refutations) > _MOST_NAMED for check in wrong):
        whole = tuple(_refutations(check) for check in wrong)
        yield Section("All scenes with another digest", tuple(map(Points, whole)), is_detail=True)
    if unusable:
        reasons = tuple(str(error) for error in unusable)
        # The terminal has shown them already, on standard error.
        yield Section("Not checked", (Points(reasons),), is_detail=True)
    for routine in routines(checked):
        speeds = rows(checked, routine, cycles)
        title = f"{routine}: complete runs in a second, by number of objects"
        yield Section(title, (speeds_table(speeds), speeds_plot(speeds, routine)))
    if clocks:
        yield Section("The clock at which the model would be as fast, in MHz", _clocks(clocks))


def _clocks(clocks: Sequence[EquivalentClock]) -> tuple[Part, ...]:
    counts = sorted({objects for clock in clocks for objects in clock.megahertz})
    table = Table(
        ("file", "machine", "routine", *map(str, counts), "median"),
        tuple(
            (
                clock.file,
                clock.machine,
                clock.routine,
                *(three_digits(clock.megahertz.get(n)) for n in counts),
                three_digits(clock.typical),
            )
            for clock in clocks
        ),
        words=3,
    )
    rule = (
        f"An outlier is a file whose clocks differ by more than {UNLIKE_ITSELF:g} times among "
        f"themselves, or by more than {UNLIKE_ITS_KIND:g} times from those of the other files of "
        "such a machine, if there are three."
    )
    named = [
        f"Outlier: {clock.file}, {clock.routine}: {clock.outlier}."
        for clock in clocks
        if clock.outlier
    ]
    return table, rule, Points(tuple(named or ["There is no outlier."]))


def _table(checked: Sequence[CheckedResults]) -> Table:
    columns = ("file", "machine", "System", "program", "verdict", "digests")
    cells = tuple(
        (
            str(check.results.path),
            check.results.machine,
            check.results.about["system"],
            f"{check.results.about['program']} ({check.results.about['build']})",
            check.verdict,
            f"{check.comparisons:,}",
        )
        for check in checked
    )
    return Table(columns, cells, words=5, tones=TONES)


def _virtual(checked: Sequence[CheckedResults]) -> Iterator[str]:
    for check in checked:
        if check.results.is_virtual and check.results.timings:
            yield (
                f"{check.results.path}: its times are left out. They are of macproof run, whose "
                "clock measures nothing."
            )


def _refutations(check: CheckedResults) -> tuple[str, ...]:
    return tuple(f"{check.results.path}: {refutation}" for refutation in check.refutations)


def _some(check: CheckedResults) -> Iterator[str]:
    """The first refutations of a file, and how many more there are."""
    texts = _refutations(check)
    yield from texts[:_MOST_NAMED]
    if len(texts) > _MOST_NAMED:
        yield f"{check.results.path}: and {len(texts) - _MOST_NAMED} more"


def _check(check: CheckedResults) -> Check:
    return Check(
        group="results",
        name=str(check.results.path),
        fate=CheckStatus.FAILURE if check.refutations else CheckStatus.PASSED,
        message="\n".join(map(str, check.refutations)),
        properties={"digests compared": str(check.comparisons), "machine": check.results.machine},
    )


def _check_of_unusable(error: InputError) -> Check:
    return Check("results", str(error.path), CheckStatus.ERROR, str(error))
