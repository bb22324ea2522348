"""Where ``explain`` and ``show`` get a scene from, and how they run it."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from emu.case import Case, load_case
from emu.errors import GuestError, InputError, UsageError
from emu.evidence.report import Report, read_report
from emu.verify import SceneSpec, Subject

T = TypeVar("T")


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
    """
    return from_results(read_report(path), arguments, path)


def from_results(report: Report, arguments: argparse.Namespace, path: Path) -> ChosenScene | None:
    """Like `from_report`, for a report in memory; ``path`` is for messages."""
    try:
        failing = [
            (not failure["divergence"], index, failure, result)
            for index, result in enumerate(report["results"])
            if not arguments.cpu or result["cpu"] in arguments.cpu
            if not arguments.build or result["build"] in arguments.build
            for failure in result["failures"]
        ]
        if not failing:
            return None
        _, _, failure, result = min(failing, key=lambda item: item[:2])
        spec = SceneSpec(failure["generator"], failure["objects"], failure["seed"])
        program = Path(result["program"]["file"])
        digest = result["program"]["sha256"]
        subject = Subject(result["cpu"], result["build"], program)
        case = load_case(result["case"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(path, f"the report is damaged ({error!r})") from error
    if not program.is_file() or hashlib.sha256(program.read_bytes()).hexdigest() != digest:
        raise InputError(
            path,
            f"the program it speaks of, {program}, is gone or changed",
            remedy="Run its command again: " + " ".join(report["receipt"]["command"]),
        )
    return ChosenScene(case, subject, spec)


def run_apart(function: Callable[..., T], *arguments: object) -> T:
    """Run something that executes guest code in a process of its own.

    Raises:
        GuestError: the process went down.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(function, *arguments).result()
        except BrokenProcessPool as error:
            raise GuestError("the guest code brought the engine's process down") from error


def require_generator(case: Case, generator: str) -> None:
    """Refuse a generator the case does not have.

    Raises:
        UsageError: with the ones there are.
    """
    if generator not in case.generators:
        raise UsageError(
            f"there is no generator {generator}; there are {', '.join(case.generators)}"
        )
