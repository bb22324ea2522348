"""The data of ``macproof fuzz``: its JSON form, and the files of its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from emu.cases.keys.parts import IgnoredVariable
from emu.report.limits import FileName, Limits, Natural, Sha256
from emu.verify.report.receipt import CaseIdentity
from emu.verify.scenes.changed_scenes import ChangedScene, WrittenValue, value_of, written
from emu.verify.scenes.scene_spec import SceneSpec

SCHEMA = "macproof.fuzz/2"
SCENE_SCHEMA = "macproof.fuzz-scene/1"

FOUND, NOTHING_FOUND, NOTHING_TRIED = "failures found", "nothing found", "nothing tried"


@dataclass(frozen=True, slots=True)
class CorpusScene:
    """A scene of the corpus.

    Attributes:
        spec: the scene of a generator that was changed, and how memory is filled.
        fields: the values that it has instead, by the names of its fields.
    """

    spec: SceneSpec
    fields: Mapping[str, WrittenValue]

    @classmethod
    def of(cls, changed: ChangedScene) -> CorpusScene:
        """What is written of a changed scene."""
        return cls(changed.spec, {name: written(field) for name, field in changed.fields.items()})

    @property
    def changed(self) -> ChangedScene:
        """What makes the scene.

        Raises:
            UsageError: a value cannot be read.
        """
        return ChangedScene(
            self.spec, {name: value_of(field) for name, field in self.fields.items()}
        )


@dataclass(frozen=True, slots=True)
class FuzzedProgram:
    """A program that scenes are run on.

    Attributes:
        cpu: the processor's name.
        build: the build's name.
        sha256: the SHA-256 of its file, in hexadecimal.
    """

    cpu: str
    build: str
    sha256: Sha256

    @property
    def name(self) -> str:
        """Processor and build: "68040 O2"."""
        return f"{self.cpu} {self.build}"


@dataclass(frozen=True, slots=True)
class FoundScene:
    """A finding.

    Attributes:
        file: its file in the folder.
        program: the program's name.
        kind: "divergence", "stray store", "violation", "memory", "fault" or "difference".
        place: where it shows, without numbers.
        summary: what is wrong, as a sentence.
        refused: why the reference does not say what is right; "" if it does.
        objects: how many items the scene has.
        executions: the number of scenes that had been run when it was found.
        seconds: the processor time that this had taken.
    """

    file: FileName
    program: str
    kind: str
    place: str
    summary: str
    refused: str
    objects: Natural
    executions: Natural
    seconds: float


@dataclass(frozen=True, slots=True)
class Setting:
    """What a search depends on. One that goes on has to be the same.

    Attributes:
        case: the case file.
        reference_files: the SHA-256 of the files with the case's Python functions, by file name.
        programs: the programs.
        seed: the seed of chance.
        scenes: the scenes that it began with.
        within: whether scenes are left out that the reference refuses.
        checks: "full" if every access to memory is checked, else "usual".
        guide: the SHA-256 of the program that tells what it compares; "" if there is none.
    """

    case: CaseIdentity
    reference_files: Mapping[str, str]
    programs: tuple[FuzzedProgram, ...]
    seed: Annotated[int, Limits(minimum=0, maximum=(1 << 64) - 1)]
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
        seconds: the processor time, in seconds.
        corpus: how many scenes were kept because they executed something new.
        features: how many different things the kept scenes executed: an edge of a program, taken
            about so often.
        findings: what was found, the first first.
        command: the command line, one string for each word.
        ignored: the variables that the routine may change and that are compared with nothing.
        keeps_state: whether some calls found what earlier calls had left of these.
    """

    verdict: str
    setting: Setting
    rounds: Natural
    executions: Natural
    changed: Natural
    refused: Natural
    seconds: float
    corpus: Natural
    features: Natural
    findings: tuple[FoundScene, ...]
    command: tuple[str, ...]
    ignored: tuple[IgnoredVariable, ...] = ()
    keeps_state: bool = False


def verdict_of(findings: int, changed: int) -> str:
    """The verdict of a search; that nothing was found says nothing if nothing was tried."""
    return FOUND if findings else NOTHING_FOUND if changed else NOTHING_TRIED
