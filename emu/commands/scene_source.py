"""Where ``explain`` and ``show`` get a scene from, and how they run it."""

from __future__ import annotations

import argparse
import hashlib
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.case import Case, load_case
from emu.checks.isa_model import REFUTES, UNDECIDED
from emu.commands.options import MOST_OBJECTS
from emu.errors import GuestError, InputError, UsageError, WrongResultError
from emu.evidence.report import Report, read_report
from emu.fills import Fill
from emu.machine.cpu import CPUS
from emu.program import host_file
from emu.verify import INCONCLUSIVE, BorrowedTypes, SceneSpec, Subject

# What is wrong with an instruction is wrong in every scene.
_WITHOUT_A_SCENE = {REFUTES: WrongResultError, UNDECIDED: GuestError}


@dataclass(frozen=True, slots=True)
class ChosenScene:
    """A program and a scene to run it on."""

    case: Case
    subject: Subject
    spec: SceneSpec


def from_report(path: Path, arguments: argparse.Namespace) -> ChosenScene | None:
    """The first failing scene of a report, of the CPU and build asked for if any.

    A scene whose result can be compared is preferred to one that did not come back.

    Returns:
        None if nothing failed.

    Raises:
        InputError: the report is damaged, or its program is no longer there.
        GuestError: nothing failed because nothing came to a comparison.
    """
    return from_results(read_report(path), arguments, path)


def from_results(report: Report, arguments: argparse.Namespace, path: Path) -> ChosenScene | None:
    """Like `from_report`, for a report in memory; ``path`` is for messages."""
    try:
        meant = [
            result
            for result in report["results"]
            if not arguments.cpu or result["cpu"] in arguments.cpu
            if not arguments.build or result["build"] in arguments.build
        ]
        failing = [
            (not failure["divergence"], index, failure, result)
            for index, result in enumerate(meant)
            for failure in result["failures"]
        ]
        if not failing:
            _require_comparisons(meant, path)
            return None
        _, _, failure, result = min(failing, key=lambda item: item[:2])
        spec = _spec(failure)
        program = Path(result["program"]["file"])
        digest = result["program"]["sha256"]
        others = [result["program"].get(name) for name in ("types", "symbols")]
        others = [{"file": f["file"], "sha256": f["sha256"]} for f in others if f]
        types = result["program"].get("types")
        borrowed = None
        if types:
            names = tuple(map(str, types["variables"]))
            borrowed = BorrowedTypes(Path(types["file"]), str(types["build"]), names)
        subject = Subject(result["cpu"], result["build"], program, borrowed)
        if subject.cpu not in CPUS:
            raise ValueError(f"there is no CPU {subject.cpu}")
        command = shlex.join(report["receipt"]["command"])
        own = Path(report["receipt"]["case"]["file"])
        case_digest = report["receipt"]["case"]["sha256"]
        case = load_case(str(own) if own.is_file() else result["case"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(path, f"the report is damaged ({error!r})") from error
    files = [(program, digest)]
    files += [(Path(f["file"]), f["sha256"]) for f in others]
    for file, known in files:
        own_file = host_file(file)
        if not own_file.is_file() or hashlib.sha256(own_file.read_bytes()).hexdigest() != known:
            raise InputError(
                path,
                f"the program it speaks of, {file}, is gone or changed",
                remedy=f"Run its command again: {command}",
            )
    if hashlib.sha256(case.path.read_bytes()).hexdigest() != case_digest:
        raise InputError(
            path,
            f"the case file it speaks of, {case.path}, has changed",
            remedy=f"Run its command again: {command}",
        )
    return ChosenScene(case, subject, spec)


def _spec(failure: Any) -> SceneSpec:
    fill = Fill(failure.get("fill", Fill.LOADED))
    spec = SceneSpec(failure["generator"], failure["objects"], failure["seed"], fill)
    if not isinstance(spec.generator, str):
        raise TypeError(f"{spec.generator!r} is no generator")
    for number, limit in ((spec.objects, MOST_OBJECTS), (spec.seed, 2**64 - 1)):
        if type(number) is not int or not 0 <= number <= limit:
            raise ValueError(f"{number!r} is not a number from 0 to {limit}")
    return spec


def _require_comparisons(results: list[Any], path: Path) -> None:
    """Refuse to say that nothing failed where nothing was known, or no scene is to blame."""
    if not results:
        raise UsageError(f"{path} has no result of that CPU and build")
    for result in results:
        name = f"{result['cpu']} {result['build']}"
        for finding in result.get("isa", {}).get("findings", []):
            kind = _WITHOUT_A_SCENE.get(finding["weight"])
            if kind is not None:
                what = f"{finding['mnemonic']} {finding['why']}, at {finding['place']}"
                raise kind(f"{name} fails on no scene, but {what}")
        if result["verdict"] == INCONCLUSIVE:
            raise GuestError(f"{name} is inconclusive: {result['undecided']}")


def require_generator(case: Case, generator: str) -> None:
    """Refuse a generator the case does not have.

    Raises:
        UsageError: with the ones there are.
    """
    if generator not in case.generators:
        raise UsageError(
            f"there is no generator {generator}; there are {', '.join(case.generators)}"
        )
