"""A program as its own start-up code leaves it: what a call of one of its routines begins with.

The initial values of an old application's globals are packed, and only its start-up code knows how.
So the program is run as ``macproof run`` does, up to its first call of a chosen Toolbox routine or
up to a routine of its own. All segments that are not in memory then are loaded, each by the
program's own way of doing so. What is in memory is the program whose routines are called: code
where it was loaded, globals, jump table, and the blocks on the heap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

from emu.base.errors import GuestError, ProgramError
from emu.base.yaml_document import did_you_mean
from emu.machine.cpu import Cpu
from emu.program import Program, Segment
from emu.program.code68k.code_layout import ENTRY_SIZE, parse_world
from emu.program.declarations.places import find_routine
from emu.program.model.relocation import moved
from emu.runner.imports import with_imports
from emu.runner.loaded_places import LoadedPlaces, SegmentMove, moved_address
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.settings import Settings
from emu.toolbox.declarations import declarations
from emu.toolbox.guest.findings import ProgramExit
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.patient_user import PatientUser

_SECONDS = 60.0
_JMP, _MOVE_TO_STACK, _LOADSEG = 0x4EF9, 0x3F3C, 0xA9F0


class _Reached(Exception):
    """The program is where it was to be stopped."""


def after_start_up(program: Program, cpu: Cpu, until: str) -> Program:
    """A Mac application as its start-up code leaves it.

    Args:
        program: the application, as `read_program` reads it.
        cpu: the processor.
        until: the Toolbox routine that the program is about to call when it is stopped; or a
            routine of its own that is about to begin, by its name or its place.

    Returns:
        The same program at other addresses, with its memory at that moment.

    Raises:
        ProgramError: there is no such routine; or the program is no Mac application.
        GuestError: the program ends or cannot go on before it gets there, or does not get there
            within a minute.
    """
    is_toolbox = until in {
        manager_routine.routine.name for manager_routine in declarations(cpu.architecture).all
    }
    routine = None if is_toolbox else _routine(program, cpu, until)
    settings = Settings(depth=1, timeout=_SECONDS, scramble=False)
    mac = load(program.path, cpu.name, settings=settings)
    mac.events.user = PatientUser(mac)
    places = LoadedPlaces(program, mac)
    if routine is None:
        mac.instead[until] = _reached
    else:
        _stop_at(mac, places, routine)
    _run(mac, program, until)
    mac.instead.pop(until, None)
    mac.host.routine = None
    if cpu.architecture == "m68k":
        _load_segments(mac, program)
    moves = places.moves()
    segments = [*_segments(mac, moves), *_blocks(mac, moves)]

    def move(address: int) -> int | None:
        return moved_address(moves, address)

    if isinstance(mac.dispatcher, PowerPcDispatcher):
        started = moved(program, segments, {"r2": mac.dispatcher.toc}, move)
        return with_imports(started, mac.dispatcher.stubs)
    return moved(program, segments, {"a5": mac.layout.a5}, move)


def _routine(program: Program, cpu: Cpu, until: str) -> int:
    try:
        return find_routine(program, until)
    except ProgramError as error:
        names = {routine.routine.name for routine in declarations(cpu.architecture).all}
        hint = did_you_mean(until, names) if until.isidentifier() else ""
        raise ProgramError(
            program.path, f"{until} is neither a Toolbox routine nor one of its own{hint}"
        ) from error


def _reached(*_: object, **__: object) -> NoReturn:
    raise _Reached


def _run(mac: Macintosh, program: Program, until: str) -> None:
    words = f"the start-up code of {program.path.name}"
    try:
        mac.run()
    except _Reached:
        return
    except GuestError as error:
        reason = str(error).partition("\n")[0]
        raise GuestError(f"{words} does not get to {until}: {reason}") from error
    raise GuestError(f"{words} ends the program before it gets to {until}")


def _stop_at(mac: Macintosh, places: LoadedPlaces, routine: int) -> None:
    """Stop when a routine of the program begins, whenever its segment is loaded."""
    watched: set[int] = set()
    following = mac.after.get("LoadSeg", lambda: None)

    def follow() -> None:
        following()
        address = moved_address(places.moves(), routine)
        if address is not None and address not in watched:
            watched.add(address)
            mac.watch(address, _reached)

    mac.after["LoadSeg"] = follow
    follow()


def _load_segments(mac: Macintosh, program: Program) -> None:
    """Load each segment that the jump table leads to, as a call of one of its routines does."""
    for place, number in list(_unloaded(mac, program)):
        if mac.guest.u16(place) not in (_MOVE_TO_STACK, _LOADSEG):
            continue  # its segment has been loaded with an earlier entry
        try:
            _call_until_loaded(mac, place)
        except (GuestError, ProgramExit) as error:
            reason = str(error).partition("\n")[0]
            raise GuestError(
                f"CODE {number} of {program.path.name} cannot be loaded after its start-up code: "
                f"{reason}"
            ) from error


def _unloaded(mac: Macintosh, program: Program) -> Iterator[tuple[int, int]]:
    """The jump table's entries of segments to be loaded: where each is entered, and the segment.

    CodeWarrior's start-up code makes all entries but the first, in a form of its own, which is
    entered at its beginning: LoadSeg, the offset as a long word, the segment. THINK C's puts a
    pointer of its own into an entry that nobody calls.
    """
    world = parse_world(mac.resources.data("CODE", 0) or b"", program.path)
    start, guest = mac.layout.a5 + world.table_offset, mac.guest
    for entry in range(start, mac.layout.a5 + world.above_a5 - ENTRY_SIZE + 1, ENTRY_SIZE):
        words = [guest.u16(entry + 2 * n) for n in range(ENTRY_SIZE // 2)]
        if words[1] == _MOVE_TO_STACK and words[3] == _LOADSEG:
            yield entry + 2, words[2]
        elif words[1] == _LOADSEG:
            yield entry + 2, words[0]
        elif words[0] == _LOADSEG and mac.resources.data("CODE", words[3]) is not None:
            yield entry, words[3]


def _call_until_loaded(mac: Macintosh, place: int) -> None:
    """Execute a jump table entry until it has become a jump to the routine."""
    registers, index = mac.engine.registers, mac.engine.index

    def look() -> None:
        if mac.guest.u16(place) == _JMP:
            raise _Reached

    before: list[int] = list(registers)
    registers[index["a7"]] -= 4
    mac.guest.put32(registers[index["a7"]], mac.engine.sentinel)
    registers[index["pc"]] = place
    mac.watch(place, look)
    try:
        mac.run_call()
    except _Reached:
        pass
    finally:
        mac.unwatch(place)
    registers[:] = before


def _segments(mac: Macintosh, moves: list[SegmentMove]) -> Iterator[Segment]:
    for move in moves:
        address = move.segment.address + move.distance
        data = mac.guest.read(address, move.segment.size)
        yield replace(move.segment, address=address, data=data)


def _blocks(mac: Macintosh, moves: list[SegmentMove]) -> Iterator[Segment]:
    """The used blocks of the heap that hold no code."""
    taken = [move.segment.address + move.distance for move in moves]
    for block in mac.memory.heap.blocks.values():
        if block.logical and not any(block.content <= place < block.end for place in taken):
            data = mac.guest.read(block.content, block.logical)
            yield Segment("heap", block.content, block.logical, data, True, False)
