"""Calibrates engines: asks all of them the same probes, and lists what they disagree about."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emu.engines.calibration import operands, stubs
from emu.engines.calibration.judgements import JUDGEMENTS, LEFT_OPEN
from emu.engines.calibration.probes import ProbeAnswer, ProbePlan, ask
from emu.engines.calibration.rulings import Ruling, is_about
from emu.machine.calls.other_engine import EngineRefusal, MakeEngine

_FLAG_BITS = {"ccr": 0x1F, "fpsr": 0x0F000000, "fpcr": 0xFFF0, "fpscr": 0xFF}
"""The bits that are compared: the flags, and the modes that a program sets."""

_WORDS = _NAN, _INFINITY, _MINUS_INFINITY = b"NaN", b"infinity", b"-infinity"
_FLAGS = {"ccr", "xer", "fpcr", "fpscr"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Probes of instructions of one form in which the same engines differ in the same part.

    Attributes:
        form: the form of the instructions.
        part: the name of a register, "memory" or "stops".
        in_modes: whether the floating-point unit has another mode than that of a reset.
        camps: the engines, those together that agree.
        probes: how many there are.
        text: the instruction of the first probe.
        begins: the state that the first probe begins with, as far as the instruction names it.
        results: what each engine has made of the part in the first probe, as text.
        judgement: who is right; None if nobody has found out.
    """

    form: str
    part: str
    in_modes: bool
    camps: tuple[tuple[str, ...], ...]
    probes: int
    text: str
    begins: Mapping[str, str]
    results: Mapping[str, str]
    judgement: Ruling | None


@dataclass(frozen=True, slots=True)
class EngineTally:
    """What came of asking an engine.

    Attributes:
        version: its name and version.
        answered: how many probes it has answered.
        stopped: how many of these did not come back.
        crashed: how many ended its process.
    """

    version: str
    answered: int
    stopped: int
    crashed: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """The calibration of engines on one processor.

    Attributes:
        plan: the probes.
        engines: what came of each engine, by name.
        agreement: for each pair of engines, how many probes both answered, and how many alike.
        disagreements: what they disagree about, by form and part.
        refusals: why some engines cannot execute the probes, by their names.
    """

    plan: ProbePlan
    engines: Mapping[str, EngineTally]
    agreement: Mapping[tuple[str, str], tuple[int, int]]
    disagreements: tuple[Disagreement, ...]
    refusals: Mapping[str, str]

    @property
    def compared(self) -> int:
        """How many answers were compared, each with another engine's."""
        return sum(both for both, _ in self.agreement.values())

    @property
    def open(self) -> tuple[Disagreement, ...]:
        """The disagreements that no judgement explains."""
        return tuple(
            disagreement for disagreement in self.disagreements if disagreement.judgement is None
        )


def calibrate(
    plan: ProbePlan,
    engines: Mapping[str, MakeEngine | None],
    judgements: Sequence[Ruling] = JUDGEMENTS,
) -> Calibration:
    """Ask engines the probes of a plan.

    Args:
        plan: the probes.
        engines: what makes each engine, by name; None stands for Unicorn.
        judgements: who is right, where that is known.

    Raises:
        ToolMissingError: an engine is not installed.
    """
    answers_of: dict[str, tuple[str, list[ProbeAnswer | None]]] = {}
    refusals: dict[str, str] = {}
    for name, make in engines.items():
        try:
            answers_of[name] = ask(plan, make)
        except EngineRefusal as error:
            refusals[name] = str(error)
    answers = {name: answers for name, (_, answers) in answers_of.items()}
    parts = {
        name: [_parts(plan, n, answer) for n, answer in enumerate(each)]
        for name, each in answers.items()
    }
    return Calibration(
        plan,
        {name: _asked(version, answers[name]) for name, (version, _) in answers_of.items()},
        {pair: _agreement(*(parts[name] for name in pair)) for pair in _pairs(answers_of)},
        tuple(_disagreements(plan, answers, parts, judgements)),
        refusals,
    )


def _pairs(engines: Iterable[str]) -> Iterable[tuple[str, str]]:
    return itertools.combinations(engines, 2)


def _asked(version: str, answers: Iterable[ProbeAnswer | None]) -> EngineTally:
    given = [answer for answer in answers if answer is not None]
    return EngineTally(
        version,
        len(given),
        sum(bool(answer.stopped) for answer in given),
        sum(answer.has_crashed for answer in given),
    )


_Parts = dict[str, bytes] | None


def _agreement(first: Sequence[_Parts], other: Sequence[_Parts]) -> tuple[int, int]:
    both = [(a, b) for a, b in zip(first, other, strict=True) if a is not None and b is not None]
    return len(both), sum(a == b for a, b in both)


def _parts(plan: ProbePlan, probe: int, answer: ProbeAnswer | None) -> _Parts:
    """What can be compared of an answer, by the name of a register, "memory" or "stops".

    All NaNs are alike, and so are the two forms of infinity that the 68881 has. Of FPSR the
    condition codes are compared. What the manual leaves open is not compared.
    """
    if answer is None:
        return None
    if answer.stopped:
        return {"stops": b"yes"}
    parts = {"stops": b"no"}
    form = plan.instruction(probe).form
    for name, field in (stubs.state_of(plan.cpu).fields or {}).items():
        value = answer.state[int(field[1]) : int(field[1]) + field[0].itemsize]
        bits = _FLAG_BITS.get(name, -1) & ~_left_open(plan.cpu.architecture, form, name)
        if bits != -1:
            value = (int.from_bytes(value, "big") & bits).to_bytes(len(value), "big")
        if name.startswith("f") and name not in _FLAG_BITS:
            value = _number(value)
        parts[name] = value
    parts["memory"] = b"".join(at.to_bytes(4, "big") + bytes([to]) for at, to in answer.stores)
    return parts


