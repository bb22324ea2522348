"""The public function `prove`: proves that the programs of a case are right for all inputs."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Sequence
from dataclasses import replace

from emu.base.errors import ToolMissingError
from emu.base.processes.workers import ProcessDown, run_apart
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.programs.selection import Selection
from emu.prove.program_task import GRACE, ProofTask
from emu.prove.report import UNDECIDED, InputRange, ProgramProof, ProofReport, worst
from emu.verify.report.receipt import CaseIdentity
from emu.verify.scenes.scene_spec import SceneSpec

DEFAULT_SECONDS = 120.0
"""How much processor time the proof of one program may take."""

_MEMORY = 4 << 30
_PACKAGES = ("z3-solver", "pypcode")


def prove(
    selection: Selection,
    *,
    seconds: float = DEFAULT_SECONDS,
    rounds: int | None = None,
    where: Sequence[InputRange] = (),
    command: Sequence[str] = (),
    on_progress: Callable[[int], None] = lambda done: None,
) -> ProofReport:
    """Prove that the routine of a case is right for all inputs.

    The scene that `CaseProof` describes is made, and each number in it is replaced by all numbers
    of its type. Each program is proved in a process of its own.

    Args:
        selection: the programs, from `programs_of`; of a selection that `select_against` makes,
            another program says what is right.
        seconds: how much processor time the proof of one program may take.
        rounds: how often a path may part at one instruction; None is what the case says.
        where: the values of inputs; of any other, what the case says, or else all.
        command: the command line, for the report.
        on_progress: called with the number of programs that are done.

    Raises:
        ToolMissingError: z3 is not installed.
        CaseError: the case does not fit a program.
    """
    versions = [_version_of(package) for package in _PACKAGES]
    case = selection.case
    own = case.proof
    specification = own.specification if case.against is None else ""
    if not specification and case.routine is None:
        specification = case.reference
    spec = scene_to_prove(case)
    bounds = {**own.where, **{each.name: (each.low, each.high) for each in where}}
    rounds = own.rounds if rounds is None else rounds
    proofs = []
    for done, subject in enumerate(selection.subjects):
        on_progress(done)
        task = ProofTask(
            case, subject, spec, bounds, own.fixed, specification, rounds, seconds, _MEMORY
        )
        proofs.append(_apart(task))
    return ProofReport(
        verdict=worst([proof.verdict for proof in proofs]),
        case=CaseIdentity.of(case),
        specification=specification or case.reference,
        reference_files=dict(case.python),
        scene=str(spec),
        objects=spec.objects,
        rounds=rounds,
        seconds=seconds,
        programs=tuple(proofs),
        z3=f"z3 {versions[0]}",
        lifter=f"pypcode {versions[1]}",
        command=tuple(command),
    )


def scene_to_prove(case: Case) -> SceneSpec:
    """The scene whose numbers are replaced by all numbers."""
    own = case.proof
    objects = own.objects
    if objects is None:
        objects = min([count for count in case.objects if count] or [0])
    return SceneSpec(own.generator or case.generators[0], objects, DEFAULT_SEED)


def _apart(task: ProofTask) -> ProgramProof:
    """Prove a program in a process of its own, of which nothing is left whatever happens."""
    from emu.prove.program import prove_program  # it needs z3

    try:
        return run_apart(prove_program, task)
    except ProcessDown as down:
        if down.ending == "SIGXCPU":
            proof = task.proof(UNDECIDED, f"the time is over, which was {task.seconds:g} seconds")
            return replace(proof, seconds=task.seconds + GRACE)  # the limit is what it has used
        return task.proof(UNDECIDED, f"the process that proves it has ended ({down.ending})")


def _version_of(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise ToolMissingError(
            f"{package} is not installed, which proofs need: pip install 'macproof[prove]'"
        ) from error
