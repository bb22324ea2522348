"""A calibration as a document: how engines agree, what they disagree about, and who is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.engines.calibration.calibration import Calibration, Disagreement
from emu.engines.calibration.probes import ProbePlan
from emu.engines.calibration.report import ProcessorReport, processor_report
from emu.report.document import Check, CheckStatus, Document, Part, Points, Section, Table
from emu.report.verdict_words import TONES, verdict_outcome
from emu.verify.documents.oracle_document import agreement_table, oracle_section
from emu.verify.runs.oracles import Oracles

SCHEMA = "macproof.calibration/1"
CALIBRATED, DISAGREE = "calibrated", "disagreements that nobody has judged"
NOTHING = "nothing compared"
_NOBODY = "not judged"


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What ``macproof calibrate`` has found.

    Attributes:
        verdict: "calibrated"; "disagreements that nobody has judged"; or "nothing compared" if no
            two engines answered the same question.
        command: the command line.
        seconds: how long it took.
        processors: the calibration on each processor.
        oracles: how programs on all engines and the reference agree, for each case.
    """

    verdict: str
    command: Sequence[str]
    seconds: float
    processors: Sequence[ProcessorReport]
    oracles: Sequence[Oracles]


def calibration_document(
    calibrations: Sequence[Calibration],
    oracles: Sequence[Oracles] = (),
    *,
    command: Sequence[str],
    seconds: float,
) -> Document:
    """The document of ``macproof calibrate``.

    Args:
        calibrations: those on each processor.
        oracles: what programs and references say of the scenes of some cases.
        command: the command line.
        seconds: how long it took.
    """
    report = _report(calibrations, oracles, command, seconds)
    probes = sum(len(calibration.plan) for calibration in calibrations)
    engines = dict.fromkeys(name for calibration in calibrations for name in calibration.engines)
    return Document(
        title="Calibration of engines",
        outcome=verdict_outcome(report.verdict),
        lead=(f"{probes:,} probes; engines: {', '.join(engines)}.",) if calibrations else (),
        sections=(
            *(section for calibration in calibrations for section in _sections(calibration)),
            *map(_oracles, oracles),
        ),
        checks=(
            *(
                _check(calibration, each)
                for calibration in calibrations
                for each in calibration.disagreements
            ),
            *map(_oracles_check, oracles),
        )
        or tuple(map(_check_of_all, calibrations)),
        seconds=seconds,
        data=report,
        schema=SCHEMA,
    )


def _report(
    calibrations: Sequence[Calibration],
    oracles: Sequence[Oracles],
    command: Sequence[str],
    seconds: float,
) -> CalibrationReport:
    """The report of calibrations on some processors, and of oracles."""
    is_open = any(calibration.open for calibration in calibrations) or not all(
        oracle.matrix.agree for oracle in oracles
    )
    compared = sum(calibration.compared for calibration in calibrations)
    compared += sum(oracle.matrix.compared for oracle in oracles)
    return CalibrationReport(
        DISAGREE if is_open else CALIBRATED if compared else NOTHING,
        tuple(command),
        seconds,
        tuple(map(processor_report, calibrations)),
        tuple(oracles),
    )


def _check_of_all(calibration: Calibration) -> Check:
    """The check of a processor on which no engines disagree; without answers it says nothing."""
    fate = CheckStatus.PASSED if calibration.compared else CheckStatus.ERROR
    message = "" if calibration.compared else "; ".join(calibration.refusals.values()) or NOTHING
    return Check(calibration.plan.cpu.name, "all instructions", fate, message)