@functools.cache
def _left_open(architecture: str, form: str, part: str) -> int:
    bits = (
        undefined_bits.bits
        for undefined_bits in LEFT_OPEN
        if is_about(undefined_bits, architecture, form, part)
    )
    return functools.reduce(int.__or__, bits, 0)


def _number(value: bytes) -> bytes:
    """A number of the FPU, the same for all that mean the same."""
    is_double = len(value) == 8
    exponent = int.from_bytes(value[:2], "big") >> 4 * is_double & (0x7FF if is_double else 0x7FFF)
    if exponent != (0x7FF if is_double else 0x7FFF):
        return value
    fraction = int.from_bytes(value[-8:], "big") & (1 << (52 if is_double else 63)) - 1
    return _NAN if fraction else _MINUS_INFINITY if value[0] & 0x80 else _INFINITY


def _disagreements(
    plan: ProbePlan,
    answers: Mapping[str, Sequence[ProbeAnswer | None]],
    parts: Mapping[str, Sequence[_Parts]],
    judgements: Sequence[Ruling],
) -> Iterable[Disagreement]:
    """What engines disagree about, by form, part, mode and who agrees with whom."""
    groups: dict[tuple[str, str, bool, tuple[tuple[str, ...], ...]], list[int]] = {}
    for probe in range(len(plan)):
        states = {name: each[probe] for name, each in parts.items()}
        given = {name: state for name, state in states.items() if state is not None}
        for part in _differing(given):
            camps = _camps({name: state.get(part, b"") for name, state in given.items()})
            key = plan.instruction(probe).form, part, _is_in_modes(plan, probe), camps
            groups.setdefault(key, []).append(probe)
    for (form, part, in_modes, camps), probes in sorted(groups.items()):
        first = probes[0]
        yield Disagreement(
            form=form,
            part=part,
            in_modes=in_modes,
            camps=camps,
            probes=len(probes),
            text=plan.instruction(first).text,
            begins=_begins(plan, first),
            results={
                name: _text(part, parts[name][first], answers[name][first]) for name in answers
            },
            judgement=_judgement(
                [ruling for ruling in judgements if in_modes or not ruling.in_modes],
                plan.cpu.architecture,
                form,
                part,
                camps,
            ),
        )


def _differing(given: Mapping[str, dict[str, bytes]]) -> list[str]:
    """The parts in which answers to a probe differ; "stops" alone, if not all came back."""
    if len({state["stops"] for state in given.values()}) > 1:
        return ["stops"]
    names = dict.fromkeys(name for state in given.values() for name in state)
    return [name for name in names if len({state[name] for state in given.values()}) > 1]


def _camps(values: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
    camps: dict[bytes, list[str]] = {}
    for name, value in values.items():
        camps.setdefault(value, []).append(name)
    return tuple(tuple(camp) for camp in camps.values())


def _judgement(
    judgements: Sequence[Ruling],
    architecture: str,
    form: str,
    part: str,
    camps: Sequence[Sequence[str]],
) -> Ruling | None:
    """The judgement that explains a disagreement: without the wrong engines, there is none.

    If no ruling alone explains it, all together may, each about other engines; one engine has to be
    right then.
    """
    about = [ruling for ruling in judgements if is_about(ruling, architecture, form, part)]
    for ruling in about:
        if len(_remaining(camps, ruling.wrong)) <= 1:
            return ruling
    wrong = frozenset[str]().union(*(ruling.wrong for ruling in about))
    if len(_remaining(camps, wrong)) != 1:
        return None
    says = " ".join(dict.fromkeys(ruling.says for ruling in about))
    source = "; ".join(dict.fromkeys(ruling.source for ruling in about))
    return Ruling(architecture, (form,), (part,), wrong, says, source)


def _remaining(camps: Sequence[Sequence[str]], wrong: frozenset[str]) -> list[Sequence[str]]:
    return [camp for camp in camps if set(camp) - wrong]


def _state(plan: ProbePlan, probe: int) -> Any:
    """The state that a probe begins with."""
    index, state = divmod(probe, plan.states)
    return operands.states(plan.cpu, plan.instructions[index], plan.states, plan.seed)[state]


def _is_in_modes(plan: ProbePlan, probe: int) -> bool:
    """Whether FPCR or FPSCR is not 0 before a probe."""
    names = {"fpcr", "fpscr"}.intersection(stubs.state_of(plan.cpu).names or ())
    return any(int(_state(plan, probe)[name]) for name in names)


def _begins(plan: ProbePlan, probe: int) -> dict[str, str]:
    """The registers that an instruction names, and the flags, before a probe."""
    instruction = plan.instruction(probe)
    laid = _state(plan, probe).tobytes()
    fields: Mapping[str, Any] = stubs.state_of(plan.cpu).fields or {}
    return {
        name: _hex(laid[field[1] : field[1] + field[0].itemsize])
        for name, field in fields.items()
        if name in instruction.registers or name in _FLAGS
    }


def _hex(value: bytes) -> str:
    return value.decode() if value in _WORDS else f"0x{value.hex()}"


def _text(part: str, state: _Parts, answer: ProbeAnswer | None) -> str:
    if answer is None or state is None:
        return ""
    if part == "stops":
        return answer.stopped or "comes back"
    return _hex(state[part]) if state[part] else "unchanged"
