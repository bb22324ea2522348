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
from emu.base.processes.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import load_case
from emu.cases.keys.parts import Scene
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.checks.levels import USUAL, is_full
from emu.machine.cpu import CPUS
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.report.document import Document
from emu.report.json_form import to_json
from emu.search.basis import SearchBasis, SearchedProgram, UnwatchedMemory
from emu.search.fuzz.document import fuzz_document
from emu.search.fuzz.execute import Execution, FuzzTerms, execute_all, terms_after
from emu.search.fuzz.folder import FuzzFolder
from emu.search.fuzz.guide import guide_of
from emu.search.fuzz.minimise import SuspicionResult, settle
from emu.search.fuzz.mutate import Mutator
from emu.search.fuzz.numbers import numbers_of
from emu.search.fuzz.report import FoundScene, FuzzReport, Setting, verdict_of
from emu.search.fuzz.suspicions import Suspicion
from emu.verify.explain.finding import make_finding
from emu.verify.scenes.changed_scenes import ChangedScene, changed_of
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

DEFAULT_EXECUTIONS = 5000
_ROUND, _PIECE = 128, 64  # a piece of 32 took a third more time a scene on examples/checksum
_FRESH = 32  # of so many scenes one is not a changed one
_SEEDS = 1 << 31


@dataclass(frozen=True, slots=True)
class Fuzz:
    """The result of `fuzz`.

    Attributes:
        report: what was found so far, also in earlier searches that were gone on with.
        folder: where corpus, findings and state are.

    Example:
        >>> case = macproof.load_case("examples/bounce")
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O2"])
        >>> found = macproof.fuzz(case, programs, folder="found", executions=64, jobs=1)
        >>> found.document.title
        'Balls between two walls: scenes that are changed at random'
    """

    report: FuzzReport
    folder: Path

    @property
    def verdict(self) -> str:
        """The verdict: "failures found", "nothing found" or "nothing tried"."""
        return self.report.verdict

    @property
    def document(self) -> Document:
        """The result as a document, which is shown on a terminal, as Markdown, HTML or JUnit."""
        return fuzz_document(self.report, self.folder)

    def to_json(self) -> str:
        """The report as JSON text, as ``macproof fuzz --json`` writes it."""
        return to_json(self.report, self.document.schema)


def usual_programs(case: Case) -> Selection:
    """The programs that are run if none are asked for: one build on each processor."""
    return programs_of(case, builds=[case.usual_build()] if case.program is None else None)


def fuzz(
    case: Case | Path | str,
    programs: Selection | None = None,
    *,
    folder: Path | str,
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
) -> Fuzz:
    """Look for scenes on which programs fail.

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        programs: the programs, from `programs_of`; None is one build on each processor.
        folder: where corpus, findings and state are kept. If there is a state, the search goes on.
        executions: after how many scenes no new round begins; each is run on all programs, and a
            round has 128.
        seconds: the processor time after which no new round begins.
        seed: the seed of chance, and of the scenes that it begins with.
        scenes: how many scenes of the case it begins with; None is one of each kind.
        objects: numbers of objects in these; None is the case's own.
        within: whether scenes are left out that the reference refuses.
        checks: "full" checks every access to memory, too.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        command: a command line that does the same, one string for each word.
        on_progress: called with the numbers of executions and of findings so far.

    Returns:
        What was found. The folder has it, too.

    Raises:
        UsageError: the folder is of another search; or no scene can be run.
        CaseError, ToolMissingError, CompileError: as of `verify`.
        InputError: a file in the folder is damaged.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O2"])
        >>> found = macproof.fuzz(case, programs, folder="found", executions=64, within=True)
        >>> found.verdict
        'nothing found'
    """
    case, folder = load_case(case), Path(folder)
    selection = usual_programs(case) if programs is None else programs
    executions = whole_number(executions, "executions", 1)
    kinds = len(case.generators) * len(objects or case.objects)
    count = kinds if scenes is None else whole_number(scenes, "scenes")
    begin = [
        spec for spec in plan_scenes(case, count, seed, objects) if spec.fill is Fill.LOADED
    ] or plan_scenes(case, 1, seed, objects)[:1]
    guide = guide_of(selection)
    setting = Setting(
        SearchBasis.of(case, seed),
        tuple(
            SearchedProgram(built.cpu, built.build, built.sha256) for built in selection.executed
        ),
        tuple(begin),
        within,
        checks,
        "" if guide is None else guide.sha256,
    )
    with GuestWorkers(jobs) as workers:
        words = strings(command, "command")
        search = _Search(selection, FuzzFolder(folder), setting, workers, words, guide=guide)
        search.resume()
        while search.may_go_on(executions, seconds):
            search.round()
            on_progress(search.done, len(search.findings))
        return Fuzz(search.report(), folder)


