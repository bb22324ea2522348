"""The bench: the programs of cases, ready to be tried on any scene.

Guest code runs in worker processes, because some of what is tried here faults, never returns, or
takes the engine's process down with it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from emu.base.errors import GuestError, UsageError
from emu.base.workers import Call, Workers, default_jobs
from emu.cases.case import Case, Scene, load_case
from emu.cases.programs import Subject, provide_for
from emu.cases.sources import source_tree
from emu.machine.apart import GuestWorkers, run_apart
from emu.toolchain.builds import Build
from emu.toolchain.sources import SourceTree
from emu.verify.trials.trial import Outcome, Setup, try_scenes

Outcomes: TypeAlias = Mapping[str, Sequence[Outcome]]
"""What became of each scene, by processor; "68040 period" if the bench has several builds."""


@dataclass(slots=True)
class Bench:
    """Runs cases' routines on given scenes. Use it in a ``with`` statement.

    Attributes:
        builds: names of builds; every case must have them.
        cpus: names of processors, or None for those of each case.
        jobs: worker processes; 0 is one for each processor of this computer.
        programs: where programs come from, see `emu.cases.programs.programs_of`.
        sources: by a case's name, a file compiled in place of its own sources, but for those that
            a setup keeps.
        workers: processes to use in place of ``jobs`` of its own, and to leave running.
    """

    builds: tuple[str, ...] = ("O2",)
    cpus: tuple[str, ...] | None = None
    jobs: int = 0
    programs: str = "auto"
    sources: Mapping[str, Path] = field(default_factory=dict)
    workers: Workers | None = None
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _processes: Workers = field(init=False)
    _begun: dict[tuple[object, ...], tuple[Sequence[Scene], Call[list[Outcome]]]] = field(
        default_factory=dict
    )
    _subjects: dict[tuple[object, ...], list[Subject]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._processes = self.workers or self._stack.enter_context(GuestWorkers(self.jobs))

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, traceback)

    def run(self, case: str | Case, scene: Scene, setup: Setup | None = None) -> dict[str, Outcome]:
        """Try a case's routine on one scene; the outcome by processor.

        The keys are processors' names, or "68040 period" if the bench has several builds.

        Raises:
            MacproofError: there is no such case, its programs cannot be had, or the scene does
                not fit it. What the guest code does is never an error.
        """
        return {key: found[0] for key, found in self.run_scenes(case, [scene], setup).items()}

    def run_scenes(
        self, case: str | Case, scenes: Sequence[Scene], setup: Setup | None = None
    ) -> dict[str, list[Outcome]]:
        """Try a case's routine on several scenes; outcomes in their order, by processor.

        Raises:
            MacproofError: as in `run`.
        """
        return self.start(case, scenes, setup)()

    def start(
        self,
        case: str | Case,
        scenes: Sequence[Scene],
        setup: Setup | None = None,
        *,
        cpus: Sequence[str] | None = None,
    ) -> Callable[[], dict[str, list[Outcome]]]:
        """Begin `run_scenes`, so that others can begin beside it; a function that waits for it.

        ``cpus`` narrows the bench's own choice.

        Raises:
            MacproofError: as in `run`.
        """
        found = load_case(case) if isinstance(case, str) else case
        how = setup or Setup()
        subjects = self.subjects(found, how, cpus=cpus)
        trials = [(s, self._once(found.path, s, how, scenes)) for s in subjects]

        def wait() -> dict[str, list[Outcome]]:
            outcomes = {}
            for subject, trial in trials:
                key = subject.cpu if len(self.builds) == 1 else f"{subject.cpu} {subject.build}"
                outcomes[key] = trial.result()
            return outcomes

        return wait

    def subjects(
        self, case: Case, setup: Setup | None = None, *, cpus: Sequence[str] | None = None
    ) -> list[Subject]:
        """The programs of a case, compiled if they have to be; ``cpus`` narrows the choice.

        Raises:
            MacproofError: they cannot be had.
        """
        how = setup or Setup()
        chosen = tuple(
            cpu
            for cpu in case.cpus
            if (self.cpus is None or cpu in self.cpus) and (cpus is None or cpu in cpus)
        )
        if not chosen:
            raise UsageError(f"{case.name} is for {', '.join(case.cpus)} only")
        key = (case.path, how.entry, how.defines, how.keep, chosen)
        if key not in self._subjects:
            self._subjects[key] = self._provide(case, how, chosen)
        return self._subjects[key]

    # -- inside ------------------------------------------------------------------------------

    def _provide(self, case: Case, setup: Setup, cpus: Sequence[str]) -> list[Subject]:
        for name in self.builds:
            if name not in case.builds:
                raise UsageError(f"{case.name} has no build {name}")
        flags = tuple(f"-D{word}" for word in setup.defines)
        builds = [Build(name, (*case.builds[name].flags, *flags)) for name in self.builds]
        called = replace(case, call=setup.entry or case.call)
        tree = self._tree(called, setup)
        with ThreadPoolExecutor(self.jobs or default_jobs()) as threads:
            made = threads.map(
                lambda cpu: provide_for(case, tree, [cpu], builds, use=self.programs),
                cpus,
            )
            programs = [program for provision in made for program in provision.programs]
        return [Subject(program.cpu, program.build, program.path) for program in programs]

    def _tree(self, case: Case, setup: Setup) -> SourceTree:
        """What is compiled: the case's sources, or one in place of those that are not kept."""
        source = self.sources.get(case.name)
        tree = source_tree(case, source)
        if source is None or not setup.keep:
            return tree
        own = source_tree(case)
        first = next((i for i, p in enumerate(own.sources) if p.name not in setup.keep), 0)
        before = [path for path in own.sources[:first] if path.name in setup.keep]
        after = [path for path in own.sources[first:] if path.name in setup.keep]
        files = (*before, *tree.sources, *after)
        # What was one unit stays one; else each file is a unit of its own.
        units = (files,) if len(own.units) == 1 else tuple((path,) for path in files)
        return replace(tree, units=units)

    def _once(
        self, path: Path, subject: Subject, setup: Setup, scenes: Sequence[Scene]
    ) -> Call[list[Outcome]]:
        """A trial that is begun, or that was begun before with the very same scenes."""
        key = (path, subject, repr(setup), tuple(map(id, scenes)))
        if key not in self._begun:
            # The scenes are kept with it, so that no other gets the identity of one of them.
            trial = self._processes.submit(
                try_scenes, path, subject, setup, list(scenes), alone=_try_each_apart
            )
            self._begun[key] = (scenes, trial)
        return self._begun[key][1]


def _try_each_apart(
    path: Path, subject: Subject, setup: Setup, scenes: Sequence[Scene]
) -> list[Outcome]:
    """Try each scene alone, to learn which of them take their process down."""
    outcomes = []
    for scene in scenes:
        try:
            outcomes += run_apart(try_scenes, path, subject, setup, [scene])
        except GuestError as error:
            outcomes.append(Outcome(subject.cpu, subject.build, subject.program, crash=str(error)))
    return outcomes
