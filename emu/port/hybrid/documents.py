"""What hybrids have shown, as a document."""

from __future__ import annotations

from collections.abc import Iterator

from emu.base.printable import one_line
from emu.port.hybrid.hybrid import HybridReport, PlayedScript
from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED
from emu.report.document import Check, CheckStatus, Document, Points, Section, Table
from emu.report.verdict_words import TONES, verdict_outcome

SCHEMA = "macproof.port-run/1"
_COSTS = ("script", "verdict", "original", "hybrid", "hybrid / original")
_COMPARED = ("script", "Toolbox calls", "lines of text", "pictures", "files", "bytes of globals")
_STATUS = {REFUTED: CheckStatus.FAILURE, INCONCLUSIVE: CheckStatus.ERROR}


def hybrid_document(report: HybridReport) -> Document:
    """A document about hybrids."""
    placed = [one for one in report.functions if not one.too_short]
    sections = [Section("Runs", (_costs(report), _compared(report)))]
    differences = tuple(_differences(report))
    if differences:
        sections.append(Section("Differences, and why there is no verdict", (Points(differences),)))
    causes = tuple(_causes(report))
    if causes:
        sections.append(Section("What causes them", (Points(causes),)))
    missing = tuple(_not_watched(report))
    if missing:
        sections.append(Section("What was not compared", (Points(missing),)))
    return Document(
        title=f"The original with {len(placed)} new functions at once",
        name=report.project,
        sections=tuple(sections),
        outcome=verdict_outcome(report.verdict),
        lead=(
            "Each script was played on the original alone and on the original with the new "
            "functions in the place of the old ones. The calls of the Toolbox with their "
            "arguments, text, pictures, files, the screen and the globals at the end were "
            "compared. Seconds are of the processor, without those for comparing and linking.",
        ),
        checks=tuple(
            Check(
                "port run", one.script, _STATUS.get(one.verdict, CheckStatus.PASSED), one.difference
            )
            for one in report.scripts
        ),
        data=report,
        schema=SCHEMA,
    )


def exit_code(report: HybridReport) -> int:
    """0 if all is the same, 1 if something differs, 4 if there is no verdict."""
    return {REFUTED: 1, INCONCLUSIVE: 4}.get(report.verdict, 0)


def _costs(report: HybridReport) -> Table:
    rows = tuple((one_line(one.script), one.verdict, *_seconds(one)) for one in report.scripts)
    return Table(_COSTS, rows, words=2, tones=TONES)


def _seconds(one: PlayedScript) -> tuple[str, str, str]:
    original = f"{one.original_seconds:.2f} s"
    if one.verdict != VERIFIED:
        return original, "ended early" if one.verdict == REFUTED else "not run", ""
    ratio = one.hybrid_seconds / max(one.original_seconds, 1e-6)
    return original, f"{one.hybrid_seconds:.2f} s", f"{ratio:.2f}"


def _compared(report: HybridReport) -> Table:
    rows = tuple(
        (
            one_line(one.script),
            *(f"{count:,}" for count in (one.toolbox_calls, one.lines, one.pictures, one.files)),
            f"{one.global_bytes - one.ignored_bytes:,}",
        )
        for one in report.scripts
    )
    return Table(_COMPARED, rows, title="What the original did")


def _differences(report: HybridReport) -> Iterator[str]:
    for one in report.scripts:
        if one.difference:
            yield f"{one_line(one.script)}: {one_line(one.difference)}"
    if not any(one.has_run for one in report.functions):
        yield "no new function has run"


def _causes(report: HybridReport) -> Iterator[str]:
    for script in report.scripts:
        for one in script.causes:
            names = " and ".join(one.functions)
            alone = "by itself" if len(one.functions) == 1 else "together, and no fewer of them"
            yield f"{names}, {alone}: {one_line(one.difference)}"


def _not_watched(report: HybridReport) -> Iterator[str]:
    short = [one.name for one in report.functions if one.too_short]
    if short:
        yield f"the old functions stay, being shorter than a jump: {', '.join(short)}"
    idle = [one.name for one in report.functions if not one.has_run and not one.too_short]
    if idle:
        yield f"no script has called {', '.join(idle)}"
    for script in report.scripts:
        name = one_line(script.script)
        if script.ignored_bytes:
            yield f"{name}: {script.ignored_bytes:,} bytes that port.yaml ignores"
        if script.unsure:
            yield f"{name}: addresses of locals or constants in {', '.join(script.unsure)}"
    yield "the heap, and what lies behind pointers given to the Toolbox, but for texts and boxes"
    yield from report.remarks
