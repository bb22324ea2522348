"""A calibration as data: its part of the JSON form ``macproof.calibration/1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from emu.engines.calibration.calibration import Calibration, Disagreement, EngineTally
from emu.engines.calibration.instructions import LeftOut
from emu.report.limits import FLAT


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What came of asking an engine.

    Attributes:
        engine: its name.
        tally: what came of it.
    """

    engine: str
    tally: Annotated[EngineTally, FLAT]


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
        in_modes: whether the floating-point unit has another mode than that of a reset.
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
    in_modes: bool
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
        others: how many instructions of the opcode map could be probed and were not; 0 if the
            instructions are those of programs.
        left_out: instructions of the opcode map that cannot be probed.
        engines: what came of each engine.
        pairs: how they agree.
        disagreements: what they disagree about.
    """

    cpu: str
    forms: int
    instructions: int
    states: int
    seed: int
    others: int
    left_out: Sequence[LeftOut]
    engines: Sequence[EngineReport]
    pairs: Sequence[PairReport]
    disagreements: Sequence[DisagreementReport]


def _pairs(agreement: Mapping[tuple[str, str], tuple[int, int]]) -> tuple[PairReport, ...]:
    return tuple(PairReport(pair, both, alike) for pair, (both, alike) in agreement.items())


def processor_report(calibration: Calibration) -> ProcessorReport:
    """The report of a calibration on one processor."""
    plan = calibration.plan
    return ProcessorReport(
        cpu=plan.cpu.name,
        forms=len({each.form for each in plan.instructions}),
        instructions=len(plan.instructions),
        states=plan.states,
        seed=plan.seed,
        others=plan.others,
        left_out=plan.left_out,
        engines=tuple(EngineReport(name, tally) for name, tally in calibration.engines.items()),
        pairs=_pairs(calibration.agreement),
        disagreements=tuple(map(_disagreement, calibration.disagreements)),
    )


def _disagreement(disagreement: Disagreement) -> DisagreementReport:
    judged = disagreement.judgement
    return DisagreementReport(
        form=disagreement.form,
        part=disagreement.part,
        in_modes=disagreement.in_modes,
        camps=disagreement.camps,
        probes=disagreement.probes,
        instruction=disagreement.text,
        begins=disagreement.begins,
        results=disagreement.results,
        wrong=None if judged is None else tuple(sorted(judged.wrong)),
        says="" if judged is None else judged.says,
        source="" if judged is None else judged.source,
    )
