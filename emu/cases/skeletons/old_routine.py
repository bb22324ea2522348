"""Makes a routine of an old program the reference of a new case.

What the old program does not tell is found out as far as its code shows it: how the routine is
called, where the globals lie that the source's function works on, and whether the start-up code has
to run before. What is not certain is marked CHANGE, with what else it may be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.yaml_document import did_you_mean
from emu.cases.programs.mac_headers import header_of
from emu.cases.skeletons.convention import Recognition, recognise_convention
from emu.cases.skeletons.function import CParameter, CPrototype, Part
from emu.cases.skeletons.old_types import name_for_unnamed, types_text
from emu.machine.abi import CALLING_CONVENTIONS
from emu.program import read_program
from emu.program.code68k.compiler import recognise_compiler
from emu.program.declarations.places import find_routine, is_place
from emu.program.elf.interface import FunctionInterface, UsedGlobal
from emu.program.elf.object_program import object_program
from emu.program.functions.find_functions import find_functions
from emu.program.functions.matched_globals import (
    FunctionPair,
    GlobalMatching,
    MatchedGlobal,
    function_pairs,
)
from emu.program.functions.model import ProgramFunction, ProgramFunctions
from emu.program.functions.program_memory import ProgramMemory
from emu.program.mac_file.mac_file import read_mac_file
from emu.program.model.types import ANONYMOUS_STRUCT
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_objects
from emu.toolchain.sources import Sources

_CODE_OF = {"m68k": "68000", "powerpc": "601"}
_CPU_OF = {"m68k": "68040", "powerpc": "601"}
"""The processor that runs the old routine: of the 68K the one with all instructions."""
_BUILD = BUILDS["period"]
_NARROW = {"int": "int16", "unsigned int": "uint16"}
_FIRST_CALL, _MAIN = "InitGraf", "main"


@dataclass(frozen=True, slots=True)
class OldReference:
    """A routine of an old program as the reference of a new case.

    Attributes:
        lines: the lines under ``reference`` in the case file.
        places: the names of the globals that have a place in the old program.
        int_size: the bytes of an ``int`` there.
        remarks: what its author has to know, a sentence each.
    """

    lines: tuple[str, ...]
    places: frozenset[str]
    int_size: int
    remarks: tuple[str, ...]


class OldRoutine:
    """A routine of an old program.

    Args:
        program: the program's file.
        symbol: the routine's name, or its place.

    Attributes:
        path: the program's file.

    Raises:
        ProgramError: the program cannot be read, or has no such routine.
    """

    def __init__(self, program: Path, symbol: str) -> None:
        self.path = program
        self._symbol = symbol
        self._functions, self._function = _find(program, symbol)
        self._architecture = self._functions.program.architecture

    def reference(
        self, interface: FunctionInterface, sources: Sources, written: str
    ) -> OldReference:
        """The routine as the reference for a function.

        Args:
            interface: what the function needs.
            sources: its sources.
            written: the program's path as the case names it.

        Raises:
            UsageError: it is not known how such a routine is called.
            ToolMissingError, CompileError: the sources are not compiled for its processor.
        """
        signature = interface.signature
        compiler = None
        if self._architecture == "m68k":
            compiler = recognise_compiler(read_mac_file(self.path))
        called = recognise_convention(self._functions, self._function, signature, compiler)
        int_size = CALLING_CONVENTIONS[called.convention].int_size
        matched = self._matched(interface, sources)
        lines = [
            f"program: {json.dumps(written, ensure_ascii=False)}",
            f"symbol: {json.dumps(self._symbol, ensure_ascii=False)}",
            f"cpu: {_CPU_OF[self._architecture]}",
            f"prototype: {json.dumps(signature.declaration(interface.name))}",
            *_convention_lines(called),
            *types_text(interface, int_size),
            *self._start_lines(interface, matched),
            *self._global_lines(interface, matched),
        ]
        remarks = list(self._remarks(interface, matched))
        return OldReference(tuple(lines), frozenset(matched), int_size, tuple(remarks))

    def _matched(
        self, interface: FunctionInterface, sources: Sources
    ) -> Mapping[str, MatchedGlobal]:
        """Where the globals of the function lie in the old program."""
        sizes = {one.name: one.declared.type.size for one in interface.globals}
        matching = GlobalMatching(sizes)
        target = TARGETS[_CODE_OF[self._architecture]]
        path = sources.tree.sources[0]
        for image in compile_objects(sources, _BUILD, target):
            source = find_functions(object_program(image, path))
            own = next((f for f in source.functions if f.name == interface.name), None)
            first: FunctionPair | None = None if own is None else (own, self._function)
            matching.add(source, function_pairs(source, self._functions, first))
        found = matching.globals()
        return {one.name: found[one.name] for one in _variables(interface) if one.name in found}

    def _remarks(
        self, interface: FunctionInterface, matched: Mapping[str, MatchedGlobal]
    ) -> Iterator[str]:
        """What keeps a global out of the case, for each that is."""
        for one in _all_variables(interface):
            if _leads_to_a_record(one):
                yield (
                    f"{one.name} leads to a record of the Toolbox, which no scene has, and begins "
                    "as each program has it"
                )
            elif one.name not in matched:
                yield (
                    f"{one.name}: no place in {self.path.name} was found; give it one under "
                    "globals, and name it under input and observe"
                )

    def _start_lines(
        self, interface: FunctionInterface, matched: Mapping[str, MatchedGlobal]
    ) -> Iterator[str]:
        """How far the program has to run before; nothing if the case fills all that is read."""
        if self._architecture != "m68k":
            return
        filled = [one for one in _variables(interface) if not one.is_initialised]
        rooms = [
            range(place.address, place.address + max(one.declared.type.size, 1))
            for one in filled
            if one.name in matched
            for place in matched[one.name].candidates[:1]
        ]
        others = [
            use.place
            for function in self._reached()
            for use in function.contents.globals
            if use.place.startswith("A5-") and not any(use.address in room for room in rooms)
        ]
        if not others:
            return
        remark = f"# it uses {others[0]}, which its start-up code or main function fills"
        functions = self._functions.functions
        if any(_FIRST_CALL in function.toolbox for function in functions):
            yield f"start: {_FIRST_CALL} {remark}"
        elif any(function.name == _MAIN for function in functions):
            yield f"start: {_MAIN} {remark}"
        else:
            yield f"# CHANGE: start: the routine up to which it has to run; {remark[2:]}"

    def _reached(self) -> list[ProgramFunction]:
        """The routine and all that it calls."""
        reached = [self._function]
        for function in reached:
            for address in function.callees:
                callee = self._functions.by_address.get(address)
                if callee is not None and callee not in reached:
                    reached.append(callee)
        return reached

    def _global_lines(
        self, interface: FunctionInterface, matched: Mapping[str, MatchedGlobal]
    ) -> Iterator[str]:
        memory = ProgramMemory(self._functions.program)
        if matched:
            yield "globals:"
        for one in _variables(interface):
            match = matched.get(one.name)
            if match is None:
                continue
            at, *others = (memory.place(place.address) for place in match.candidates)
            votes = [place.votes for place in match.candidates]
            remark = f" # {_fitting(votes[0])}"
            if not match.is_certain:
                remark = f" # CHANGE: {_fitting(votes[0])}; or {others[0]}, {_fitting(votes[1])}"
            kind = json.dumps(_type_words(one), ensure_ascii=False)
            name = json.dumps(one.name) if one.is_static else one.name
            yield f"  {name}: {{at: {at}, type: {kind}}}{remark}"


def _find(path: Path, symbol: str) -> tuple[ProgramFunctions, ProgramFunction]:
    """The functions of a program, and one of them by its name or place.

    A fat application has two programs. The first with such a routine is taken, the 68K's before.
    """
    problems: list[ProgramError] = []
    for architecture in ("m68k", "powerpc"):
        program = read_program(path, architecture=architecture)
        functions = find_functions(program)
        try:
            return functions, _function(functions, symbol)
        except ProgramError as error:
            problems.append(error)
        if program.architecture != architecture:
            break  # it has one program
    raise problems[0]


def _function(functions: ProgramFunctions, symbol: str) -> ProgramFunction:
    path = functions.program.path
    if not is_place(symbol):
        named = [one for one in functions.functions if one.name == symbol]
        if len(named) == 1:
            return named[0]
        if named:
            places = ", ".join(one.place for one in named)
            raise ProgramError(path, f"{len(named)} routines are named {symbol}: {places}")
        names = sorted({one.name for one in functions.functions if one.name})
        hint = did_you_mean(symbol, names)
        remedy = "" if hint else f"macproof inspect {path.name} --functions lists its routines."
        raise ProgramError(path, f"it has no routine {symbol}{hint}", remedy=remedy)
    address = find_routine(functions.program, symbol)
    found = functions.by_address.get(address)
    if found is not None:
        return found
    near = min(functions.functions, key=lambda one: abs(one.address - address), default=None)
    remedy = f"The nearest one begins at {near.place}." if near else ""
    raise ProgramError(path, f"no routine begins at {symbol}", remedy=remedy)


def _convention_lines(called: Recognition) -> Iterator[str]:
    why = "; ".join(called.evidence)
    if called.others:
        yield f"convention: {called.convention} # CHANGE: or {', '.join(called.others)} ({why})"
    else:
        yield f"convention: {called.convention} # {why}"


def _fitting(votes: float) -> str:
    return f"{votes:g} {'use fits' if votes == 1 else 'uses fit'}"


def _all_variables(interface: FunctionInterface) -> Sequence[UsedGlobal]:
    """The globals that both programs may have."""
    return [one for one in interface.globals if not one.is_constant]


def _variables(interface: FunctionInterface) -> Sequence[UsedGlobal]:
    """Those of them that can be given to both."""
    return [one for one in _all_variables(interface) if not _leads_to_a_record(one)]


def _leads_to_a_record(one: UsedGlobal) -> bool:
    """Whether it leads to a record of the Toolbox with pointers in it, such as a window's."""
    words = re.findall(r"\w+", one.declared.declaration)
    names = [*words, *(kind.name for kind in one.declared.pointed)]
    has_pointers = any(
        member.type.kind == "pointer" for kind in one.declared.pointed for member in kind.fields
    )
    return has_pointers and any(map(header_of, names))


def _type_words(one: UsedGlobal) -> str:
    """The type of a global in C, without its name: "short[12]"."""
    words = re.sub(rf"\b{re.escape(one.declared.name)}\b", "", one.declared.declaration, count=1)
    words = re.sub(r"\b(const|volatile)\b", "", words)
    if one.declared.type.scalar.name == ANONYMOUS_STRUCT:
        words = re.sub(r"\w+", name_for_unnamed(one), words, count=1)
    return re.sub(r"\s+", " ", words).replace(" [", "[").replace(" *", "*").strip()


def narrowed(prototype: CPrototype) -> CPrototype:
    """A prototype whose scenes have only numbers that fit an ``int`` of 16 bits."""

    def part(one: Part) -> Part:
        dtype = _NARROW.get(one.type.words)
        return replace(one, type=replace(one.type, dtype=dtype)) if dtype else one

    def value(one: CParameter) -> CParameter:
        members = tuple(map(value, one.members))
        return replace(one, parts=tuple(map(part, one.parts)), members=members)

    return replace(
        prototype,
        parameters=tuple(map(value, prototype.parameters)),
        globals=tuple(map(value, prototype.globals)),
    )
