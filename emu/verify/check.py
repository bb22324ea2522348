"""The public function `check`: verifies a case inside a test, and fails the test with a message.

It is `verify` with an ``AssertionError`` in place of a verdict that is not "verified".
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from emu.base.arguments import require, whole_numbers
from emu.base.errors import MacproofError
from emu.base.processes.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.sources import GivenSource, Replacements, given_source
from emu.report.document import Document
from emu.report.forms.terminal import text_of
from emu.verify.explain_failure import explain
from emu.verify.report.report import ProgramResult
from emu.verify.runs.verdicts import VERIFIED
from emu.verify.verification import Verification, verify


class CheckFailed(AssertionError):
    """A case is refuted or inconclusive. The message gives the reason and a command to repeat it.

    Args:
        story: the message.
        found: the result of `verify`.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> text = (case.path.parent / "four_shifts.cpp").read_text()
        >>> port = Path("my_port.cpp")
        >>> _ = port.write_text(text.replace("< kRectSize", "<= kRectSize"))  # a mistake
        >>> try:
        ...     macproof.check(case, cpu="601", build="O2", scenes=20, source=port)
        ... except macproof.CheckFailed as failed:
        ...     print(failed.found.verdict, str(failed).splitlines()[0], sep="; ")
        refuted; four-shifts on the 601, build O2, fails on a scene: sector-edge, 200 objects, ...
    """

    def __init__(self, story: str, verification: Verification) -> None:
        super().__init__(story)
        self.found = verification


def check(
    case: Case | Path | str,
    *,
    cpu: str | None = None,
    build: str | None = None,
    source: GivenSource = None,
    scenes: int | None = None,
    seed: int = DEFAULT_SEED,
    objects: Sequence[int] | None = None,
    jobs: int = 1,
    workers: Workers | None = None,
) -> Verification:
    """Verify a case, and raise an ``AssertionError`` unless it is verified.

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        cpu: the name of the processor; None is all of the case.
        build: the name of the build; None is all of the case.
        source: what is compiled in place of the case's sources, as for `programs_of`.
        scenes: the number of scenes; None is the case's own number.
        seed: the seed of the first scene of each kind (generator and number of objects).
        objects: the numbers of objects in scenes; None is the case's own numbers.
        jobs: the number of worker processes. It is 1 by default, because tests often run in
            parallel already; 0 is one for each processor of this computer.
        workers: worker processes to use in place of new ones. They are left running.

    Returns:
        The result of `verify`, whose verdict is "verified".

    Raises:
        CheckFailed: a program is refuted or inconclusive.
        MacproofError: as of `load_case`, `programs_of` and `verify`.

    Example:
        >>> macproof.check("examples/bounce", build="O2", scenes=50).verdict
        'verified'
    """
    __tracebackhide__ = True
    source = given_source(source)
    objects = None if objects is None else whole_numbers(objects, "objects")
    options = _Options(load_case(case), cpu, build, source, scenes, seed, objects)
    verification = options.verify(jobs, workers)
    if verification.verdict != VERIFIED:
        raise CheckFailed(_story(verification, options), verification)
    return verification


@dataclasses.dataclass(frozen=True, slots=True)
class _Options:
    """The arguments of `check`: to verify with, and to print as a command that repeats it."""

    case: Case
    cpu: str | None
    build: str | None
    source: Path | Replacements | None
    scenes: int | None
    seed: int
    objects: Sequence[int] | None

    def verify(self, jobs: int, workers: Workers | None) -> Verification:
        """Verify as the arguments say."""
        selection = programs_of(
            self.case,
            cpus=_only(self.cpu, "cpu", "the name of one processor"),
            builds=_only(self.build, "build", "the name of one build"),
            source=self.source,
        )
        return verify(
            self.case,
            selection,
            scenes=self.scenes,
            seed=self.seed,
            objects=self.objects,
            jobs=jobs,
            workers=workers,
            command=self.command("verify", self.cpu, self.build),
        )

    def command(self, verb: str, cpu: str | None, build: str | None) -> tuple[str, ...]:
        """The words of a command that does the same; the case's path is relative if it can be."""
        given = {
            "--cpu": cpu,
            "--build": build,
            "--source": self.source if isinstance(self.source, Path) else None,
            "--scenes": self.scenes,
            "--seed": self.seed,
            "--objects": None if self.objects is None else ",".join(map(str, self.objects)),
        }
        words = [(name, str(value)) for name, value in given.items() if value is not None]
        if isinstance(self.source, Mapping):
            words += [("--source", f"{name}={path}") for name, path in self.source.items()]
        place = self.case.path
        if place.is_relative_to(Path.cwd()):
            place = place.relative_to(Path.cwd())
        return ("macproof", verb, str(place), *(word for pair in words for word in pair))


def _only(given: str | None, name: str, wanted: str) -> list[str] | None:
    return None if given is None else [require(given, str, name, wanted)]


def _story(verification: Verification, options: _Options) -> str:
    """The first failure explained, the verdict on every program, and a command to repeat it."""
    wrong = [result for result in verification.report.results if result.verdict != VERIFIED]
    # A failing scene says more than a reason without one.
    first = next((result for result in wrong if result.failures), wrong[0])
    verdicts = ", ".join(
        f"{result.name} {result.verdict}" for result in verification.report.results
    )
    verb = "explain" if first.failures else "verify"
    command = options.command(verb, first.cpu, first.build)
    return (
        f"{_explained(verification, first, options.case)}\n"
        f"Verdict: {verdicts}.\n"
        f"To see it again: {shlex.join(command)}"
    )


def _explained(verification: Verification, first: ProgramResult, case: Case) -> str:
    """Why a program is not verified: its smallest scene, or the reason there is none."""
    try:
        explained = explain(verification, cpus=[first.cpu], builds=[first.build])
    except MacproofError as error:
        scenes = [
            f"{case.name} fails on {failure.scene}: {failure.summary}"
            for failure in first.failures[:1]
        ]
        return "\n".join([*scenes, f"{case.name}: {error}"])
    assert explained is not None, "what is not verified has a failure or a reason"
    return text_of(_short(explained.document)).rstrip()


def _short(document: Document) -> Document:
    """A document without details, and without its outcome, which only repeats what is wrong."""
    sections = tuple(section for section in document.sections if not section.is_detail)
    return dataclasses.replace(document, sections=sections, outcome=None)
