"""Finds the code that an old 68K program brings for routines of the Toolbox.

Some routines have no trap (`GetIndString`), and for others compilers had code that also works where
the system lacks them (`Gestalt`). A function of the sources calls such a routine by its name; the
same function of the old program calls code that none of the sources' functions stands for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.port.graft.toolbox_glue import argument_bytes, is_routine
from emu.port.match.names import Key, PortFile
from emu.port.traits import routine_name
from emu.program.declarations.places import find_routine
from emu.program.functions.model import GLUE, ProgramFunction, ProgramFunctions
from emu.program.instructions.trap_table import signatures

_TAKEN = rb"[\x20\x22]\x5f"  # MOVEA.L (A7)+,A0 or A1: the return address
_REMOVED = rb"(?:(?P<addq>[\x50-\x5f][\x4f\x8f])|\x4f\xef(?P<lea>..)|\xde[\xfc](?P<adda>..))?"
_RESULT = rb"(?:[\x1e\x2e\x3e][\x80-\x87]|\x3e\xbc..|\x42[\x17\x57\x97])?"  # MOVE or CLR to (A7)
_JUMP = rb"\x4e[\xd0\xd1]\Z"
_END = re.compile(_TAKEN + _REMOVED + _RESULT + _JUMP, re.DOTALL)
# The return address, the arguments, each MOVE (A7)+,Rn, and the return address pushed again.
_TAKEN_FIRST = re.compile(
    rb"[\x20\x22]\x5f(?P<popped>(?:[\x10-\x3f][\x1f\x5f])+)\x2f[\x08\x09]", re.DOTALL
)
_POPPED = {1: 2, 2: 4, 3: 2}
"""The bytes that MOVE.B, MOVE.L and MOVE.W take off the stack, by the word's first digit."""
_RTD = re.compile(rb"\x4e\x74(..)\Z", re.DOTALL)
_FORWARD = re.compile(rb"\x60(?P<distance>[\x02-\x7e])\Z", re.DOTALL)  # BRA.S to what lies behind
_FLAG = re.compile(rb"[\x50\x51][\xc0-\xc7]", re.DOTALL)  # ST or SF Dn, and no more
_RTS = b"\x4e\x75"


@dataclass(frozen=True, slots=True)
class LibraryMatch:
    """Code of the old program for a routine of the Toolbox.

    Attributes:
        name: the routine.
        function: the code.
        caller: the first function of the sources that calls the routine.
        callers: how many functions call both.
        reason: what speaks for it, in words.
    """

    name: str
    function: ProgramFunction
    caller: Key
    callers: int
    reason: str


def library_matches(
    files: Sequence[PortFile],
    old: ProgramFunctions,
    placed: Mapping[Key, ProgramFunction],
    known: Mapping[str, str],
    defined: Collection[str] = (),
) -> list[LibraryMatch]:
    """The routines whose code is certain, by their names.

    It is what all old functions call whose sources call the routine, and no others; it removes the
    routine's arguments from the stack, as Pascal does; and no second one does.

    Args:
        files: the sources.
        old: the functions of the old program.
        placed: the old functions of those of the sources.
        known: routines whose code is known, with its places.
        defined: names that the sources define, which mean no routine.
    """
    if old.program.architecture != "m68k":
        return []
    calls = {key: names - {*known, *defined} for key, names in _calls(files) if key in placed}
    taken = {function.address for function in placed.values()}
    taken |= {find_routine(old.program, place) for place in known.values()}
    names = sorted({name for every in calls.values() for name in every})
    # Code that calls the trap of one routine is no candidate for another.
    exact = [
        one for name in names if (one := _code_of(name, old, calls, placed, taken, exact=True))
    ]
    taken |= {one.function.address for one in exact}
    rest = [name for name in names if name not in {one.name for one in exact}]
    found = [
        one for name in rest if (one := _code_of(name, old, calls, placed, taken, exact=False))
    ]
    return list(_without_rivals([*exact, *found]))


def _code_of(
    name: str,
    old: ProgramFunctions,
    calls: Mapping[Key, set[str]],
    placed: Mapping[Key, ProgramFunction],
    taken: Collection[int],
    *,
    exact: bool,
) -> LibraryMatch | None:
    """The code for a routine, if only one can be it; ``exact`` wants a call of the trap."""
    keys = [key for key, names in calls.items() if name in names]
    missing = [key for key in keys if not _calls_trap(placed[key], name)]
    named = {routine_name(one) for key in missing for one in calls[key] if _has_trap(one)}
    fitting = [
        one
        for one in _shared(old, [placed[key] for key in missing], taken)
        if _fits(old, one, name)
        and not _is_glue(one, named)
        and (not exact or not _trap_names(name).isdisjoint(_routines(one)))
    ]
    if len(fitting) != 1 or not _is_called_by(fitting[0], missing, placed):
        return None
    return _match(name, fitting[0], missing, is_exact=exact)


