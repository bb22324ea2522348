"""Serves a program to a debugger: the timeline, its symbols, and the server together."""

from __future__ import annotations

from collections.abc import Callable

from emu.base.errors import GuestError, UsageError
from emu.base.temporary import temporary_folder
from emu.base.yaml_document import did_you_mean
from emu.debug.gdb.server import DebugServer
from emu.debug.stops import DebugStop, StopReason
from emu.debug.symbols.loadable_file import LoadableFile
from emu.debug.symbols.program_files import application_files, fixed_files
from emu.debug.symbols.program_symbols import ProgramSymbols
from emu.debug.targets import DebuggedProgram, DebuggedScene
from emu.debug.timeline import Timeline
from emu.machine.cpu import CPUS
from emu.toolbox.declarations import declarations


def serve(
    debugged: DebuggedProgram | DebuggedScene,
    server: DebugServer,
    *,
    stop_at: str = "",
    at_difference: bool = False,
    keeps: bool = False,
    on_ready: Callable[[DebugStop], Callable[[], bool]],
) -> None:
    """Serve a program, or a case's routine on a scene, until its debugger ends the session.

    Args:
        debugged: what is debugged.
        server: where the debugger connects.
        stop_at: a routine of the program, or of the Toolbox, before which it stops first; "" for
            its first instruction.
        at_difference: whether it stops first where the first wrong value of a scene was stored.
        keeps: whether to wait for another debugger then.
        on_ready: is called when a debugger can connect, with where the program stands; gives what
            is asked while nobody is connected: whether nobody will be.

    Raises:
        ProgramError, UsageError: the program or its symbols cannot be read; or there is no such
            routine.
        GuestError: the program ends before it gets there.
    """
    timeline = Timeline(debugged)
    try:
        with temporary_folder() as folder:
            symbols = ProgramSymbols(timeline, folder, _files(debugged, timeline.cpu))
            if stop_at:
                go_to_routine(timeline, symbols, stop_at)
            if at_difference:
                go_to_difference(timeline)
            server.serve(timeline, symbols, keeps=keeps, is_over=on_ready(timeline.stop))
    finally:
        timeline.close()


def _files(debugged: DebuggedProgram | DebuggedScene, cpu: str) -> tuple[LoadableFile, ...]:
    if isinstance(debugged, DebuggedScene):
        subject = debugged.subject
        return fixed_files(subject.read(), subject.program)
    request = debugged.request
    return application_files(request.program, CPUS[cpu].architecture, request.symbols)


def go_to_difference(timeline: Timeline) -> None:
    """Go to the store of the first wrong value of a scene: to its end, and back from there.

    Raises:
        GuestError: no value is wrong, or nobody stores one.
    """
    if timeline.wrong is None:
        raise GuestError("no value that this scene leaves is known to be wrong")
    timeline.go_on()
    problem = timeline.set_watchpoint(timeline.wrong)
    if problem:
        raise GuestError(f"the first wrong value cannot be watched: {problem}")
    stop = timeline.go_back()
    timeline.clear_watchpoint(timeline.wrong)
    if stop.reason is StopReason.HISTORY_BEGINS:
        raise GuestError(
            f"the first wrong value, at 0x{timeline.wrong.address:08x}, is not stored by the "
            "routine: it is as it was before the call"
        )


def go_to_routine(timeline: Timeline, symbols: ProgramSymbols, name: str) -> None:
    """Run until a routine is about to begin, or a routine of the Toolbox about to be called.

    Raises:
        UsageError: there is no such routine.
        GuestError: the program ends before it gets there.
    """
    names = {one.routine.name for one in declarations(CPUS[timeline.cpu].architecture).all}
    if name in names:
        timeline.set_routine(name)
        stop = timeline.go_on()
        timeline.clear_routine(name)
    elif symbols.find(name) is not None:
        stop = _run_to(timeline, symbols, name)
    else:
        known = sorted(symbols.names() | names)
        raise UsageError(
            f"--stop-at {name}: it is neither a routine of the program that has a name nor one of "
            f"the Toolbox{did_you_mean(name, known)}"
        )
    if stop.is_over:
        reason = stop.text.partition("\n")[0]
        raise GuestError(f"the program does not get to {name}: {reason}")


def _run_to(timeline: Timeline, symbols: ProgramSymbols, name: str) -> DebugStop:
    """Run until a routine of the program begins; its segment may be loaded on the way."""
    loads = "LoadSeg"
    timeline.set_routine(loads)
    place = symbols.find(name)
    assert place is not None
    timeline.set_breakpoint(place)
    stop = timeline.go_on()
    while stop.reason is StopReason.ROUTINE:
        stop = timeline.step()  # over LoadSeg
        timeline.clear_breakpoint(place)
        place = symbols.find(name) or place
        timeline.set_breakpoint(place)
        if stop.pc != place and not stop.is_over:
            stop = timeline.go_on()
    timeline.clear_breakpoint(place)
    timeline.clear_routine(loads)
    return stop
