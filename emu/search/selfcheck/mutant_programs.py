"""Makes the programs of mutants: from changed sources, by the compiler."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CaseError, CompileError
from emu.base.processes.workers import Workers
from emu.cases.case import Case
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.program import read_program
from emu.search.selfcheck.broken_sources import routine_sources, texts_of, with_changes
from emu.search.selfcheck.equivalent import Equivalents
from emu.search.selfcheck.fates import Fate, MutantFate, ProgramFate
from emu.search.selfcheck.mutant import Mutant
from emu.search.selfcheck.source_mutants import MARK, TRAP, beginnings_of, mutants_of
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.programs.gcc import BuiltProgram, compile_program
from emu.toolchain.sources import Sources

_ABSENT = ProgramFate(Fate.ABSENT, "the program does not have the function")


@dataclass(frozen=True, slots=True)
class MadeMutant:
    """A mutant, and by the names of the routine's programs what was made of each with it.

    That is a program to be run, or what became of it already.
    """

    mutant: Mutant
    programs: Mapping[str, Subject | ProgramFate]

    def tried(self, judged: Mapping[Subject, ProgramFate]) -> MutantFate:
        """What became of it, once every program has been run."""
        return MutantFate(
            self.mutant,
            {
                name: judged[program] if isinstance(program, Subject) else program
                for name, program in self.programs.items()
            },
        )


@dataclass(frozen=True, slots=True)
class FromSources:
    """The sources of a case, compiled with and without changes.

    Attributes:
        case: the case.
        sources: its sources.
        originals: the programs of the routine itself.
    """

    case: Case
    sources: Sources
    originals: tuple[BuiltProgram, ...]

    @classmethod
    def of(cls, selection: Selection) -> FromSources:
        """The sources of some programs, which are compiled again with only what they need.

        Raises:
            ToolMissingError, CompileError, CaseError, UsageError: as of `compile_program`.
        """
        case = selection.case
        sources = routine_sources(case, selection.source)
        built = tuple(
            compile_program(
                sources, case.builds[built_program.build], ALL_TARGETS[built_program.cpu]
            )
            for built_program in selection.built
        )
        return cls(case, sources, built)

    @property
    def subjects(self) -> list[Subject]:
        """The programs of the routine itself, ready to be run."""
        return [self._subject(original) for original in self.originals]

    @property
    def has_mutants(self) -> bool:
        """Whether there is anything in C or C++."""
        return bool(texts_of(self.sources))

    def mutants(self, workers: Workers) -> list[Mutant]:
        """All mutants, in the order of the text."""
        return mutants_of(texts_of(self.sources))

    def runs(self, mutant: Mutant) -> int:
        """How many programs are made with a mutant."""
        return len(self.originals)

    def make(
        self,
        mutants: Sequence[Mutant],
        equivalents: Equivalents,
        jobs: int,
        on_progress: Callable[[int], None],
    ) -> list[MadeMutant]:
        """Compile mutants for each processor and build.

        Those in functions that a program does not have, and those that another case has of its
        own, are not compiled for it.

        Args:
            mutants: the mutants.
            equivalents: names the sources that have another case.
            jobs: how many compilers run at a time.
            on_progress: called with 1 when a program has been made.
        """

        def program_of(mutant: Mutant, built: BuiltProgram) -> Subject | ProgramFate:
            try:
                other = equivalents.elsewhere.get(mutant.file)
                if other is not None and built.cpu in other.cpus:
                    return ProgramFate(Fate.ELSEWHERE, f"{other.name}: {other.reason}")
                is_absent = (mutant.place, built.path) in absent
                return _ABSENT if is_absent else self._program_of(mutant, built)
            finally:
                on_progress(1)

        with ThreadPoolExecutor(jobs) as pool:
            functions = dict.fromkeys(mutant.place for mutant in mutants)
            places = [(function, original) for function in functions for original in self.originals]
            answers = list(pool.map(lambda place: self._is_absent(*place), places))
            absent = {
                (function, built.path)
                for (function, built), answer in zip(places, answers, strict=True)
                if answer
            }
            pairs = [(mutant, original) for mutant in mutants for original in self.originals]
            programs = iter(list(pool.map(lambda pair: program_of(*pair), pairs)))
        names = [subject.name for subject in self.subjects]
        return [MadeMutant(mutant, {name: next(programs) for name in names}) for mutant in mutants]

    def uncalled(self, equivalents: Equivalents) -> tuple[list[Subject], list[str]]:
        """Programs in which functions that are never called have a trap at their beginning.

        Args:
            equivalents: names these functions.

        Returns:
            The programs, and the functions that there are not, in words.
        """
        every = beginnings_of(texts_of(self.sources), TRAP)
        traps = [mutant for mutant in every if mutant.place in equivalents.uncalled]
        missing = equivalents.uncalled.keys() - {trap.place for trap in traps}
        changed = with_changes(self.sources, traps)
        built = [self._compile(changed, original) for original in self.originals if traps]
        return (
            [self._subject(built_program) for built_program in built],
            [f"there is no such function: {name}" for name in sorted(missing)],
        )

    def _is_absent(self, function: str, original: BuiltProgram) -> bool:
        """Whether a program has nothing of a function: it is the same with a mark in it."""
        every = beginnings_of(texts_of(self.sources), MARK)
        marks = [mutant for mutant in every if mutant.place == function]
        try:
            built = self._compile(with_changes(self.sources, marks), original)
        except (CompileError, CaseError):
            return False
        return bool(marks) and _code_digest(built.path) == _code_digest(original.path)

    def _program_of(self, mutant: Mutant, original: BuiltProgram) -> Subject | ProgramFate:
        try:
            built = self._compile(with_changes(self.sources, [mutant]), original)
        except (CompileError, CaseError) as error:
            return ProgramFate(Fate.INVALID, error.problem.strip().splitlines()[-1])
        if _code_digest(built.path) == _code_digest(original.path):
            return ProgramFate(Fate.IDENTICAL)
        return self._subject(built)

    def _compile(self, sources: Sources, like: BuiltProgram) -> BuiltProgram:
        return compile_program(sources, self.case.builds[like.build], ALL_TARGETS[like.cpu])

    def _subject(self, built: BuiltProgram) -> Subject:
        subject = Subject(built.cpu, built.build, built.path, sha256=built.sha256)
        return subject.of_case(self.case)


@functools.lru_cache(maxsize=16)
def _code_digest(program: Path) -> str:
    """A digest of what gets into memory of a program, which debugging information does not."""
    summary = hashlib.sha256()
    for segment in read_program(program).segments:
        summary.update(f"{segment.address} {segment.size} {len(segment.data)} ".encode())
        summary.update(segment.data)
    return summary.hexdigest()
