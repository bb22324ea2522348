"""Makes the document of a verification: the verdict, the failures, and the receipt."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from emu.cases.change_marks import change_clause
from emu.cases.programs.source_texts import SourceTexts
from emu.cycles.comparison import comparison_sections
from emu.engines.registry import engine_of
from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Excerpt,
    Literal,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import TONES, verdict_outcome
from emu.toolchain.programs.placement import MOVED
from emu.verify.report.answers_document import answer_sentences, answers_clause
from emu.verify.report.coverage_document import (
    annotated_sources,
    coverage_caveat,
    coverage_section,
    unreached_sentences,
)
from emu.verify.report.ignored_document import (
    before_sentences,
    before_strays,
    ignored_clause,
    ignored_sentences,
)
from emu.verify.report.memory_document import layout_sentences, left_clause, memory_sections
from emu.verify.report.next_command import explain_command
from emu.verify.report.oracle_document import oracle_section
from emu.verify.report.receipt import BulkReference, Receipt, SourceDigests
from emu.verify.report.report import SCHEMA, ProgramResult, VerifyReport
from emu.verify.report.toolbox_document import toolbox_clause, toolbox_sections
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED, VERIFIED, CallCounts, first_reasons
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.sample import sample_words

"""Whether a verdict is good or bad, by verdict. Renderers choose colours by it."""

FATES = {
    VERIFIED: CheckStatus.PASSED,
    REFUTED: CheckStatus.FAILURE,
    INCONCLUSIVE: CheckStatus.ERROR,
}
"""How a verdict is told to continuous integration, by verdict."""

_FINDINGS_TOLD = 5
_WEIGHTS = {
    "refutes": "it would not run on the real processor",
    "undecided": "undecided",
    "note": "note",
}


def document_of(
    report: VerifyReport, figures: Sequence[Part] = (), texts: SourceTexts | None = None
) -> Document:
    """Make the document of one case. It has one JUnit check for each program.

    Args:
        report: the report of the case.
        figures: pictures of failed scenes, as `emu.verify.explain.failure_figures` makes them.
        texts: the text of the sources, to show beside it what was executed; None shows none.
    """
    case, replaced = report.receipt.case, _replacement(report.receipt.source)
    title = case.title + (f" ({case.credit})" if case.credit else "")
    return Document(
        title=f"{title}: {replaced}" if replaced else title,
        outcome=verdict_outcome(report.verdict, _caveat(report)),
        sections=tuple(_sections(report, figures, texts)),
        checks=tuple(map(_check, report.results)),
        seconds=report.receipt.seconds,
        data=report,
        schema=SCHEMA,
        name=case.name,
    )


def _sections(
    report: VerifyReport, figures: Sequence[Part], texts: SourceTexts | None
) -> Iterator[Section]:
    yield Section("Programs", (_table(report.results), Points(tuple(_origins(report)))))
    failures = list(_failures(report.results))
    if failures:
        first_lines = [(name, text.partition("\n")[0]) for name, text in failures]
        points = Points(tuple(merge_by_text(first_lines)))
        yield Section("Failures", (points, *_where(report), *figures))
    longer = merge_by_text((name, text) for name, text in failures if "\n" in text)
    if longer:
        lines = tuple(line for text in longer for line in text.split("\n"))
        yield Section("Failures in full", (Literal(lines),), is_detail=True)
    depending = [f"{sentence}." for sentence in merge_by_text(_depending_on_place(report.results))]
    if depending:
        yield Section("Layouts", (Points(tuple(depending)),))
    defects = merge_by_text(
        (result.name, f"{d}.") for result in report.results for d in result.defects
    )
    if defects:
        yield Section("Sanitizers", (Points(tuple(defects)),))
    lacking = instruction_sentences((result.name, result) for result in report.results)
    if lacking:
        yield Section("Instructions", (Points(tuple(lacking)),))
    yield from coverage_section(report)
    yield from memory_sections(report.results)
    yield from toolbox_sections(report.results)
    yield from comparison_sections(report.cycles, report.receipt.reference)
    if report.not_run:
        omissions = tuple(f"{item.what}: {item.why}." for item in report.not_run)
        yield Section("Not run", (Points(omissions),))
    if report.oracles is not None and len(report.oracles.oracles) > 2:
        yield oracle_section(report.oracles)
    yield Section("What was compared", (Points(tuple(_comparisons(report))),))
    if texts is not None:
        yield from annotated_sources(report, texts)
    yield Section("Receipt", (Points(tuple(_receipt(report))),), is_detail=True)


def _table(results: Sequence[ProgramResult]) -> Table:
    """One row for each program; a line separates the processors."""
    cpus = [result.cpu for result in results]
    has_others = not all(result.is_on_unicorn for result in results)
    engines = [(result.engine.partition(" ")[0],) if has_others else () for result in results]
    return Table(
        columns=(
            *("CPU", "build"),
            *(("engine",) if has_others else ()),
            *("verdict", "scenes", "values compared", "instructions"),
        ),
        rows=tuple(
            (
                result.cpu,
                result.build,
                *engine,
                result.verdict,
                f"{result.distinct_scenes:,}",
                f"{result.comparisons:,}",
                f"{result.instructions.count:,}" if result.instructions else "-",
            )
            for result, engine in zip(results, engines, strict=True)
        ),
        words=3 + has_others,
        breaks=frozenset(row for row in range(1, len(cpus)) if cpus[row] != cpus[row - 1]),
        tones=TONES,
    )


def _origins(report: VerifyReport) -> Iterator[str]:
    """Where the programs, and symbols and types from other files, come from."""
    yield f"Where they came from: {report.receipt.programs}."
    yield from merge_by_text(
        (result.name, f"executed by {result.engine}{_limits(result)}")
        for result in report.results
        if not result.is_on_unicorn
    )
    for result in report.results:
        name = Path(result.program.file).name
        symbols, types = result.program.symbols, result.program.types
        if symbols:
            yield f"Symbols of {name} from {symbols.file}."
        if types:
            yield (
                f"{name} has no types for {', '.join(types.variables)}. They are taken from the "
                f"case's own program, build {types.build} ({types.file}). The addresses are those "
                f"of {name}, and the sizes agree."
            )


def _limits(result: ProgramResult) -> str:
    """What an engine other than Unicorn does not check or execute, as the end of a sentence."""
    abilities = engine_of(result.engine.partition(" ")[0]).abilities
    if abilities.counts:
        return "."
    if not abilities.contract:
        return (
            ", which does not check registers, the stack, instructions, and memory that no "
            "variable names."
        )
    return ", which does not check which instructions the processor has."


def translated_clause(calls: int, counts: CallCounts, reasons: Sequence[str]) -> str:
    """How many calls translated code has made, and why not all; "" if nothing was translated.

    Args:
        calls: the number of calls.
        counts: the numbers of those that were made in translated code, and were left by it.
        reasons: why they were left.
    """
    made, left = counts.translated, counts.untranslated
    if not (made or left):
        return ""
    if made == calls:
        return f"all {calls:,} calls in translated code"
    why = "; ".join(["the first scene"] * (calls > made + left) + [*reasons])
    return f"{made:,} of {calls:,} calls in translated code, {calls - made:,} on unicorn: {why}"


def _translated_calls(results: Sequence[ProgramResult]) -> Iterator[str]:
    """The same of all programs together, as a sentence."""
    some = [result for result in results if result.translated or result.untranslated]
    counts = CallCounts(
        translated=sum(result.translated for result in some),
        untranslated=sum(result.untranslated for result in some),
    )
    reasons = first_reasons(reason for result in some for reason in result.reasons)
    clause = translated_clause(sum(result.calls for result in some), counts, reasons)
    if clause:
        where = f"of {len(some)} programs, " if len(some) < len(results) else ""
        sentence = f"{where}{clause}."
        yield f"{sentence[0].upper()}{sentence[1:]}"


# -- what was compared -------------------------------------------------------------------------


def _comparisons(report: VerifyReport) -> Iterator[str]:
    """What was compared, in which memory, and whether calls kept their contract."""
    results = report.results
    yield from _counts(report.receipt, results)
    yield from answer_sentences(results, report.receipt.reference)
    yield from _memory_sentences(report)
    yield from before_sentences(report)
    if report.receipt.scenes.count:
        yield from unreached_sentences(report.unreached)
    called = [result for result in results if result.scenes]
    if called:
        least = min(called, key=lambda result: result.changed_scenes / result.scenes)
        yield (
            f"Calls changed data memory, or wrote their result, in {least.changed_scenes:,} of "
            f"{least.scenes:,} scenes{' at least' if len(called) > 1 else ''}."
        )
    measured = next((r.instructions for r in results if r.instructions), None)
    if measured:
        yield f"The instructions are those of one call ({measured.spec})."
    yield from _sanitizer_sentences(results)
    yield _contract_sentence(results)


def _counts(receipt: Receipt, results: Sequence[ProgramResult]) -> Iterator[str]:
    """The counts of programs, scenes, calls and values."""
    scenes = receipt.scenes
    calls = sum(result.calls for result in results)
    yield (
        f"Programs: {len(results)}; scenes: {scenes.count:,}, {scenes.distinct:,} of them "
        f"distinct; calls: {calls:,}."
    )
    yield from _translated_calls(results)
    yield (
        f"{receipt.comparisons:,} values compared with {receipt.reference}, and "
        f"{receipt.bytes_compared / 1e6:,.0f} MB of data memory compared with what it had to be."
    )
    bulk = receipt.bulk_reference
    if bulk is not None:
        yield bulk_sentence(receipt.reference, bulk, scenes.count)
    if scenes.seeds:
        yield (
            f"Scenes of {', '.join(map(str, scenes.objects))} objects, "
            f"{', '.join(scenes.generators)}, seeds {scenes.seeds[0]} to {scenes.seeds[-1]}."
        )


def _memory_sentences(report: VerifyReport) -> Iterator[str]:
    """What memory without input held before calls, and what of it was not compared."""
    receipt, results = report.receipt, report.results
    fills = [f"{fill.words} (calls: {fill.calls:,})" for fill in receipt.memory]
    yield (
        "Before each call, all memory without input (observed variables, the unused ends of input "
        f"arrays, the stack) and all registers without arguments were {', '.join(fills[:-1])} or "
        f"{fills[-1]}."
    )
    yield from layout_sentences(
        sum(program_result.odd for program_result in results),
        sum(program_result.calls for program_result in results),
    )
    kept = sum(fill.calls for fill in receipt.memory if fill.fill == Fill.KEPT)
    yield from ignored_sentences(
        report.ignored, kept, sum(program_result.not_kept for program_result in results)
    )


def _sanitizer_sentences(results: Sequence[ProgramResult]) -> Iterator[str]:
    with_checks = {
        ", ".join(program_result.sanitizers): None
        for program_result in results
        if program_result.sanitizers
    }
    for names in with_checks:
        defective = sum(bool(program_result.defects) for program_result in results)
        outcome = (
            f"they found defects in {defective} programs" if defective else "they found no defect"
        )
        yield f"The programs were compiled with GCC's sanitizers ({names}); {outcome}."


def _contract_sentence(results: Sequence[ProgramResult]) -> str:
    """Whether calls kept their contract, as far as that is known."""
    violated, given_up = sum(r.violated for r in results), sum(bool(r.fault) for r in results)
    if violated or given_up:
        return f"Calls that broke the contract: {violated:,}; programs stopped early: {given_up}."
    if not any(result.calls for result in results):
        return "No call was made, so nothing is known."
    if not all(result.is_on_unicorn for result in results):
        return "Every call returned and kept the contract, as far as its engine checks it."
    return "Every call returned and restored the stack pointer and the preserved registers."


def bulk_sentence(reference: str, bulk: BulkReference, scenes: int) -> str:
    """Say that a bulk reference answered, and how often the reference was asked, too.

    Args:
        reference: the reference.
        bulk: the bulk reference.
        scenes: the number of all scenes.
    """
    alike = f" {bulk.make} made the scenes, and these the same as alone." if bulk.make else ""
    wide = (
        f" With whole numbers of 64 bits {bulk.name} gave the same answers to {bulk.widened:,} "
        f"{'scene' if bulk.widened == 1 else 'scenes'}."
        if bulk.widened
        else " No narrow whole numbers of scenes were widened, so none that wrap were looked for."
    )
    return (
        f"{bulk.name} answered in its place. {reference} was asked "
        f"{sample_words(bulk.agreed, scenes)}.{alike}{wide}"
    )


def _caveat(report: VerifyReport) -> str:
    """The limits of the verdict: marks in the case, repeated scenes, code or checks left out."""
    distinct = report.receipt.scenes.distinct
    ran = max((result.scenes for result in report.results), default=0)
    plural = "" if distinct == 1 else "s"
    repeated = f"{distinct:,} distinct scene{plural} of {ran:,}" if distinct < ran else ""
    unexecuted, ignored = coverage_caveat(report.unreached), ignored_clause(report.ignored)
    strays = before_strays(report)
    trampled = f"what is called before has changed {strays}" if strays else ""
    changes = "" if report.verdict == VERIFIED else change_clause(report.receipt.case.marks)
    limits = (
        left_clause(report.results),
        not_watched_clause(report.results),
        toolbox_clause(report.results),
        answers_clause(report.results),
    )
    return "; ".join(filter(None, (changes, repeated, ignored, trampled, unexecuted, *limits)))


def not_watched_clause(results: Iterable[ProgramResult]) -> str:
    """Say which mistakes macproof does not notice, or in some calls only, on which processors.

    Returns:
        A clause such as "odd addresses were watched in 16 of 300 calls on the 68000"; "" if there
        are none.
    """
    unwatched: dict[str, list[ProgramResult]] = {}
    for result in results:
        for what in result.not_watched:
            unwatched.setdefault(what, []).append(result)
    return "; ".join(
        f"{what} were {_how_watched(among)} on the {', '.join(dict.fromkeys(r.cpu for r in among))}"
        for what, among in unwatched.items()
    )


def _how_watched(results: Iterable[ProgramResult]) -> str:
    calls, watched = 0, 0
    for result in results:
        calls += result.calls
        watched += sum(check.calls for check in (result.alignment,) if check is not None)
        watched += result.calls - result.memory.left_calls if result.memory is not None else 0
    return f"watched in {watched:,} of {calls:,} calls" if watched else "not watched"


# -- failures -----------------------------------------------------------------------------


def _failures(results: Iterable[ProgramResult]) -> Iterator[tuple[str, str]]:
    """The name and the first failure of each program that failed."""
    for result in results:
        text = result.fault or ""
        if result.failures:
            text = f"{result.failures[0].scene}: {result.failures[0].summary}"
        if not text and not result.isa.findings:
            text = result.undecided or ""
        if text:
            yield result.name, text


def _where(report: VerifyReport) -> Iterator[Part]:
    """The source lines of the failures, and the command that explains the first of them."""
    first = None
    for result in report.results:
        if not result.failures or result.verdict == VERIFIED:
            continue
        first = first or result
        failure = result.failures[0]
        if failure.at is None:
            continue
        verb = "stopped at " if failure.fault else "last written at "
        yield f"{result.name}, {failure.scene}: {'' if failure.at.stray else verb}{failure.at}."
        if failure.at.text:
            yield Excerpt(failure.at.file, failure.at.line, (failure.at.text,), failure.at.line)
        elif failure.at.why_no_text:
            yield failure.at.why_no_text
    if first is not None:
        yield "To see the smallest scene that still fails, and where it goes wrong:"
        yield Literal((shlex.join(explain_command(report, first)),))


def _depending_on_place(results: Iterable[ProgramResult]) -> Iterator[tuple[str, str]]:
    """The programs that are right in one layout and wrong in the other."""
    verdicts = {(result.cpu, result.engine, result.build): result.verdict for result in results}
    for result in results:
        both = {result.verdict, verdicts.get((result.cpu, result.engine, result.build + MOVED))}
        if both == {VERIFIED, REFUTED}:
            yield (
                result.name,
                "its results depend on where code, data and stack lie, or on the order of its "
                f"variables: it is {result.verdict} where they usually are, and not in build "
                f"{result.build}{MOVED}",
            )


def instruction_sentences(results: Iterable[tuple[str, ProgramResult]]) -> list[str]:
    """Sentences about executed instructions that not every processor of the family has.

    Programs whose instructions were not checked at all are named too.

    Args:
        results: pairs of a name, such as "68040 O2", and the result of that program.
    """
    return [f"{text}." for text in merge_by_text(_instructions(results))]


def _instructions(results: Iterable[tuple[str, ProgramResult]]) -> Iterator[tuple[str, str]]:
    for name, result in results:
        findings = result.isa.findings
        for finding in findings[:_FINDINGS_TOLD]:
            kind = _WEIGHTS[finding.weight]
            yield name, f"{kind}: {finding.mnemonic} {finding.why}; at {finding.place}"
        if len(findings) > _FINDINGS_TOLD:
            yield name, f"{len(findings) - _FINDINGS_TOLD} more instructions of this kind"
        if not result.isa.checked and result.is_on_unicorn:
            yield (
                name,
                f"macproof has no table of the {result.cpu}'s instructions, so none was checked",
            )


def merge_by_text(named_texts: Iterable[tuple[str, str]], kind: str = "programs") -> list[str]:
    """Join the names that have the same text, as in "68040 O1, 601 O1: it jumped".

    With more than three names only the first is shown: "68040 O1 and 4 other programs: it jumped".

    Args:
        named_texts: pairs of a name and a text.
        kind: the plural noun for what the names denote, such as "programs".
    """
    names: dict[str, list[str]] = {}
    for name, text in named_texts:
        names.setdefault(text, []).append(name)
    return [f"{_joined(with_text, kind)}: {text}" for text, with_text in names.items()]


def _joined(names: Sequence[str], kind: str) -> str:
    if len(names) <= 3:
        return ", ".join(names)
    return f"{names[0]} and {len(names) - 1} other {kind}"


# -- checks and the receipt --------------------------------------------------------------------


def _check(result: ProgramResult) -> Check:
    """The JUnit test case of a program: each failure names its generator, objects and seed."""
    texts = [
        f"{failure.scene}: {failure.summary}{f', at {failure.at}' if failure.at else ''}"
        for failure in result.failures
    ]
    texts += [str(finding) for finding in result.isa.findings]
    texts += [str(violation) for check in result.checks for violation in check.violations]
    message = "\n".join(texts) or result.fault or result.undecided or ""
    return Check(
        group=result.case,
        name=result.name,
        fate=FATES[result.verdict],
        message="" if result.verdict == VERIFIED else message,
        properties=_properties(result),
    )


def _properties(result: ProgramResult) -> Mapping[str, str]:
    facts = {
        "calls": str(result.calls),
        "scenes": str(result.scenes),
        "distinct_scenes": str(result.distinct_scenes),
        "changed_scenes": str(result.changed_scenes),
        "comparisons": str(result.comparisons),
        "bytes_compared": str(result.bytes_compared),
        "program_sha256": result.program.sha256,
        "translated_calls": str(result.translated),
    }
    return facts | ({"not_watched": ", ".join(result.not_watched)} if result.not_watched else {})


def _receipt(report: VerifyReport) -> Iterator[str]:
    receipt, source = report.receipt, report.receipt.source
    yield f"command: {shlex.join(receipt.command)}"
    yield (
        f"source: {_replacement(source) or ', '.join(source.files)}; "
        f"SHA-256 of everything compiled: {source.sha256}"
    )
    yield f"programs: {receipt.programs}"
    for build in dict.fromkeys((r.program.command, r.program.compiler) for r in report.results):
        yield f"compiler: {' is '.join(filter(None, build))}"
    yield f"reference: {receipt.reference}"
    if receipt.read_files:
        files = [f"{name} ({digest})" for name, digest in receipt.read_files.items()]
        yield f"files that the case's Python has read: {', '.join(files)}"
    yield (
        f"engine: {receipt.engine}, macproof {receipt.macproof}, Python {receipt.python}, "
        f"NumPy {receipt.numpy}"
    )


def _replacement(source: SourceDigests) -> str:
    """The files that were compiled in place of the case's own sources; "" if none were."""
    if isinstance(source.replaced_by, Mapping):
        return ", ".join(f"{name}={path}" for name, path in source.replaced_by.items())
    return source.replaced_by or ""
