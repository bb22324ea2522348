"""Asks oracles about scenes: programs of a case on several processors and engines, and Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.machine.calls.other_engine import EngineRefusal
from emu.verify.runs.oracle_matrix import OracleMatrix, oracle_matrix, oracle_name
from emu.verify.runs.schedule import verify
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_plan import plan_scenes


@dataclass(frozen=True, slots=True)
class Oracles:
    """The answers of oracles about the scenes of a case, compared.

    Attributes:
        case: the name of the case.
        scenes: the number of scenes.
        matrix: for each two oracles that gave answers, how many scenes both answered, and how many
            alike.
        silent: by name of an oracle, why it gave no answers, or not to all scenes.
    """

    case: str
    scenes: int
    matrix: OracleMatrix
    silent: Mapping[str, str]


def ask_oracles(case: Case, subjects: Sequence[Subject], scenes: int, seed: int) -> Oracles:
    """Ask programs of a case, each on its engine, and compare what they say.

    Args:
        case: the case.
        subjects: the programs, with their engines.
        scenes: how many scenes.
        seed: the seed of the first scene of each kind.

    Raises:
        CaseError, UsageError: the reference refuses.
        ToolMissingError: an engine is not installed.
    """
    planned = plan_scenes(case, scenes, seed)
    specs = [*dict.fromkeys(replace(spec, fill=Fill.LOADED) for spec in planned)]
    distinct: dict[str, Subject] = {}
    for subject in subjects:  # a native program is the same beside all processors
        distinct.setdefault(oracle_name(subject), subject)
    results = []
    silent: dict[str, str] = {}
    for name, subject in distinct.items():
        try:
            (result,) = verify(case, [subject], specs, jobs=1)
        except EngineRefusal as error:
            silent[name] = str(error)
            continue
        results.append(result)
        if result.fault or (result.crash and len(result.answers) < len(specs)):
            silent[name] = result.fault or result.crash
    return Oracles(case.name, len(specs), oracle_matrix(case, results, specs), silent)
