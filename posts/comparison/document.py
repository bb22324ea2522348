"""Makes the document of ``macproof compare``: conclusion, tables, wrong answers, what was run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping

from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.plots.numbers import ABSENT, significant
from emu.report.verdict_words import TONES, verdict_outcome
from posts.comparison.judge import AGREE, DISAGREE, INCONCLUSIVE
from posts.comparison.measure import ProcessorCost, SystemResult
from posts.comparison.plots import systems_plot
from posts.comparison.report import SCHEMA, ComparedSystem, ComparisonReport, Room
from posts.comparison.sentences import about_answers, basis, conclusion

_STANDS_IN = "+"
_FEWEST = "*"
_CAVEATS = {
    AGREE: "all systems do what they should, apart from known defects",
    DISAGREE: "not all systems do what they should",
    INCONCLUSIVE: "nothing was compared, or a program did not come to a verdict",
}
_Cells = Mapping[tuple[str, int], SystemResult]
"""The cells of one kind of scenes, by system and number of objects."""


def comparison_document(report: ComparisonReport) -> Document:
    """The document of a comparison."""
    scenes, count = report.scenes, len(report.systems)
    sizes = scenes.objects
    number = f"{sizes[0]:,} to {sizes[-1]:,}" if len(sizes) > 1 else f"{sizes[0]:,}"
    about = (
        f"{number} objects of {scenes.object_size} x {scenes.object_size} pixels, "
        f"{' and '.join(scenes.generators)}, build {report.build}."
    )
    return Document(
        title=f"{count} collision system{'s' if count != 1 else ''} on the same objects",
        outcome=verdict_outcome(report.verdict, _CAVEATS[report.verdict]),
        lead=(about, report.note),
        sections=tuple(_sections(report)),
        checks=tuple(_checks(report)),
        seconds=report.receipt.seconds,
        data=report,
        schema=SCHEMA,
    )


def _sections(report: ComparisonReport) -> Iterator[Section]:
    yield from _problems(report)
    yield Section("Which to use", (Points(tuple(conclusion(report))), systems_plot(report)))
    for generator in report.scenes.generators:
        yield _tests(report, generator)
        for cpu in report.processors:
            yield _speeds(report, cpu, generator)
    yield _most(report)
    yield _who(report)
    for title, value in (
        ("Instructions of a call", lambda run: run.instructions),
        ("Cycles of a call", lambda run: run.cycles),
    ):
        yield Section(title, tuple(_by_processor(report, value)), is_detail=True)
    yield Section("What was run", (Points(tuple(basis(report))),))
    if report.not_run:
        rows = tuple((omission.what, omission.why) for omission in report.not_run)
        yield Section("Not run", (Table(("what", "why"), rows, words=2),))


def _problems(report: ComparisonReport) -> Iterator[Section]:
    wrong = tuple(
        (report.title_of(cell.system), cpu, _scenes_of(cell), run.problem)
        for cell in report.cells
        for cpu, run in cell.runs.items()
        if run.problem
    )
    if wrong:
        columns = ("system", "processor", "scenes", "what happened")
        yield Section("Programs that fail", (Table(columns, wrong, words=4),))


def _scenes_of(cell: SystemResult) -> str:
    return f"{cell.generator}, {cell.objects:,} objects"


# -- tables of figures -----------------------------------------------------------------------


def _tests(report: ComparisonReport, generator: str) -> Section:
    points = ["k: thousands, M: millions."]
    own = [system.title for system in report.systems if not system.counts_tests]
    if own:
        points.append(
            "Counted by the references, to whose results the programs' are equal: "
            f"{'; '.join(own)}. All others count their tests themselves, and the counts are equal."
        )
    cells = _cells(report, generator)
    points += _stand_ins(report, cells)
    table = _table(report, cells, lambda cell: _short(cell.tests))
    title = f"Tests of two objects in a call, {generator}"
    return Section(title, (table, Points(tuple(points))), is_folded=True)


def _speeds(report: ComparisonReport, cpu: str, generator: str) -> Section:
    clock = report.processors[cpu].megahertz
    best = report.choice.by_processor[cpu].best[generator]
    fewest = {(best_system.system, best_system.objects) for best_system in best}

    def words(cell: SystemResult) -> str:
        star = _FEWEST if (cell.system, cell.objects) in fewest else ""
        return _of_run(cell, cpu, lambda run: run.per_second) + star

    foreign = [
        f"{system.title}: the program for the {program.compiled_for}."
        for system in report.systems
        for program in [system.forms[0].programs.get(cpu)]
        if program is not None and program.compiled_for != report.processors[cpu].code
    ]
    points = (f"{_FEWEST} The fewest cycles of the systems that can be chosen.", *foreign)
    table = _table(report, _cells(report, generator), words)
    title = f"Calls in a second, {cpu} at {clock:g} MHz, {generator}"
    return Section(title, (table, Points(points)), is_folded=True)


def _by_processor(
    report: ComparisonReport, value: Callable[[ProcessorCost], float | None]
) -> Iterator[Part]:
    for generator in report.scenes.generators:
        for cpu in report.processors:
            words = functools.partial(_of_run, cpu=cpu, value=value)
            yield _table(report, _cells(report, generator), words, title=f"{cpu}, {generator}")


def _most(report: ComparisonReport) -> Section:
    choice = report.choice
    columns = [(cpu, kind) for cpu in report.processors for kind in report.scenes.generators]
    rows = tuple(
        (
            system.title,
            *(
                _how_many(choice.by_processor[cpu].most_objects[generator].get(system.name))
                for cpu, generator in columns
            ),
        )
        for system in report.systems
    )
    titles = ("system", *(f"{cpu}, {generator}" for cpu, generator in columns))
    return Section(f"Most objects at {choice.rate} calls in a second", (Table(titles, rows),))


def _how_many(room: Room | None) -> str:
    if room is None:
        return ABSENT
    sign = {"at": "", "more than": "> ", "fewer than": "< "}[room.how]
    return f"{sign}{room.objects:,}" if sign else f"{room.objects:,.0f}"


def _who(report: ComparisonReport) -> Section:
    columns = ("system", "answer", "objects", "colliding", "missed", "invented")
    rows = tuple((system.title, *_answer(system)) for system in report.systems)
    table = Table(columns, rows, words=2, tones=TONES)
    return Section("Who collides", (table, Points(tuple(about_answers(report)))))


def _answer(system: ComparedSystem) -> tuple[str, ...]:
    if system.blind:
        return ("not asked", *(ABSENT,) * 4)
    wrong = "wrong (known defect)" if system.defect else "wrong"
    answer = ("right" if system.is_right else wrong) if system.judged else "not asked"
    return (
        answer,
        *(f"{n:,}" for n in (system.judged, system.colliding, system.missed, system.invented)),
    )


def _stand_ins(report: ComparisonReport, cells: _Cells) -> Iterator[str]:
    names = {cell.stand_in: cell.system for cell in cells.values() if cell.stand_in}
    for case, system in names.items():
        yield f"{_STANDS_IN} {report.title_of(system)} by the case {case}, which has more room."


def _cells(report: ComparisonReport, generator: str) -> _Cells:
    """The cells of one kind of scenes in which the system took them."""
    return {
        (cell.system, cell.objects): cell
        for cell in report.cells
        if cell.generator == generator and not cell.refused
    }


def _table(
    report: ComparisonReport, cells: _Cells, words: Callable[[SystemResult], str], title: str = ""
) -> Table:
    """A row for each system, a column for each number of objects."""

    def cell_text(name: str, objects: int) -> str:
        cell = cells.get((name, objects))
        return ABSENT if cell is None else words(cell) + (_STANDS_IN if cell.stand_in else "")

    sizes = report.scenes.objects
    rows = tuple(
        (system.title, *(cell_text(system.name, n) for n in sizes)) for system in report.systems
    )
    return Table(("objects", *(f"{n:,}" for n in sizes)), rows, title=title)


def _of_run(cell: SystemResult, cpu: str, value: Callable[[ProcessorCost], float | None]) -> str:
    run = cell.runs.get(cpu)
    number = None if run is None or run.problem else value(run)
    return ABSENT if number is None else _short(number)


def _short(number: float) -> str:
    """A number with three significant digits, and k for thousands or M for millions."""
    if number >= 999_500:
        return significant(number / 1e6) + "M"
    return significant(number / 1e3) + "k" if number >= 9_995 else significant(number)


# -- for continuous integration --------------------------------------------------------------


def _checks(report: ComparisonReport) -> Iterator[Check]:
    """A check for each system's answer, for each of its programs, and for what was left out."""
    for system in report.systems:
        yield _check_of_answer(system)
        for cpu in system.forms[0].programs:
            yield _check_of_program(report, system, cpu)
    for left_out in report.not_run:
        yield Check("compare", left_out.what, CheckStatus.SKIPPED, left_out.why)