def _sections(calibration: Calibration) -> Iterator[Section]:
    plan = calibration.plan
    forms = len({each.form for each in plan.instructions})
    lead = (
        f"{len(plan.instructions)} instructions of {forms} forms, each with {plan.states} states of"
        f" the registers, from seed {plan.seed}."
    )
    yield Section(
        plan.cpu.name,
        (
            lead,
            *_not_probed(plan),
            _engines(calibration),
            *calibration.refusals.values(),
            *_agreement(calibration),
            *_table(calibration),
        ),
    )
    details = tuple(_detail(each) for each in calibration.disagreements)
    if details:
        yield Section(f"{plan.cpu.name}: each disagreement", (Points(details),), is_detail=True)


def _not_probed(plan: ProbePlan) -> Iterator[Part]:
    """What of the opcode map was not asked."""
    if plan.others:
        yield (
            f"{plan.others:,} more instructions of the opcode map were not probed; --most 0 probes "
            "all, and another --seed others."
        )
    kinds = (f"{one.instructions:,} {one.kind}" for one in plan.left_out)
    if plan.left_out:
        yield f"Not to be probed: {'; '.join(kinds)}."


def _engines(calibration: Calibration) -> Table:
    return Table(
        ("engine", "answered", "did not come back", "ended its process"),
        tuple(
            (each.version, f"{each.answered:,}", f"{each.stopped:,}", f"{each.crashed:,}")
            for each in calibration.engines.values()
        ),
    )


def _agreement(calibration: Calibration) -> Iterator[Part]:
    """How many probes each pair of engines has answered alike, of those that both answered."""
    if calibration.agreement:
        title = "Probes answered alike, of those that both answered"
        yield agreement_table(tuple(calibration.engines), calibration.agreement, title)


def _oracles(oracles: Oracles) -> Section:
    """How programs on all engines and the reference agree about a case."""
    silent = [f"{name} says nothing: {why}" for name, why in oracles.silent.items()]
    return oracle_section(
        oracles.matrix, f"Oracles: {oracles.scenes} scenes of {oracles.case}", silent
    )


def _oracles_check(oracles: Oracles) -> Check:
    differing = [str(pair) for pair in oracles.matrix.pairs if pair.first is not None]
    fate = CheckStatus.FAILURE if differing else CheckStatus.PASSED
    return Check(oracles.case, "oracles", fate, "; ".join(differing))


def _table(calibration: Calibration) -> Iterator[Part]:
    if not calibration.disagreements:
        yield "The engines agree in every probe that they answered."
        return
    rows = tuple(
        (_form(each), each.part, _camps(each), _who(each), f"{each.probes:,}")
        for each in calibration.disagreements
    )
    yield Table(
        ("instruction", "part", "engines that differ", "wrong by the manual", "probes"),
        rows,
        words=4,
        tones=TONES,
        title="Disagreements",
    )
    judged = dict.fromkeys(
        f"{each.judgement.says} ({each.judgement.source})"
        for each in calibration.disagreements
        if each.judgement is not None
    )
    yield Points(tuple(judged))


def _form(disagreement: Disagreement) -> str:
    return disagreement.form + (", in other modes" if disagreement.in_modes else "")


def _camps(disagreement: Disagreement) -> str:
    return " / ".join(", ".join(camp) for camp in disagreement.camps)


def _who(disagreement: Disagreement) -> str:
    if disagreement.judgement is None:
        return _NOBODY
    return ", ".join(sorted(disagreement.judgement.wrong))


def _detail(disagreement: Disagreement) -> str:
    before = ", ".join(f"{name} = {value}" for name, value in disagreement.begins.items())
    results = "; ".join(f"{name}: {value}" for name, value in disagreement.results.items())
    return f"{disagreement.text}, with {before}: {disagreement.part} is, by {results}."


def _check(calibration: Calibration, disagreement: Disagreement) -> Check:
    is_judged = disagreement.judgement is not None
    return Check(
        calibration.plan.cpu.name,
        f"{_form(disagreement)}: {disagreement.part}, {_camps(disagreement)}",
        CheckStatus.PASSED if is_judged else CheckStatus.FAILURE,
        "" if is_judged else _detail(disagreement),
    )
