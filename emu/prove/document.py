"""Makes the document of a proof: what is proved, of what, and within which limits."""

from __future__ import annotations

from collections.abc import Iterator

from emu.base.printable import one_line
from emu.prove.report import (
    PROVED,
    REFUTED,
    SCHEMA,
    UNDECIDED,
    ProgramProof,
    ProofReport,
)
from emu.report.document import Check, CheckStatus, Document, Part, Points, Section, Table
from emu.report.verdict_words import TONES, verdict_outcome

_FATES = {
    PROVED: CheckStatus.PASSED,
    REFUTED: CheckStatus.FAILURE,
    UNDECIDED: CheckStatus.ERROR,
}


def proof_document(report: ProofReport) -> Document:
    """Make the document of a proof. It has one JUnit check for each program."""
    bad = sum(program.verdict != PROVED for program in report.programs)
    caveat = f"on {bad} of {len(report.programs)} programs" if bad else ""
    return Document(
        title=f"{report.case.title}: for all inputs",
        outcome=verdict_outcome(report.verdict, caveat),
        lead=(f"What is right: {report.specification}.",),
        sections=(
            Section("", (_table(report),)),
            *(Section(program.name, tuple(_parts(program))) for program in report.programs),
            Section("Limits", (_limits(report),)),
        ),
        checks=tuple(
            Check(report.case.name, program.name, _FATES[program.verdict], _text(program))
            for program in report.programs
        ),
        data=report,
        schema=SCHEMA,
    )


def _table(report: ProofReport) -> Table:
    rows = [
        (
            program.name,
            program.verdict,
            f"{program.paths:,}",
            f"{program.instructions:,}",
            f"{program.seconds:.1f} s" if program.seconds else "-",
        )
        for program in report.programs
    ]
    columns = ("program", "verdict", "paths", "instructions", "time")
    return Table(columns, tuple(rows), words=2, tones=TONES)


def _parts(program: ProgramProof) -> Iterator[Part]:
    """What is said of one program, as points."""
    points = [*_inputs(program), *_outcome(program)]
    if program.left_out:
        points.append(
            f"Not compared, since the specification leaves it out: {_and(program.left_out)}."
        )
    yield Points(tuple(points))


def _inputs(program: ProgramProof) -> Iterator[str]:
    if program.inputs:
        yield f"Inputs: {'; '.join(map(str, program.inputs))}."
    if program.fixed:
        yield f"As in the scene that was made: {_and(program.fixed)}."
    for refusal in program.refused:
        yield f"Left out are inputs that the specification refuses ({one_line(refusal)})."


def _outcome(program: ProgramProof) -> Iterator[str]:
    if program.verdict == UNDECIDED:
        yield f"Not decided, because {one_line(program.why)}."
        return
    if program.call is not None:
        yield f"{one_line(str(program.call))}. Unicorn has made this call."
        yield _domain(program)
    if program.controls is not None:
        yield f"{_and(program.compared)} and all other memory are right for all of these inputs."
        yield (
            "Controls: the paths cover all inputs. With "
            f"{program.controls.changed} turned round in the specification, it is refuted."
        )


def _domain(program: ProgramProof) -> str:
    """For which inputs a refuted routine is right."""
    if program.domain_why:
        return f"For which inputs it is right was not found: {one_line(program.domain_why)}."
    if not program.domain:
        return "It is not even right where every input is 0, or next to it."
    ranges = tuple(map(str, program.domain))
    end = "no such range can be made longer at either end"
    if program.domain_is_box:
        return f"It is right where {_and(ranges)}; {end}."
    others = ", whatever the others are" if len(program.inputs) > 1 else ""
    return f"It is right where {'; or where '.join(ranges)}{others}; {end}."


def _limits(report: ProofReport) -> str:
    return (
        f"This rests on the lifter ({report.lifter}), whose forms of instructions were compared "
        f"with the engine but not proved, and on {report.z3}; it holds for one call with "
        f"{report.objects:,} object{'s' * (report.objects != 1)} and the pointers of the scene "
        f"{report.scene}."
    )


def _text(program: ProgramProof) -> str:
    return program.why or ("" if program.call is None else str(program.call))


def _and(names: tuple[str, ...]) -> str:
    *most, last = names or ("nothing",)
    return f"{', '.join(most)} and {last}" if most else last
