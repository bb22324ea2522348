"""Says what was compared, in which memory, and whether calls kept their contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.verify.documents.answers_document import answer_sentences
from emu.verify.documents.coverage_document import unreached_sentences
from emu.verify.documents.ignored_document import before_sentences, ignored_sentences
from emu.verify.documents.memory_document import layout_sentences
from emu.verify.report.receipt import BulkReference, Receipt
from emu.verify.report.report import ProgramResult, VerifyReport
from emu.verify.runs.verdicts import CallCounts, first_reasons
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.sample import sample_words


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


def comparison_sentences(report: VerifyReport) -> Iterator[str]:
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
