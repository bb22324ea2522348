"""The data of the JSON form ``macproof.calibration/1`` of ``macproof calibrate``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.calibration.calibration import Calibration, Disagreement
from emu.calibration.oracles import Oracles
from emu.verify.runs.oracle_matrix import OracleMatrix

SCHEMA = "macproof.calibration/1"
CALIBRATED, DISAGREE = "calibrated", "disagreements that nobody has judged"
NOTHING = "nothing compared"


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What came of asking an engine.

    Attributes:
        engine: its name.
        version: its name and version.
        answered: how many probes it has answered.
        stopped: how many of these did not come back.
        crashed: how many ended its process.
    """

    engine: str
    version: str
    answered: int
    stopped: int
    crashed: int


@dataclass(frozen=True, slots=True)
class PairReport:
    """How two engines agree.

    Attributes:
        engines: their names.
        both: how many probes both have answered.
        alike: how many of these they have answered alike.
    """

    engines: Sequence[str]
    both: int
    alike: int


@dataclass(frozen=True, slots=True)
class DisagreementReport:
    """Something that engines disagree about.

    Attributes:
        form: the instructions, without numbers of registers and without constants.
        part: a register, "memory" or "stops".
        camps: the names of the engines, those together that agree.
        probes: in how many probes.
        instruction: that of the first probe.
        begins: the registers that it names and the flags, before it.
        results: what each engine has made of the part.
        wrong: the engines that are wrong by the manual; null if nobody has found out.
        says: what is right, or "".
        source: where the manual says so, or "".
    """

    form: str
    part: str
    camps: Sequence[Sequence[str]]
    probes: int
    instruction: str
    begins: Mapping[str, str]
    results: Mapping[str, str]
    wrong: Sequence[str] | None
    says: str
    source: str


@dataclass(frozen=True, slots=True)
class ProcessorReport:
    """The calibration on one processor.

    Attributes:
        cpu: its name.
        forms: how many forms of instructions there are.
        instructions: how many instructions.
        states: how many states each is executed with.
        seed: what the states are made of.
        engines: what came of each engine.
        pairs: how they agree.
        disagreements: what they disagree about.
    """

    cpu: str
    forms: int
    instructions: int
    states: int
    seed: int
    engines: Sequence[EngineReport]
    pairs: Sequence[PairReport]
    disagreements: Sequence[DisagreementReport]


@dataclass(frozen=True, slots=True)
class OraclesReport:
    """How oracles agree about the scenes of a case.

    Attributes:
        case: its name.
        scenes: how many there are.
        matrix: for each two oracles, how many scenes both answered, and how many alike.
        silent: why some oracles give no answers, by their names.
    """

    case: str
    scenes: int
    matrix: OracleMatrix
    silent: Mapping[str, str]


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
    oracles: Sequence[OraclesReport]


def make_report(
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
        tuple(map(_processor, calibrations)),
        tuple(
            OraclesReport(oracle.case, oracle.scenes, oracle.matrix, oracle.silent)
            for oracle in oracles
        ),
    )


def _pairs(agreement: Mapping[tuple[str, str], tuple[int, int]]) -> tuple[PairReport, ...]:
    return tuple(PairReport(pair, both, alike) for pair, (both, alike) in agreement.items())


def _processor(calibration: Calibration) -> ProcessorReport:
    plan = calibration.plan
    return ProcessorReport(
        cpu=plan.cpu.name,
        forms=len({each.form for each in plan.instructions}),
        instructions=len(plan.instructions),
        states=plan.states,
        seed=plan.seed,
        engines=tuple(
            EngineReport(name, each.version, each.answered, each.stopped, each.crashed)
            for name, each in calibration.engines.items()
        ),
        pairs=_pairs(calibration.agreement),
        disagreements=tuple(map(_disagreement, calibration.disagreements)),
    )


def _disagreement(disagreement: Disagreement) -> DisagreementReport:
    judged = disagreement.judgement
    return DisagreementReport(
        form=disagreement.form,
        part=disagreement.part,
        camps=disagreement.camps,
        probes=disagreement.probes,
        instruction=disagreement.text,
        begins=disagreement.begins,
        results=disagreement.results,
        wrong=None if judged is None else tuple(sorted(judged.wrong)),
        says="" if judged is None else judged.says,
        source="" if judged is None else judged.source,
    )
