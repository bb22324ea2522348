"""What `macproof conform` found, as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.engines.conformity.conform import InstructionTally, ProcessorConformity
from emu.engines.conformity.vectors import VectorOutcome
from emu.report.document import Check, CheckStatus, Document, Points, Section, Table
from emu.report.verdict_words import verdict_outcome

SCHEMA = "macproof.conformity/1"
RIGHT, WRONG, NOT_EXECUTED = "right", "wrong", "inconclusive"


@dataclass(frozen=True, slots=True)
class ConformityReport:
    """What ``macproof conform`` has found.

    Attributes:
        verdict: "right" if every vector ended as it must; "wrong" if one did not; "inconclusive" if
            the engine said of some that it cannot execute them, and of nothing that was executed
            the result was wrong.
        command: the command line.
        seconds: how long it took.
        engine: the engine and its version.
        processors: what came of each collection of vectors.
    """

    verdict: str
    command: Sequence[str]
    seconds: float
    engine: str
    processors: Sequence[ProcessorConformity]


def conformity_document(
    processors: Sequence[ProcessorConformity],
    *,
    engine: str,
    command: Sequence[str],
    seconds: float,
) -> Document:
    """The document of ``macproof conform``.

    Args:
        processors: what came of each collection of vectors.
        engine: the engine and its version.
        command: the command line.
        seconds: how long it took.
    """
    report = ConformityReport(
        _verdict(processors), tuple(command), seconds, engine, tuple(processors)
    )
    vectors = sum(each.vectors for each in processors)
    return Document(
        title="Instructions, held against test vectors",
        outcome=verdict_outcome(report.verdict),
        lead=(f"{vectors:,} vectors, executed by {engine}.",),
        sections=tuple(section for each in processors for section in _sections(each)),
        checks=tuple(_check(each, one) for each in processors for one in each.instructions),
        seconds=seconds,
        data=report,
        schema=SCHEMA,
    )


def _verdict(processors: Sequence[ProcessorConformity]) -> str:
    if any(each.total(VectorOutcome.WRONG) for each in processors):
        return WRONG
    executed = sum(each.vectors for each in processors)
    if not executed or any(each.total(VectorOutcome.REFUSED) for each in processors):
        return NOT_EXECUTED
    return RIGHT


def _sections(processor: ProcessorConformity) -> Iterator[Section]:
    yield Section(
        f"{processor.cpu}: {processor.source}",
        (summary_line(processor), instruction_table(processor.instructions)),
    )
    examples = tuple(
        f"{one.instruction}, {example.vector}: {example.outcome}; {example.why}."
        for one in processor.instructions
        for example in one.examples
    )
    if examples:
        title = f"{processor.cpu}: the first vectors that are wrong or not executed"
        yield Section(title, (Points(examples),), is_detail=True)


def summary_line(processor: ProcessorConformity) -> str:
    """The sums over all instructions, as sentences."""
    passed, reported, refused, wrong, skipped = (
        processor.total(outcome) for outcome in VectorOutcome
    )
    done = passed + reported
    share = 100 * done / processor.vectors if processor.vectors else 0
    limit = f", at most {processor.most:,} of each instruction" if processor.most else ""
    undecided = sum(each.undecided for each in processor.instructions)
    return (
        f"{processor.vectors:,} vectors of {len(processor.instructions)} instructions{limit}: "
        f"{passed:,} passed, {reported:,} exceptions reported "
        f"({share:.2f}% in all), {refused:,} not executed and said so, "
        f"{wrong:,} wrong. {skipped:,} more cannot be asked. "
        f"Of {undecided:,} the manual leaves some flags undefined; these flags were not compared. "
        f"The {processor.files} files have the SHA-256 {processor.digest[:16]}."
    )


def instruction_table(instructions: Sequence[InstructionTally]) -> Table:
    """The counts of each instruction."""
    columns = ("instruction", "vectors", "passed", "reported", "not executed", "wrong", "skipped")
    rows = tuple(
        (
            one.instruction,
            *(
                f"{count:,}"
                for count in (
                    one.vectors,
                    one.passed,
                    one.reported,
                    one.refused,
                    one.wrong,
                    one.skipped,
                )
            ),
        )
        for one in instructions
    )
    return Table(columns, rows)


def _check(processor: ProcessorConformity, one: InstructionTally) -> Check:
    fate = CheckStatus.PASSED
    if one.wrong:
        fate = CheckStatus.FAILURE
    elif one.refused or not one.vectors:
        fate = CheckStatus.ERROR
    message = "; ".join(f"{example.vector}: {example.why}" for example in one.examples)
    return Check(processor.cpu, one.instruction, fate, message)
