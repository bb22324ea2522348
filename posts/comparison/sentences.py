"""The sentences of a comparison: which system to use, and how the figures were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.report.plots.numbers import percent
from posts.comparison.judge import BestSystem, Crossover
from posts.comparison.report import ComparisonReport


def conclusion(report: ComparisonReport) -> Iterator[str]:
    """Sentences that say which system to use."""
    if not report.choice.eligible:
        yield "Nothing: no system told who collides and was right about it."
        return
    for cpu, choice in report.choice.by_processor.items():
        clock = report.processors[cpu].megahertz
        for generator, best in choice.best.items():
            if best:
                words = _spans(report, best, choice.crossovers[generator])
                yield f"{cpu} at {clock:g} MHz, {generator}, fewest cycles: {words}."
        overall = choice.all_round
        if overall is not None:
            worst = (
                "it takes the fewest cycles everywhere"
                if overall.ratio == 1
                else f"it never takes more than {overall.ratio:.2f} times the fewest cycles "
                f"({overall.generator}, {overall.objects:,} objects)"
            )
            yield f"{cpu}, one system for everything: {report.title_of(overall.system)}; {worst}."
    out = [system.title for system in report.systems if not system.can_be_chosen]
    if out:
        yield (
            "These cannot be chosen, because they do not tell who collides, were wrong, or have a "
            f"known defect: {'; '.join(out)}."
        )
    for system in report.systems:
        if system.can_be_chosen and system.own_rule:
            yield f"{system.title} answers another question than the others: {system.rule}."


def _spans(
    report: ComparisonReport, best: Sequence[BestSystem], changes: Sequence[Crossover]
) -> str:
    """Clauses that say which system takes the fewest cycles with which numbers of objects."""
    spans: list[list[BestSystem]] = []
    for best_system in best:
        if spans and spans[-1][0].system == best_system.system:
            spans[-1].append(best_system)
        else:
            spans.append([best_system])
    words = []
    part = percent(report.choice.close).replace(".0", "")
    for number, span in enumerate(spans):
        first, last = span[0].objects, span[-1].objects
        sizes = f"{first:,}" if first == last else f"{first:,} to {last:,}"
        text = f"{report.title_of(span[0].system)} with {sizes} objects"
        if number:
            at = changes[number - 1].at
            text = f"from about {at:,.0f} on, {text}" if at is not None else f"then {text}"
        close = [
            report.title_of(other) + (f" at {best_system.objects:,}" if len(span) > 1 else "")
            for best_system in span
            for other in best_system.close
        ]
        words.append(text + (f" (within {part} of it: {'; '.join(close)})" if close else ""))
    return "; ".join(words)


def about_answers(report: ComparisonReport) -> Iterator[str]:
    """Sentences that explain the table of who collides."""
    for system in report.systems:
        if system.blind:
            yield f"{system.title} is not asked who collides: {system.blind}."
        if system.own_rule:
            yield f"{system.title}: two objects collide if {system.rule}."
        if system.defect:
            yield f"{system.title}, known: {system.defect}."
    yield (
        f"By comparing each object with each. Two collide if {report.scenes.rule}, where nothing "
        "else is said; those that only touch do not. Right is to name exactly the objects that "
        "are in a collision; how often a pair is reported does not matter here."
    )
    crowded = max((system.judged_where_all_collide for system in report.systems), default=0)
    if crowded:
        yield (
            f"Up to {crowded:,} of the objects are in scenes where every object collides; there, "
            "to find too much would not be seen."
        )
    beyond = [system.title for system in report.systems if not (system.tells_who or system.blind)]
    if beyond:
        yield (
            f"{'; '.join(beyond)}: who collides is the reference's answer. The program's own "
            "memory holds it only as far as the reports it keeps, which are equal, as is their "
            "number."
        )


def basis(report: ComparisonReport) -> Iterator[str]:
    """Sentences about the scenes, the checks and the processors."""
    scenes = report.scenes
    counts = ", ".join(f"{number} with {objects:,}" for objects, number in scenes.count.items())
    (width, height), size = scenes.area, scenes.object_size
    yield (
        f"Scenes of each kind: {counts} objects; by {scenes.make}, seeds from "
        f"{scenes.seed}; corners in {width} x {height} pixels, so that whole objects are on "
        f"a screen of {width + size} x {height + size}. Figures are means."
    )
    compared = sum(run.comparisons for cell in report.cells for run in cell.runs.values())
    yield (
        f"Every call's data memory was compared with what the case's reference demands: "
        f"{compared:,} bytes in all."
    )
    for processor in report.processors.values():
        yield f"{processor.model}, at {processor.megahertz:g} MHz."
    yield from (f"{system.title}: {system.note}." for system in report.systems if system.note)
    taken = [system.title for system in report.systems if system.has_setup]
    if taken:
        yield f"What it takes to set up is taken off: {'; '.join(taken)}."
    yield from _bookkeeping(report)


def _bookkeeping(report: ComparisonReport) -> Iterator[str]:
    """Sentences that say in which figures counting and reporting are included."""
    bare = [
        f"{system.title} ({system.timed.case})"
        for system in report.systems
        if system.timed is not None
    ]
    if bare:
        yield (
            "Instructions, cycles and speeds are those of a program of the same source that counts "
            "no tests, keeps no reports and clears no more flags than there are objects, and whose "
            "results were compared on the same scenes; tests are those of the program that counts "
            f"them: {'; '.join(bare)}."
        )
    full = [system for system in report.systems if system.timed is None]
    counting = [system.title for system in full if system.counts_tests]
    if counting:
        yield (
            "Counting tests, keeping reports and clearing tables are in the figures, and may be "
            f"much of them: {'; '.join(counting)}."
        )
    other = [system.title for system in full if not system.counts_tests]
    if other:
        yield (
            "No count of tests is in the program, but whatever else it does beside looking for "
            f"collisions is in the figures: {'; '.join(other)}."
        )