@dataclass(slots=True, eq=False)
class _Search:
    """The state of a search."""

    selection: Selection
    folder: FuzzFolder
    setting: Setting
    workers: Workers
    command: tuple[str, ...]
    rounds: int = 0
    before: int = 0
    done: int = 0
    changed: int = 0
    refused: int = 0
    seconds: float = 0.0
    spent: float = 0.0
    corpus: list[ChangedScene] = field(default_factory=list)
    made: dict[int, Scene] = field(default_factory=dict)
    translated: int = 0
    features: set[int] = field(default_factory=set)
    findings: list[FoundScene] = field(default_factory=list)
    known: set[tuple[int, str, str, bool]] = field(default_factory=set)
    numbers: tuple[int, ...] = ()
    pairs: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    guide: Subject | None = None
    terms: FuzzTerms = field(init=False)

    @property
    def case(self) -> Case:
        return self.selection.case

    def resume(self) -> None:
        """Take up the state in the folder, or begin with the scenes of the setting."""
        subjects = self.selection.subjects
        constants = {
            n for subject in subjects for n in numbers_of(subject.read(), CPUS[subject.cpu])
        }
        self.numbers = tuple(sorted(constants))
        is_checked = is_full(self.setting.checks)
        self.terms = FuzzTerms(self.setting.within, is_checked, guide=self.guide)
        state, corpus = self.folder.read(self.setting)
        if state is None:
            self._take([ChangedScene(spec) for spec in self.setting.scenes])
            if not self.corpus and not self.findings:
                raise UsageError(f"none of the first {self.done} scenes of {self.case.name} runs")
            self.folder.write(self.report())
            return
        self.rounds, self.done, self.refused = state.rounds, state.executions, state.refused
        self.changed, self.translated = state.changed, state.translated
        self.before, self.seconds = state.executions, state.seconds
        self.findings = list(state.findings)
        names = [program.name for program in self.setting.programs]
        for finding in self.findings:
            self.known.add(Suspicion(names.index(finding.program), finding.symptom).key)
        self.corpus = corpus
        executions = self._run(corpus)
        self.terms = terms_after(self.terms, executions)
        for execution in executions:
            self.features |= execution.features
            self.pairs.append(execution.pairs)

    def may_go_on(self, executions: int, seconds: float) -> bool:
        """Whether there is another round in the budget of this run."""
        return self.done - self.before < executions and self.spent < seconds

    def round(self) -> None:
        """Change scenes of the corpus, and run them."""
        begins = time.process_time()
        random = np.random.Generator(np.random.PCG64([self.setting.basis.seed, self.rounds]))
        mutator = Mutator(self.case, self.numbers, random)
        scenes = [self._changed(mutator, random) for _ in range(_ROUND)]
        self.rounds += 1
        self._spend(time.process_time() - begins)
        self._take(scenes)
        self.folder.write(self.report())

    def _changed(self, mutator: Mutator, random: np.random.Generator) -> ChangedScene:
        """A changed scene of the corpus, as it was if its class refuses every change.

        Now and then it is a scene as the case makes them: one of another kind may have fields that
        none of the corpus has.
        """
        if int(random.integers(_FRESH)) == 0:
            generator = self.case.generators[int(random.integers(len(self.case.generators)))]
            size = self.case.objects[int(random.integers(len(self.case.objects)))]
            return ChangedScene(SceneSpec(generator, size, int(random.integers(_SEEDS))))
        pool = self.corpus or [ChangedScene(spec) for spec in self.setting.scenes]
        chosen = int(random.integers(len(pool)))
        parent, pairs = pool[chosen], self.pairs[chosen] if self.corpus else ()
        second = int(random.integers(len(pool)))
        fills = Fill.of_changed(self.case)
        spec = replace(parent.spec, fill=fills[int(random.integers(len(fills)))])
        for _ in range(10):
            try:
                scene = mutator.change(
                    self._corpus_scene(chosen), self._corpus_scene(second), pairs
                )
                return changed_of(self.case, spec, scene)
            except UsageError:
                continue
        return parent

    def _corpus_scene(self, number: int) -> Scene:
        """A scene of the corpus, made once; of the setting's, as long as there is no corpus."""
        if not self.corpus:
            return ChangedScene(self.setting.scenes[number]).make(self.case)
        if number not in self.made:
            self.made[number] = self.corpus[number].make(self.case)
        return self.made[number]

    def _take(self, scenes: Sequence[ChangedScene]) -> None:
        """Run scenes; keep those that execute something new, and what is found."""
        executions = self._run(scenes)
        if not self.rounds:
            self.terms = terms_after(self.terms, executions)
        for scene, execution in zip(scenes, executions, strict=True):
            self.done += 1
            self.changed += bool(scene.fields) and execution.is_scene
            self.refused += not execution.is_scene
            self.translated += execution.is_translated
            self._spend(execution.seconds)
            for suspicion in execution.suspicions:
                if suspicion.key not in self.known:
                    self.known.add(suspicion.key)
                    self._settle(scene, suspicion)
            if not execution.suspicions and execution.features - self.features:
                self.features |= execution.features
                self.folder.keep(len(self.corpus), scene)
                self.corpus.append(scene)
                self.pairs.append(execution.pairs)

    def _run(self, scenes: Sequence[ChangedScene]) -> list[Execution]:
        """Run scenes on all programs in worker processes; the results are in their order."""
        pieces = [scenes[start : start + _PIECE] for start in range(0, len(scenes), _PIECE)]
        case, subjects = self.case, self.selection.subjects
        calls = [(case.known_case, subjects, piece, self.terms) for piece in pieces]
        executions = dict(self.workers.each(execute_all, calls))
        return [execution for index in range(len(pieces)) for execution in executions[index]]

    def _settle(self, scene: ChangedScene, suspicion: Suspicion) -> None:
        """Make sure of something, make its scene smaller, and keep it."""
        case, subjects = self.case, self.selection.subjects
        arguments = (case.known_case, subjects, scene, suspicion, self.terms)
        smallest = self.workers.once(settle, *arguments, alone=_settle_apart)
        self._spend(smallest.seconds)
        shown, subject = smallest.suspicion, subjects[suspicion.subject]
        if shown is None:
            return
        finding = make_finding(
            case,
            self.selection.executed[suspicion.subject],
            subject,
            smallest.scene,
            shown.symptom,
            objects=smallest.objects,
            executions=self.done,
            seconds=round(self.seconds, 3),
            command=self.command,
        )
        self.findings.append(self.folder.keep_finding(len(self.findings), finding))

    def _spend(self, seconds: float) -> None:
        self.seconds += seconds
        self.spent += seconds

    def report(self) -> FuzzReport:
        """What was found so far."""
        return FuzzReport(
            verdict=verdict_of(len(self.findings), self.changed),
            setting=self.setting,
            rounds=self.rounds,
            executions=self.done,
            changed=self.changed,
            refused=self.refused,
            translated=self.translated,
            seconds=round(self.seconds, 3),
            corpus=len(self.corpus),
            features=len(self.features),
            findings=tuple(self.findings),
            command=self.command,
            unwatched=UnwatchedMemory.of(self.case),
        )


def _settle_apart(*arguments: Any) -> SuspicionResult:
    return run_apart(settle, *arguments)
