"""Joins marks to the functions and variables that they stand above.

The debugging information of the compiled sources says in which line each definition stands. So no C
is parsed; of the text between a mark and a definition only braces and semicolons are looked at, so
that a mark above something that was not compiled does not go to the next definition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from emu.base.errors import CaseError
from emu.port.model import GLOBAL, ClaimedFunction, ClaimedGlobal, Claims, Mark
from emu.port.project.marked_text import MarkedText
from emu.port.project.marks import read_marks
from emu.port.project.places import require_places
from emu.port.project.project import Project
from emu.port.project.unit_declarations import unit_declarations
from emu.program.elf.declarations import (
    FUNCTION,
    VARIABLE,
    ObjectDeclarations,
    SourceDeclaration,
)
from emu.program.functions.model import ProgramFunctions
from emu.toolchain.programs.callable_functions import MAIN

_HEADERS = (".h", ".hpp")


def read_claims(
    project: Project,
    objects: Iterable[bytes],
    functions: ProgramFunctions | None = None,
) -> Claims:
    """Read what the sources of a port claim to be.

    Args:
        project: the port.
        objects: its sources, compiled with debugging information and not linked.
        functions: the functions of the old program; None to find them here.

    Raises:
        CaseError: a mark is wrong, has no definition, or names a place that is none of a function
            or variable; or two marks contradict each other. The message names file and line.
        ProgramError: the old program or an object file is damaged.
    """
    marks = read_marks(project.marked_files)
    claims = join(marks, [unit_declarations(image, project.path) for image in objects])
    require_places(project, claims, functions)
    return claims


def join(marks: Sequence[Mark], objects: Sequence[ObjectDeclarations]) -> Claims:
    """Join marks to the definitions that they stand above or name.

    Raises:
        CaseError: as of `read_claims`, but for places.
    """
    sources = _Sources(objects)
    found = [(mark, sources.declaration(mark)) for mark in marks]
    functions = [_function(mark, one) for mark, one in found if mark.kind != GLOBAL]
    variables = [_variable(mark, one) for mark, one in found if mark.kind == GLOBAL]
    return Claims(_by_name(functions), _without_repetition(variables))


@dataclass(frozen=True, slots=True)
class _Found:
    """What a mark stands for; without a file, something that is only named."""

    name: str
    symbol: str
    file: Path
    line: int
    size: int = 0
    is_defined: bool = False


class _Sources:
    """The definitions and declarations of all sources, by files and by names."""

    def __init__(self, objects: Sequence[ObjectDeclarations]) -> None:
        self._by_file: dict[PurePosixPath, dict[tuple[str, int, str], SourceDeclaration]] = (
            defaultdict(dict)
        )
        self._outside = frozenset[str]().union(*(one.outside for one in objects))
        for one in objects:
            for declared in one.declarations:
                self._add(declared)
        self._texts: dict[Path, MarkedText] = {}

    def _add(self, declared: SourceDeclaration) -> None:
        """Keep the one that says most of what several objects say of one line."""
        lines = self._by_file[declared.file]
        key = (declared.kind, declared.line, declared.name)
        other = lines.get(key)
        if other is None or (declared.is_defined, declared.size) > (other.is_defined, other.size):
            lines[key] = declared

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str], list[SourceDeclaration]]:
        """The definitions of each kind and name; declarations where there are no definitions."""
        named: dict[tuple[str, str], list[SourceDeclaration]] = defaultdict(list)
        for lines in self._by_file.values():
            for declared in lines.values():
                named[declared.kind, declared.name].append(declared)
        return {
            key: [one for one in all_ if one.is_defined] or all_[:1] for key, all_ in named.items()
        }

    def declaration(self, mark: Mark) -> _Found:
        """What a mark stands above, or names.

        Raises:
            CaseError: there is nothing, or more than one.
        """
        kind = VARIABLE if mark.kind == GLOBAL else FUNCTION
        if mark.name:
            return self._named(mark, kind, mark.name)
        text = self._texts.get(mark.file) or self._texts.setdefault(
            mark.file, MarkedText(mark.file)
        )
        following = [
            one
            for file in self._same_file(mark.file)
            for one in self._by_file[file].values()
            if one.kind == kind and one.line >= mark.line
        ]
        first = min((one.line for one in following), default=0)
        if first and text.is_open(mark.line, first, is_function=kind == FUNCTION):
            return self._one_of(mark, [one for one in following if one.line == first])
        name = text.declared_name(mark)
        is_declared = name and not text.statement(mark.line).endswith("{")
        if not is_declared or not self._may_be_absent(mark, kind, name):
            raise _error(
                mark,
                f"no {kind} is compiled below the mark {mark.kind}: {mark.place}",
                "Put it right above a definition, or write a name behind the place.",
            )
        return self._named(mark, kind, name)

    def _may_be_absent(self, mark: Mark, kind: str, name: str) -> bool:
        """Whether a name can be that of a declaration of which no debugging information tells.

        None does if nothing uses it.
        """
        known = (kind, name) in self._by_name or name in self._outside
        return known or mark.file.suffix.lower() in _HEADERS

    def _one_of(self, mark: Mark, declared: Sequence[SourceDeclaration]) -> _Found:
        """The declaration in a line, if it is the only one."""
        declared = [one for one in declared if one.is_defined] or declared
        names = sorted({one.name for one in declared})
        if len(names) > 1:
            raise _error(
                mark,
                f"{' and '.join(names)} stand in the line below the mark, {declared[0].line}",
                "Give each a line of its own.",
            )
        one = declared[0]
        definitions = self._by_name[one.kind, one.name]
        if not one.is_defined and len(definitions) == 1:
            one = replace(definitions[0], file=one.file, line=one.line)
        return _Found(one.name, one.symbol, mark.file, one.line, one.size, one.is_defined)

    def _named(self, mark: Mark, kind: str, name: str) -> _Found:
        declared = self._by_name.get((kind, name), [])
        in_own_file = [one for one in declared if one.file.name == mark.file.name]
        declared = in_own_file if len(in_own_file) == 1 else declared
        if len(declared) > 1:
            files = " and ".join(sorted({one.file.name for one in declared}))
            raise _error(mark, f"{files} each define {name}", "Put a mark above each of them.")
        if not declared:
            return _Found(name, name, mark.file, mark.line, mark.size)
        (one,) = declared
        return _Found(name, one.symbol, mark.file, mark.line, one.size, one.is_defined)

    def _same_file(self, path: Path) -> list[PurePosixPath]:
        """The names by which a file was compiled: those that end most like its path."""
        common = {
            file: _common_end(file.parts, path.parts)
            for file in self._by_file
            if file.name == path.name
        }
        most = max(common.values(), default=0)
        return [file for file, count in common.items() if count == most]


def _common_end(first: Sequence[str], second: Sequence[str]) -> int:
    count = 0
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if one != other:
            break
        count += 1
    return count


def _function(mark: Mark, found: _Found) -> ClaimedFunction:
    return ClaimedFunction(
        "main" if found.name == MAIN else found.name,
        found.symbol,
        mark.kind,
        mark.place,
        found.file,
        found.line,
        found.is_defined,
    )


def _variable(mark: Mark, found: _Found) -> ClaimedGlobal:
    size = found.size or mark.size
    return ClaimedGlobal(found.name, found.symbol, mark.place, found.file, found.line, size)


def _by_name(functions: Sequence[ClaimedFunction]) -> dict[str, ClaimedFunction]:
    """The functions by their names; of two static ones of a name each also has its file's.

    Raises:
        CaseError: two are at one place, or one is at two.
    """
    places: dict[str, ClaimedFunction] = {}
    for function in functions:
        other = places.setdefault(function.place, function)
        if other.symbol != function.symbol or (
            other is not function
            and other.is_defined
            and function.is_defined
            and other.file != function.file
        ):
            raise CaseError(
                function.file,
                f"{function.name} has the place {function.place} of {other.name} "
                f"({other.file.name}, line {other.line})",
                where=f"line {function.line}",
                remedy="One function of the old program is one of the new.",
            )
        if function.is_defined and not other.is_defined:
            places[function.place] = function
    counts: dict[str, list[ClaimedFunction]] = defaultdict(list)
    for function in places.values():
        counts[function.name].append(function)
    named: dict[str, ClaimedFunction] = {}
    for name, same in counts.items():
        for function in same:
            other = named.setdefault(
                name if len(same) == 1 else f"{function.file.name}:{name}", function
            )
            if other is not function:
                raise CaseError(
                    function.file,
                    f"{name} has two places, {function.place} and {other.place} "
                    f"({other.file.name}, line {other.line})",
                    where=f"line {function.line}",
                )
    return {key: replace(function, name=key) for key, function in named.items()}


def _without_repetition(variables: Sequence[ClaimedGlobal]) -> tuple[ClaimedGlobal, ...]:
    """The variables, each once; one may have marks at its definition and in a header.

    Raises:
        CaseError: two have one place, or one has two.
    """
    by_place: dict[str, ClaimedGlobal] = {}
    for variable in variables:
        other = by_place.get(variable.place)
        if other is not None and other.symbol != variable.symbol:
            raise CaseError(
                variable.file,
                f"{variable.name} has the place {variable.place} of {other.name} "
                f"({other.file.name}, line {other.line})",
                where=f"line {variable.line}",
            )
        if other is None or variable.size > other.size:
            by_place[variable.place] = variable
    by_symbol: dict[tuple[str, Path], ClaimedGlobal] = {}
    for variable in by_place.values():
        other = by_symbol.setdefault((variable.symbol, variable.file), variable)
        if other is not variable:
            raise CaseError(
                variable.file,
                f"{variable.name} has two places, {other.place} (line {other.line}) and "
                f"{variable.place}",
                where=f"line {variable.line}",
            )
    return tuple(by_place.values())


def _error(mark: Mark, problem: str, remedy: str = "") -> CaseError:
    return CaseError(mark.file, problem, where=f"line {mark.line}", remedy=remedy)