def _check_of_answer(system: ComparedSystem) -> Check:
    group, name = f"compare.{system.name}", "who collides"
    if system.blind or not system.judged:
        return Check(
            group, name, CheckStatus.SKIPPED, system.blind or "it takes none of the scenes"
        )
    is_excused = system.is_right or bool(system.defect)
    return Check(
        group,
        name,
        CheckStatus.PASSED if is_excused else CheckStatus.FAILURE,
        f"of {system.judged:,} objects {system.missed:,} are missed and {system.invented:,} "
        "invented",
        {
            "objects": str(system.judged),
            **({"known defect": system.defect} if system.defect else {}),
        },
    )


def _check_of_program(report: ComparisonReport, system: ComparedSystem, cpu: str) -> Check:
    runs = [(c, c.runs[cpu]) for c in report.cells if c.system == system.name and cpu in c.runs]
    wrong = [f"{_scenes_of(cell)}: {run.problem}" for cell, run in runs if run.problem]
    compared = sum(run.comparisons for _, run in runs)
    fate, message = CheckStatus.PASSED, "\n".join(wrong)
    if wrong:
        fate = CheckStatus.FAILURE if any(run.is_wrong for _, run in runs) else CheckStatus.ERROR
    elif not compared:
        fate, message = CheckStatus.SKIPPED, "it takes none of the scenes"
    properties = {"bytes compared": str(compared)}
    return Check(f"compare.{system.name}", f"{cpu} {report.build}", fate, message, properties)
