"""Finds or compiles the programs of cases, and tries them on any scene.

Guest code runs in worker processes, because some trials fault, never return, or crash the engine
and its process.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeAlias

from emu.base.processes.workers import WorkerCall, Workers, default_jobs
from emu.cases.keys.parts import Scene
from emu.cases.programs.programs import provide_for
from emu.cases.programs.sources import source_tree
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.toolchain.builds import Build, targets_of
from emu.toolchain.sources import SourceTree
from macproof import Case, GuestError, Subject, UsageError, load_case
from posts.trials.trial import Setup, TrialOutcome, try_scenes

Outcomes: TypeAlias = Mapping[str, Sequence[TrialOutcome]]
"""The outcomes of the scenes, by processor; by "68040 period" if there are several builds."""


@dataclass(slots=True)
class TrialRunner:
    """Calls cases' routines on given scenes. Use it in a ``with`` statement.

    Attributes:
        builds: names of builds; every case must have them.
        cpus: names of processors; None is those of each case.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        programs: where programs come from, like ``use`` of
            `emu.cases.programs.programs.programs_of`.
        sources: by the name of a case, the file that is compiled in place of its sources. Sources
            that `Setup.keep` names are compiled too.
        workers: worker processes to use in place of new ones. They are left running.
    """

    builds: tuple[str, ...] = ("O2",)
    cpus: tuple[str, ...] | None = None
    jobs: int = 0
    programs: str = "auto"
    sources: Mapping[str, Path] = field(default_factory=dict)
    workers: Workers | None = None
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _processes: Workers = field(init=False)
    _begun: dict[tuple[object, ...], tuple[Sequence[Scene], WorkerCall[list[TrialOutcome]]]] = (
        field(default_factory=dict)
    )
    _subjects: dict[tuple[object, ...], list[Subject]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._processes = self.workers or self._stack.enter_context(GuestWorkers(self.jobs))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stack.__exit__(*exception)

    def run(
        self, case: str | Case, scene: Scene, setup: Setup | None = None
    ) -> dict[str, TrialOutcome]:
        """Call a case's routine on one scene.

        Args:
            case: the case, or its name.
            scene: the scene.
            setup: how the trial differs from what the case does; None is not at all.

        Returns:
            One outcome for each program, by processor ("68040"), or by processor and build
            ("68040 period") if there are several builds.

        Raises:
            MacproofError: there is no such case, its programs cannot be found or compiled, or the
                scene does not fit it. No behaviour of the guest code raises an error.
        """
        return {key: outcomes[0] for key, outcomes in self.run_scenes(case, [scene], setup).items()}

    def run_scenes(
        self, case: str | Case, scenes: Sequence[Scene], setup: Setup | None = None
    ) -> dict[str, list[TrialOutcome]]:
        """Like `run`, on several scenes.

        Returns:
            For each program, one outcome for each scene, in order.

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
    ) -> Callable[[], dict[str, list[TrialOutcome]]]:
        """Start `run_scenes` without waiting for it, so that several trials run side by side.

        Args:
            case: the case, or its name.
            scenes: the scenes.
            setup: how the trial differs from what the case does; None is not at all.
            cpus: only these of the chosen processors; None is all.

        Returns:
            A function that waits for the outcomes and returns them.

        Raises:
            MacproofError: as in `run`.
        """
        loaded = load_case(case) if isinstance(case, str) else case
        how = setup or Setup()
        subjects = self.subjects(loaded, how, cpus=cpus)
        trials = [(s, self._once(loaded.path, s, how, scenes)) for s in subjects]

        def wait() -> dict[str, list[TrialOutcome]]:
            outcomes = {}
            for subject, trial in trials:
                key = subject.cpu if len(self.builds) == 1 else f"{subject.cpu} {subject.build}"
                outcomes[key] = trial.result()
            return outcomes

        return wait

    def subjects(
        self, case: Case, setup: Setup | None = None, *, cpus: Sequence[str] | None = None
    ) -> list[Subject]:
        """Find or compile the programs of a case.

        Args:
            case: the case.
            setup: how the trial differs from what the case does; None is not at all.
            cpus: only these of the chosen processors; None is all.

        Raises:
            MacproofError: a program cannot be found or compiled.
        """
        how = setup or Setup()
        chosen = tuple(
            cpu
            for cpu in case.cpus
            if (self.cpus is None or cpu in self.cpus) and (cpus is None or cpu in cpus)
        )
        if not chosen:
            raise UsageError(f"{case.name} has programs for {', '.join(case.cpus)} only")
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
            provisions = threads.map(
                lambda cpu: provide_for(case, tree, targets_of([cpu]), builds, use=self.programs),
                cpus,
            )
            programs = [program for provision in provisions for program in provision.programs]
        return [Subject(program.cpu, program.build, program.path) for program in programs]

    def _tree(self, case: Case, setup: Setup) -> SourceTree:
        """The sources to compile. A replacement takes the place of the first source not kept."""
        source = self.sources.get(case.name)
        tree = source_tree(case, source)
        if source is None or not setup.keep:
            return tree
        own = source_tree(case)
        first = next((i for i, p in enumerate(own.sources) if p.name not in setup.keep), 0)
        before = [path for path in own.sources[:first] if path.name in setup.keep]
        after = [path for path in own.sources[first:] if path.name in setup.keep]
        files = (*before, *tree.sources, *after)
        # Sources of one translation unit stay one unit; otherwise each file is a unit of its own.
        units = (files,) if len(own.units) == 1 else tuple((path,) for path in files)
        return replace(tree, units=units)

    def _once(
        self, path: Path, subject: Subject, setup: Setup, scenes: Sequence[Scene]
    ) -> WorkerCall[list[TrialOutcome]]:
        """Start a trial, unless the same trial with the same scene objects was started before."""
        key = (path, subject, repr(setup), tuple(map(id, scenes)))
        if key not in self._begun:
            # The scenes are kept, so that no new scene gets the id() of one of them.
            trial = self._processes.submit(
                try_scenes, path, subject, setup, list(scenes), alone=_try_each_apart
            )
            self._begun[key] = (scenes, trial)
        return self._begun[key][1]


def _try_each_apart(
    path: Path, subject: Subject, setup: Setup, scenes: Sequence[Scene]
) -> list[TrialOutcome]:
    """Try each scene in a process of its own, to find out which ones crash it."""
    outcomes = []
    for scene in scenes:
        try:
            outcomes += run_apart(try_scenes, path, subject, setup, [scene])
        except GuestError as error:
            outcomes.append(
                TrialOutcome(subject.cpu, subject.build, subject.program, crash=str(error))
            )
    return outcomes
