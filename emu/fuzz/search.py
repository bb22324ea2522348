"""The search: changes scenes of the corpus, runs them, and keeps what executes something new.

Chance of a round depends on the seed and on the number of the round alone, and results are taken in
the order of the scenes, whichever worker was first. So a search that was interrupted goes on as if
it had not been, and the number of worker processes changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from emu.base.arguments import strings, whole_number
from emu.base.errors import UsageError
from emu.base.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.programs import Selection
from emu.checks.levels import USUAL, is_full
from emu.fuzz.execute import Execution, Suspicion, Terms, execute_all, quick_budget
from emu.fuzz.folder import Folder
from emu.fuzz.minimise import Settled, key_of, settle
from emu.fuzz.mutate import Mutator
from emu.fuzz.numbers import numbers_of
from emu.fuzz.report import FOUND, NOTHING_FOUND, FoundScene, FuzzedProgram, FuzzReport, Setting
from emu.machine.apart import GuestWorkers, run_apart
from emu.machine.cpu import CPUS
from emu.verify.changed_scenes import ChangedScene, changed_of
from emu.verify.fills import Fill
from emu.verify.finding import make_finding
from emu.verify.receipt import CaseFile
from emu.verify.schedule import plan_scenes

DEFAULT_EXECUTIONS = 5000
_ROUND, _PIECE = 64, 16
_FILLS = (Fill.LOADED, Fill.POISON, Fill.NOISE)


def fuzz(
    selection: Selection,
    folder: Path,
    *,
    executions: int = DEFAULT_EXECUTIONS,
    seconds: float = float("inf"),
    seed: int = DEFAULT_SEED,
    scenes: int | None = None,
    objects: Sequence[int] | None = None,
    within: bool = False,
    checks: str = USUAL,
    jobs: int = 0,
    command: Sequence[str] = (),
    on_progress: Callable[[int, int], None] = lambda executions, findings: None,
) -> FuzzReport:
    """Look for scenes on which programs fail.

    Args:
        selection: the programs.
        folder: where corpus, findings and state are kept. If there is a state, the search goes on.
        executions: after how many scenes no new round begins; each is run on all programs, and a
            round has 64.
        seconds: the processor time after which no new round begins.
        seed: the seed of chance, and of the scenes that it begins with.
        scenes: how many scenes of the case it begins with; None is one of each kind.
        objects: numbers of objects in these; None is the case's own.
        within: whether scenes are left out that the reference refuses.
        checks: "full" checks every access to memory, too.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        command: a command line that does the same, one string for each word.
        on_progress: called with the numbers of executions and of findings so far.

    Raises:
        UsageError: the folder is of another search; or no scene can be run.
        InputError: a file in the folder is damaged.
    """
    case = selection.case
    kinds = len(case.generators) * len(objects or case.objects)
    count = kinds if scenes is None else whole_number(scenes, "scenes")
    begin = [
        spec for spec in plan_scenes(case, count, seed, objects) if spec.fill is Fill.LOADED
    ] or plan_scenes(case, 1, seed, objects)[:1]
    setting = Setting(
        CaseFile(case.name, case.title, case.credit, str(case.path), case.sha256),
        dict(case.python),
        tuple(FuzzedProgram(one.cpu, one.build, one.sha256) for one in selection.executed),
        seed,
        tuple(begin),
        within,
        checks,
    )
    with GuestWorkers(jobs) as workers:
        search = _Search(selection, Folder(folder), setting, workers, strings(command, "command"))
        search.resume()
        while search.may_go_on(executions, seconds):
            search.round()
            on_progress(search.done, len(search.findings))
        return search.report()


@dataclass(slots=True, eq=False)
class _Search:
    """The state of a search."""

    selection: Selection
    folder: Folder
    setting: Setting
    workers: Workers
    command: tuple[str, ...]
    rounds: int = 0
    before: int = 0
    done: int = 0
    refused: int = 0
    seconds: float = 0.0
    spent: float = 0.0
    corpus: list[ChangedScene] = field(default_factory=list)
    features: set[int] = field(default_factory=set)
    findings: list[FoundScene] = field(default_factory=list)
    known: set[tuple[int, str, str, bool]] = field(default_factory=set)
    numbers: tuple[int, ...] = ()
    terms: Terms = field(init=False)

    @property
    def case(self) -> Case:
        return self.selection.case

    def resume(self) -> None:
        """Take up the state in the folder, or begin with the scenes of the setting."""
        subjects = self.selection.subjects
        found = {n for one in subjects for n in numbers_of(one.read(), CPUS[one.cpu])}
        self.numbers = tuple(sorted(found))
        self.terms = Terms(self.setting.within, is_full(self.setting.checks))
        state, corpus = self.folder.read(self.setting)
        if state is None:
            self._take([ChangedScene(spec) for spec in self.setting.scenes])
            if not self.corpus and not self.findings:
                raise UsageError(f"none of the first {self.done} scenes of {self.case.name} runs")
            self.folder.write(self.report())
            return
        self.rounds, self.done, self.refused = state.rounds, state.executions, state.refused
        self.before, self.seconds = state.executions, state.seconds
        self.findings = list(state.findings)
        names = [one.name for one in self.setting.programs]
        for one in self.findings:
            self.known.add((names.index(one.program), one.kind, one.place, bool(one.refused)))
        self.corpus = corpus
        executions = self._run(corpus)
        self.terms = replace(self.terms, budget=quick_budget(executions))
        for execution in executions:
            self.features |= execution.features

    def may_go_on(self, executions: int, seconds: float) -> bool:
        """Whether there is another round in the budget of this run."""
        return self.done - self.before < executions and self.spent < seconds

    def round(self) -> None:
        """Change scenes of the corpus, and run them."""
        begins = time.process_time()
        random = np.random.Generator(np.random.PCG64([self.setting.seed, self.rounds]))
        mutator = Mutator(self.case, self.numbers, random)
        scenes = [self._changed(mutator, random) for _ in range(_ROUND)]
        self.rounds += 1
        self._spend(time.process_time() - begins)
        self._take(scenes)
        self.folder.write(self.report())

    def _changed(self, mutator: Mutator, random: np.random.Generator) -> ChangedScene:
        """A changed scene of the corpus; as it was if its class refuses every change."""
        pool = self.corpus or [ChangedScene(spec) for spec in self.setting.scenes]
        parent = pool[int(random.integers(len(pool)))]
        other = pool[int(random.integers(len(pool)))]
        spec = replace(parent.spec, fill=_FILLS[int(random.integers(len(_FILLS)))])
        for _ in range(10):
            try:
                scene = mutator.change(parent.make(self.case), other.make(self.case))
                return changed_of(self.case, spec, scene)
            except UsageError:
                continue
        return parent

    def _take(self, scenes: Sequence[ChangedScene]) -> None:
        """Run scenes; keep those that execute something new, and what is found."""
        executions = self._run(scenes)
        if not self.rounds:
            self.terms = replace(self.terms, budget=quick_budget(executions))
        for scene, execution in zip(scenes, executions, strict=True):
            self.done += 1
            self.refused += not execution.is_scene
            self._spend(execution.seconds)
            for suspicion in execution.suspicions:
                if key_of(suspicion) not in self.known:
                    self.known.add(key_of(suspicion))
                    self._settle(scene, suspicion)
            if not execution.suspicions and execution.features - self.features:
                self.features |= execution.features
                self.folder.keep(len(self.corpus), scene)
                self.corpus.append(scene)

    def _run(self, scenes: Sequence[ChangedScene]) -> list[Execution]:
        """Run scenes on all programs in worker processes; the results are in their order."""
        pieces = [scenes[start : start + _PIECE] for start in range(0, len(scenes), _PIECE)]
        case, subjects = self.case, self.selection.subjects
        calls = [(case.path, case.known, subjects, piece, self.terms) for piece in pieces]
        found = dict(self.workers.each(execute_all, calls))
        return [one for index in range(len(pieces)) for one in found[index]]

    def _settle(self, scene: ChangedScene, suspicion: Suspicion) -> None:
        """Make sure of something, make its scene smaller, and keep it."""
        case, subjects = self.case, self.selection.subjects
        arguments = (case.path, case.known, subjects, scene, suspicion, self.terms)
        smallest = self.workers.once(settle, *arguments, alone=_settle_apart)
        self._spend(smallest.seconds)
        told, subject = smallest.suspicion, subjects[suspicion.subject]
        if told is None:
            return
        found = make_finding(
            case,
            self.selection.executed[suspicion.subject],
            subject,
            smallest.scene,
            kind=told.kind,
            place=told.place,
            summary=told.summary,
            refused=told.refused,
            objects=smallest.objects,
            executions=self.done,
            seconds=round(self.seconds, 3),
            command=self.command,
        )
        self.findings.append(self.folder.keep_finding(len(self.findings), found))

    def _spend(self, seconds: float) -> None:
        self.seconds += seconds
        self.spent += seconds

    def report(self) -> FuzzReport:
        """What was found so far."""
        return FuzzReport(
            verdict=FOUND if self.findings else NOTHING_FOUND,
            setting=self.setting,
            rounds=self.rounds,
            executions=self.done,
            refused=self.refused,
            seconds=round(self.seconds, 3),
            corpus=len(self.corpus),
            features=len(self.features),
            findings=tuple(self.findings),
            command=self.command,
        )


def _settle_apart(*arguments: Any) -> Settled:
    return run_apart(settle, *arguments)
