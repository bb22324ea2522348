"""A failing scene that no generator makes, saved in a file: the find of a fuzzer or a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.report.json_form import read_json, to_json
from emu.report.limits import FLAT, Natural
from emu.toolchain.programs.gcc import BuiltProgram
from emu.verify.report.make_report import program_file
from emu.verify.report.receipt import CaseIdentity
from emu.verify.report.report import ProgramIdentity
from emu.verify.scenes.changed_scenes import ChangedScene, WrittenValue, value_of, written_value
from emu.verify.scenes.scene_spec import SceneSpec

SCHEMA = "macproof.finding/1"


@dataclass(frozen=True, slots=True)
class StoredScene:
    """A scene that no generator makes, as a file has it.

    Attributes:
        spec: the scene of a generator that was changed, and how memory is filled.
        fields: the values that the changed scene has instead, by the names of its fields.
    """

    spec: SceneSpec
    fields: Mapping[str, WrittenValue]

    @classmethod
    def of(cls, changed: ChangedScene) -> StoredScene:
        """What is written of a changed scene."""
        return cls(
            changed.spec, {name: written_value(field) for name, field in changed.fields.items()}
        )

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
class Symptom:
    """What is wrong after the call of a program on a scene.

    Attributes:
        kind: "divergence", "stray store", "violation", "memory", "fault", or "difference" of two
            programs.
        place: where it shows, without indices and addresses. Of one place and kind one scene is
            kept.
        summary: what is wrong, as a sentence.
        refused: why the reference does not say what is right; "" if it does.
    """

    kind: str
    place: str
    summary: str
    refused: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.summary}"


@dataclass(frozen=True, slots=True)
class SceneFinding:
    """A scene on which a program fails.

    Attributes:
        case: the case file.
        reference_files: the SHA-256 of the files with the case's Python functions, by file name.
        cpu: the processor's name.
        build: the build's name.
        program: the program.
        symptom: what is wrong.
        scene: the scene.
        objects: how many items the changed scene has.
        executions: the number of scenes that had been run when it was found.
        seconds: the processor time, in seconds, that this had taken.
        command: the command line, one string for each word.
    """

    case: CaseIdentity
    reference_files: Mapping[str, str]
    cpu: str
    build: str
    program: ProgramIdentity
    symptom: Annotated[Symptom, FLAT]
    scene: Annotated[StoredScene, FLAT]
    objects: Natural
    executions: Natural
    seconds: float
    command: tuple[str, ...]

    def to_json(self) -> str:
        """The finding as JSON text, which `read_finding` reads."""
        return to_json(self, SCHEMA)


def make_finding(
    case: Case,
    built: BuiltProgram,
    subject: Subject,
    changed: ChangedScene,
    symptom: Symptom,
    *,
    objects: int,
    executions: int,
    seconds: float,
    command: tuple[str, ...],
) -> SceneFinding:
    """Make a finding; the arguments are the attributes of `SceneFinding`."""
    return SceneFinding(
        case=CaseIdentity.of(case),
        reference_files=dict(case.python),
        cpu=subject.cpu,
        build=subject.build,
        program=program_file(built, subject),
        symptom=symptom,
        scene=StoredScene.of(changed),
        objects=objects,
        executions=executions,
        seconds=seconds,
        command=command,
    )


def read_finding(path: Path) -> SceneFinding:
    """Read the file of a finding.

    Raises:
        InputError: it is missing, too large, not JSON, or no finding.
    """
    (finding,) = read_json(path, SceneFinding, SCHEMA)
    return finding
