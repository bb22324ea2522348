"""The data of ``macproof prove``: its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.prove.calls.replay import WrongCall
from emu.report.limits import Natural, Sha256
from emu.verify.report.receipt import CaseIdentity

SCHEMA = "macproof.proof/1"

PROVED, REFUTED, UNDECIDED = "proved", "refuted", "undecided"
VERDICTS = (REFUTED, UNDECIDED, PROVED)
"""The worst first."""


@dataclass(frozen=True, slots=True)
class InputRange:
    """The values of an input.

    Attributes:
        name: the field of the scene.
        low: the least.
        high: the largest.
    """

    name: str
    low: int
    high: int

    def __str__(self) -> str:
        values = f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"
        return f"{self.name} is {values}"


@dataclass(frozen=True, slots=True)
class Controls:
    """What shows that a proof is one.

    Attributes:
        covers: whether the paths cover all inputs: no input takes none of them.
        changed: the change of the specification that was refuted; "" if none was.
    """

    covers: bool
    changed: str


@dataclass(frozen=True, slots=True)
class ProgramProof:
    """What is proved of one program.

    Attributes:
        cpu: the processor's name.
        build: the build's name.
        sha256: the SHA-256 of its file, in hexadecimal.
        verdict: "proved", "refuted" or "undecided".
        why: why nothing is decided, as a clause; "" if it is.
        inputs: the inputs, each with its values.
        fixed: the fields of the scene that stayed as they were made.
        compared: the observed places that were compared.
        left_out: the observed places of which the specification says nothing.
        refused: why the specification says nothing of some inputs, for each of its paths.
        paths: how many paths the routine has.
        instructions: how many different instructions they have.
        call: a call that goes wrong; None if nothing is refuted.
        domain: where a refuted routine is right: ranges of inputs, of which none can be longer.
        domain_is_box: whether all of these must hold together; else each is enough alone.
        domain_why: why that was not found; "" if it was.
        controls: what shows that a proof is one; None if nothing is proved.
        seconds: the processor time; 0 if it is not known, as the process was ended from outside.
    """

    cpu: str
    build: str
    sha256: Sha256
    verdict: str
    why: str = ""
    inputs: tuple[InputRange, ...] = ()
    fixed: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    paths: Natural = 0
    instructions: Natural = 0
    call: WrongCall | None = None
    domain: tuple[InputRange, ...] = ()
    domain_is_box: bool = False
    domain_why: str = ""
    controls: Controls | None = None
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """Processor and build: "68040 O2"."""
        return f"{self.cpu} {self.build}"


@dataclass(frozen=True, slots=True)
class ProofReport:
    """What is proved of the programs of a case.

    Attributes:
        verdict: the worst of all programs: "refuted", "undecided" or "proved".
        case: the case file.
        specification: what says what is right, in words.
        reference_files: the SHA-256 of the files with the case's Python functions, by file name.
        scene: the scene whose numbers were replaced by all numbers.
        objects: how many objects it has.
        rounds: how often a path could part at one instruction.
        seconds: how long a program could take.
        programs: each program.
        z3: the version of z3.
        lifter: the version of the lifter.
        command: the command line, one string for each word.
    """

    verdict: str
    case: CaseIdentity
    specification: str
    reference_files: Mapping[str, str]
    scene: str
    objects: Natural
    rounds: Natural
    seconds: float
    programs: tuple[ProgramProof, ...]
    z3: str
    lifter: str
    command: tuple[str, ...]


def worst(verdicts: list[str]) -> str:
    """The worst of some verdicts; of none, "undecided"."""
    return next((verdict for verdict in VERDICTS if verdict in verdicts), UNDECIDED)