def _without_rivals(found: Sequence[LibraryMatch]) -> Iterator[LibraryMatch]:
    """Those whose code is no other routine's."""
    owners: dict[int, list[LibraryMatch]] = defaultdict(list)
    for match in found:
        owners[match.function.address].append(match)
    return (one for one in found if len(owners[one.function.address]) == 1)


def _trap_names(name: str) -> set[str]:
    """The traps that code for a routine may call: `Open` is that of `FSOpen`."""
    return {routine_name(name), name.removeprefix("FS")}


def _calls(files: Sequence[PortFile]) -> Iterator[tuple[Key, set[str]]]:
    """The routines that each function of the sources calls by their names."""
    for file in files:
        for function in file.objects[0].functions.functions:
            definition = file.definition(0, function.address)
            if definition is not None:
                names = {name.lstrip("_") for name in (*function.toolbox, *function.imports)}
                yield (file.path, definition.name), {name for name in names if is_routine(name)}


def _routines(function: ProgramFunction) -> set[str]:
    """The routines that a function calls, itself or through glue."""
    return {routine_name(name) for name in (*function.toolbox, *function.imports)}


def _has_trap(name: str) -> bool:
    """Whether callers reach a routine by a trap; others, such as `SetEOF`, may share its name."""
    return name in signatures()


def _calls_trap(function: ProgramFunction, name: str) -> bool:
    return _has_trap(name) and routine_name(name) in _routines(function)


def _shared(
    old: ProgramFunctions, callers: Sequence[ProgramFunction], taken: Collection[int]
) -> list[ProgramFunction]:
    """What all callers call and no function of the sources stands for."""
    calls = [set(one.contents.calls) for one in callers]
    common = set.intersection(*calls) if calls else set()
    return [old.by_address[at] for at in sorted(common - set(taken)) if at in old.by_address]


def _is_glue(function: ProgramFunction, named: Collection[str]) -> bool:
    """Whether a function only calls the trap of a routine that its callers' sources call, too."""
    return function.kind == GLUE and not _routines(function).isdisjoint(named)


def _fits(old: ProgramFunctions, function: ProgramFunction, name: str) -> bool:
    """Whether a function can be a routine by its name and by the arguments that it removes.

    One without arguments has to call the Toolbox, as much of C's library does not.
    """
    if function.name:
        return function.name.casefold() == name.casefold()
    count = argument_bytes(name)
    return removed_bytes(old, function) == count and (count > 0 or bool(function.toolbox))


def removed_bytes(old: ProgramFunctions, function: ProgramFunction) -> int | None:
    """How many bytes of arguments a function removes when it returns; None if that is not seen."""
    start, end = function.extent.start, function.extent.end
    segment = next(one for one in old.program.segments if one.address <= start < one.end)
    code = segment.data[start - segment.address : end - segment.address]
    if code.endswith(_RTS):
        taken = _TAKEN_FIRST.match(code)
        return sum(_POPPED[word >> 4] for word in taken["popped"][::2]) if taken else 0
    if rtd := _RTD.search(code):
        return int.from_bytes(rtd[1], "big")
    jump = _END.search(code)
    if jump is None:
        shared = _shared_end(old, function, code)
        return None if shared is None else removed_bytes(old, shared)
    if jump["addq"]:
        return jump["addq"][0] >> 1 & 7 or 8
    return int.from_bytes(jump["lea"] or jump["adda"] or b"", "big")


def _shared_end(
    old: ProgramFunctions, function: ProgramFunction, code: bytes
) -> ProgramFunction | None:
    """The function behind, into which a short one goes, as that for FSRead does into FSWrite's."""
    behind = old.by_address.get(function.extent.end)
    if behind is None or _FLAG.fullmatch(code):
        return behind
    branch = _FORWARD.search(code)
    return behind if branch is not None and branch["distance"][0] < behind.size else None


def _is_called_by(
    function: ProgramFunction, missing: Sequence[Key], placed: Mapping[Key, ProgramFunction]
) -> bool:
    """Whether none of the placed functions calls it but those that call the routine."""
    callers = {placed[key].address for key in missing}
    return callers == {one.address for one in placed.values()} & set(function.callers)


def _match(
    name: str, function: ProgramFunction, callers: Sequence[Key], *, is_exact: bool
) -> LibraryMatch:
    several = f"{len(callers)} functions" if len(callers) > 1 else "the function"
    reason = f"{several} that should call {name} call{'s' * (len(callers) == 1)} it"
    if is_exact:
        reason += ", and it calls the trap"
    elif function.name:
        reason += ", and it has the name"
    return LibraryMatch(name, function, callers[0], len(callers), reason)
