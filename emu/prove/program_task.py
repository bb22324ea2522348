"""What is to be proved of one program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.prove.report import ProgramProof
from emu.verify.scenes.scene_spec import SceneSpec

GRACE = 10
"""So many seconds of processor time later is a process ended that has not given up by itself."""


@dataclass(frozen=True, slots=True)
class ProofTask:
    """What is to be proved of one program.

    Attributes:
        case: the case.
        subject: the program.
        spec: the scene whose numbers are replaced by all numbers.
        bounds: the least and the largest value of fields that do not have all values.
        fixed: fields of the scene that stay as they were made.
        specification: the dotted name of the Python function that says what is right; "" for the
            routine of another program, which the case names.
        rounds: how often a path may part at one instruction.
        seconds: how long it may take.
        memory: how many bytes the process may have.
    """

    case: Case
    subject: Subject
    spec: SceneSpec
    bounds: Mapping[str, tuple[int, int]]
    fixed: tuple[str, ...]
    specification: str
    rounds: int
    seconds: float
    memory: int

    def proof(self, verdict: str, why: str = "") -> ProgramProof:
        """A proof of which nothing is known but the verdict."""
        subject = self.subject
        return ProgramProof(subject.cpu, subject.build, subject.sha256, verdict, why)
