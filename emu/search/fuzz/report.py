"""The data of ``macproof fuzz``: its JSON form, and the files of its folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from emu.report.limits import FLAT, FileName, Natural
from emu.search.basis import SearchBasis, SearchedProgram, UnwatchedMemory
from emu.verify.explain.finding import Symptom
from emu.verify.scenes.scene_spec import SceneSpec

SCHEMA = "macproof.fuzz/2"
SCENE_SCHEMA = "macproof.fuzz-scene/1"

FOUND, NOTHING_FOUND, NOTHING_TRIED = "failures found", "nothing found", "nothing tried"


@dataclass(frozen=True, slots=True)
class FoundScene:
    """A finding.

    Attributes:
        file: its file in the folder.
        program: the program's name.
        symptom: what is wrong.
        objects: how many items the scene has.
        executions: the number of scenes that had been run when it was found.
        seconds: the processor time that this had taken.
    """

    file: FileName
    program: str
    symptom: Annotated[Symptom, FLAT]
    objects: Natural
    executions: Natural
    seconds: float


@dataclass(frozen=True, slots=True)
class Setting:
    """What a search depends on. One that goes on has to be the same.

    Attributes:
        basis: what it rests on.
        programs: the programs.
        scenes: the scenes that it began with.
        within: whether scenes are left out that the reference refuses.
        checks: "full" if every access to memory is checked, else "usual".
        guide: the SHA-256 of the program that tells what it compares; "" if there is none.
    """

    basis: Annotated[SearchBasis, FLAT]
    programs: tuple[SearchedProgram, ...]
    scenes: tuple[SceneSpec, ...]
    within: bool
    checks: str
    guide: str


@dataclass(frozen=True, slots=True)
class FuzzReport:
    """What a search has found so far.

    Attributes:
        verdict: "failures found"; "nothing found"; or "nothing tried" if no changed scene was run.
        setting: what it depends on.
        rounds: how many times scenes were changed.
        executions: how many scenes were run, each on all programs.
        changed: how many of these are not as the case makes them, and a program was called on them.
        refused: how many of the changed scenes no program could be called on; if ``within``, also
            those that the reference refuses.
        translated: how many scenes were executed as translated code on all programs, and nothing
            was wrong. The others were executed on Unicorn, or had the same mistake as one that was.
        seconds: the processor time, in seconds.
        corpus: how many scenes were kept because they executed something new.
        features: how many different things the kept scenes executed: an edge of a program, taken
            about so often.
        findings: what was found, the first first.
        command: the command line, one string for each word.
        unwatched: what was compared with nothing.
    """

    verdict: str
    setting: Setting
    rounds: Natural
    executions: Natural
    changed: Natural
    refused: Natural
    translated: Natural
    seconds: float
    corpus: Natural
    features: Natural
    findings: tuple[FoundScene, ...]
    command: tuple[str, ...]
    unwatched: Annotated[UnwatchedMemory, FLAT]


def verdict_of(findings: int, changed: int) -> str:
    """The verdict of a search; that nothing was found says nothing if nothing was tried."""
    return FOUND if findings else NOTHING_FOUND if changed else NOTHING_TRIED
