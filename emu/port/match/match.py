"""Proposes the places of all functions and globals that a port's sources define."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import CompileError
from emu.port.match.answer import (
    CERTAIN,
    MARKED,
    NAMED,
    NONE,
    UNCERTAIN,
    MatchReport,
    Proposal,
)
from emu.port.match.functions import FunctionMatch, FunctionMatching
from emu.port.match.globals import GlobalPlaces, is_sure
from emu.port.match.library_routines import LibraryMatch, library_matches
from emu.port.match.names import Key, PortFile, PortNames
from emu.port.model import FUNCTION, GLOBAL, LIBRARY, Claims
from emu.port.project.claims import join
from emu.port.project.marks import read_marks
from emu.port.project.project import Project
from emu.port.source_functions import source_objects
from emu.program.declarations.places import find_data, find_routine, has_data
from emu.program.elf.declarations import SourceDeclaration
from emu.program.functions.find_functions import known_functions
from emu.program.functions.matched_globals import MatchedGlobal
from emu.program.functions.model import ProgramFunction, ProgramFunctions
from emu.program.functions.program_memory import ProgramMemory
from emu.program.model.model import Program
from emu.toolchain.mac_c.named_headers import Prefix
from emu.toolchain.programs.callable_functions import MAIN

_ROUNDS = 4
_SETTLED = 0.1
"""Functions placed with such a margin tell of others in the next round."""


@dataclass(frozen=True, slots=True)
class MatchSources:
    """The sources that places are looked for.

    Attributes:
        files: C and C++ files.
        folder: the folder from which files are named.
        headers: files besides that may define something.
        marks: CSV files with marks.
        include: further folders with headers.
        prefix: the headers that each file begins with.
        flags: further flags of the compiler.
    """

    files: tuple[Path, ...]
    folder: Path
    headers: tuple[Path, ...] = ()
    marks: tuple[Path, ...] = ()
    include: tuple[Path, ...] = ()
    prefix: tuple[Prefix, ...] = ()
    flags: tuple[str, ...] = ()

    @classmethod
    def of(cls, project: Project) -> MatchSources:
        """The sources of a port."""
        marked = project.marked_files
        return cls(
            project.sources,
            project.folder,
            tuple(one for one in marked if one not in (*project.sources, *project.marks)),
            project.marks,
            project.include,
            project.prefix,
            project.flags,
        )

    @property
    def marked(self) -> tuple[Path, ...]:
        """The files that may have marks."""
        return (*self.files, *self.headers, *self.marks)

    def named(self) -> dict[str, Path]:
        """All files by the names that proposals have."""
        return {self.name(path): path for path in (*self.files, *self.headers)}

    def name(self, path: Path) -> str:
        """The name of a file in proposals."""
        return str(path.relative_to(self.folder) if path.is_relative_to(self.folder) else path)

    def name_of(self, source: Path, declared: SourceDeclaration) -> str:
        """The name of the file with a definition: a source, or a header that it includes."""
        if declared.file.name == source.name:
            return self.name(source)
        every = (*self.files, *self.headers)
        found = [path for path in every if path.name == declared.file.name]
        return self.name(found[0]) if len(found) == 1 else str(declared.file)


def match(program: Program, sources: MatchSources) -> MatchReport:
    """Propose places for what the sources define.

    Args:
        program: the old program; its names are used where it has any.
        sources: the sources. One that cannot be compiled is left out, and told.

    Raises:
        CaseError: a mark in the sources is wrong.
        ProgramError: no functions can be looked for in the program.
        ToolMissingError: there is no compiler.
        UsageError: a source is not there.
    """
    started = time.monotonic()
    files, problems = _compiled(sources, program.architecture)
    old = known_functions(program)
    objects = [file.objects[0].declarations for file in files]
    claims = join(read_marks(sources.marked), objects)
    matching = _Matching(files, old, claims, sources)
    return replace(
        matching.report(), not_compiled=tuple(problems), seconds=time.monotonic() - started
    )


def without_names(program: Program) -> Program:
    """A program whose functions have no names, to see how good proposals are."""
    return replace(program, symbols=[one for one in program.symbols if one.kind != "function"])


def _compiled(sources: MatchSources, architecture: str) -> tuple[list[PortFile], list[str]]:
    """The sources that can be compiled, and what is wrong with the others."""

    def compiled(path: Path) -> PortFile | str:
        try:
            objects = source_objects(
                path, architecture, sources.include, sources.prefix, sources.flags
            )
        except CompileError as error:
            first = next((line for line in str(error).splitlines() if "error:" in line), "")
            return first or f"{path.name}: {str(error).splitlines()[0]}"
        return PortFile(path, tuple(objects))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(compiled, sources.files))
    files = [one for one in found if isinstance(one, PortFile)]
    return files, [one for one in found if isinstance(one, str)]


class _Matching:
    """The functions and globals of a port, each with what was found."""

    def __init__(
        self,
        files: Sequence[PortFile],
        old: ProgramFunctions,
        claims: Claims,
        sources: MatchSources,
    ) -> None:
        self._files = files
        self._sources = sources
        self._old = old
        self._memory = ProgramMemory(old.program)
        self._names = PortNames(files)
        self._marks = dict(self._marked(claims))
        self._by_name = dict(self._named())
        self._known = {**self._by_name, **self._marks}
        self._functions: dict[Key, FunctionMatch] = {}
        self._globals: dict[Key, MatchedGlobal] = {}
        self._marked_globals = dict(self._marked_variables(claims))
        self._library = {c.name: c.place for c in claims.functions.values() if c.kind == LIBRARY}
        self._match()

    def _match(self) -> None:
        matching = FunctionMatching(self._files, self._names, self._old, self._known)
        globals_ = GlobalPlaces(self._files, self._names, self._marked_globals)
        functions, variables = dict(self._known), dict(self._marked_globals)
        for _ in range(_ROUNDS):
            self._functions = matching.matches(functions, variables, globals_.sizes(0))
            self._globals = globals_.matches(
                {key: one.function for key, one in self._functions.items()}
            )
            functions = {
                key: one.function.address
                for key, one in self._functions.items()
                if key in self._known or one.margin >= _SETTLED
            }
            variables = {
                key: one.candidates[0].address
                for key, one in self._globals.items()
                if is_sure(one) or key in self._marked_globals
            }

    def report(self) -> MatchReport:
        """What is proposed."""
        return MatchReport(
            original=self._old.program.path.name,
            functions_of_original=len(self._old.functions),
            proposals=tuple(self._proposals()),
            contradictions=tuple(self._contradictions()),
        )

    def _proposals(self) -> Iterator[Proposal]:
        placed = {key: one.function for key, one in self._functions.items()}
        for match in library_matches(
            self._files, self._old, placed, self._library, self._names.external
        ):
            yield self._library_proposal(match)
        for file in self._files:
            for one in file.definitions:
                key = self._names.key(file, one)
                if key[0] != file.path:
                    continue
                if one.kind == "function":
                    yield self._function(file, key, one)
                else:
                    yield self._variable(file, key, one)

    @property
    def _has_its_names(self) -> bool:
        """Whether the sources call most functions as the original does."""
        return 2 * len(self._by_name) > len(self._functions)

    def _library_proposal(self, match: LibraryMatch) -> Proposal:
        """The code for a routine of the Toolbox, at the first function that calls it."""
        path, name = match.caller
        file = next(one for one in self._files if one.path == path)
        caller = next(one for one in file.definitions if one.name == name)
        return replace(
            self._empty(file, caller),
            kind=LIBRARY,
            name=match.name,
            place=match.function.place,
            certainty=NAMED if match.function.name else CERTAIN,
            support=match.callers,
            reason=match.reason,
        )

    def _empty(self, file: PortFile, one: SourceDeclaration) -> Proposal:
        """A definition without a place."""
        kind = FUNCTION if one.kind == "function" else GLOBAL
        name, path = source_text_name(one.name), self._sources.name_of(file.path, one)
        return Proposal(kind, name, path, one.line, "", NONE)

    def _function(self, file: PortFile, key: Key, one: SourceDeclaration) -> Proposal:
        found = self._functions.get(key)
        empty = self._empty(file, one)
        if found is None:
            return replace(empty, reason="nothing there is like it")
        is_certain = found.is_certain and not (found.function.name and self._has_its_names)
        certainty = CERTAIN if is_certain else UNCERTAIN
        reason = f"traits in common count {found.support:.0f}, margin {found.margin:.1f}"
        if key in self._known:
            certainty = MARKED if key in self._marks else NAMED
        elif certainty == UNCERTAIN:
            reason = _why_uncertain(found)
            if found.is_certain:
                reason = f"the original names it {found.function.name}"
        rival = found.rival
        return replace(
            empty,
            place=found.function.place,
            certainty=certainty,
            support=round(found.score, 2),
            next_place=rival.place if rival is not None else "",
            next_support=round(found.rival_score, 2),
            reason=reason,
        )

    def _variable(self, file: PortFile, key: Key, one: SourceDeclaration) -> Proposal:
        found = self._globals.get(key)
        empty = self._empty(file, one)
        if found is None:
            return replace(empty, reason="no use fits a free place")
        first, *others = found.candidates
        # A layout can lead beyond the data, where no mark may say that a variable lies.
        if not has_data(self._old.program, first.address, max(one.size, 1)):
            return replace(empty, reason="its file's layout leads beyond the data")
        certainty = CERTAIN if is_sure(found) else UNCERTAIN
        if key in self._marked_globals:
            certainty = MARKED
        uses = "use fits" if first.votes == 1 else "uses fit"
        reason = f"{first.votes:g} {uses}"
        if found.layout is not None:
            reason += (
                f"; the layout of its file has {found.layout[0]:g}, the next {found.layout[1]:g}"
            )
        elif certainty == UNCERTAIN:
            reason += ", too few"
        return replace(
            empty,
            place=self._memory.place(first.address),
            certainty=certainty,
            support=first.votes,
            next_place=self._memory.place(others[0].address) if others else "",
            next_support=others[0].votes if others else 0.0,
            reason=reason,
        )

    def _contradictions(self) -> Iterator[str]:
        for key in self._known:
            found = self._functions.get(key)
            if found is not None and found.is_contradicted and found.rival is not None:
                what = "the mark" if key in self._marks else "the name"
                yield (
                    f"{key[0].name}: {source_text_name(key[1])} is at {found.function.place} by "
                    f"{what}, but is far more like {found.rival.place} "
                    f"({found.rival_score:.2f}, not {found.score:.2f})"
                )
        for key in self._marked_globals:
            variable = self._globals.get(key)
            if variable is not None and variable.is_contradicted:
                first, other = variable.candidates
                yield (
                    f"{key[0].name}: {key[1]} is at {self._memory.place(first.address)} by the "
                    f"mark, but {other.votes:g} uses are for "
                    f"{self._memory.place(other.address)}, and {first.votes:g} for the mark"
                )

    def _keys(self, kind: str) -> Iterator[tuple[Key, SourceDeclaration]]:
        for file in self._files:
            for one in file.definitions:
                if one.kind == kind:
                    yield self._names.key(file, one), one

    def _named(self) -> Iterator[tuple[Key, int]]:
        """Functions whose names the old program has; Pascal's are in capitals there."""
        old: dict[str, list[ProgramFunction]] = {}
        for function in self._old.functions:
            if function.name:
                old.setdefault(function.name.casefold(), []).append(function)
        keys = [(source_text_name(key[1]).casefold(), key) for key, _ in self._keys("function")]
        counts = Counter(name for name, _ in keys)
        for name, key in keys:
            if counts[name] == 1 and len(old.get(name, ())) == 1:
                yield key, old[name][0].address

    def _marked(self, claims: Claims) -> Iterator[tuple[Key, int]]:
        by_place = {(claim.file, claim.symbol): claim.place for claim in claims.functions.values()}
        for key, one in self._keys("function"):
            place = by_place.get((key[0], one.symbol))
            if place is not None:
                yield key, find_routine(self._old.program, place)

    def _marked_variables(self, claims: Claims) -> Iterator[tuple[Key, int]]:
        by_place = {(claim.name, claim.file.name): claim.place for claim in claims.globals}
        for key, one in self._keys("variable"):
            place = by_place.get((one.name, one.file.name))
            if place is not None:
                yield key, find_data(self._old.program, place)


def source_text_name(name: str) -> str:
    """The name that a source has for a function; the compiler's main has another."""
    return "main" if name == MAIN else name


def _why_uncertain(found: FunctionMatch) -> str:
    if found.rival is not None and found.margin < _SETTLED:
        return "the next is nearly as good"
    if found.twin:
        return f"{found.twin} is as much like it, and has no place"
    if found.support < 1:
        return "nothing rare in common"
    return "too little alike"
