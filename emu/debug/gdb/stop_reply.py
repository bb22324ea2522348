"""Stops in GDB's words.

Source: Debugging with GDB, appendix E "GDB Remote Serial Protocol", "Stop Reply Packets".
"""

from __future__ import annotations

from collections.abc import Mapping

from emu.debug.stops import DebugStop, StopReason, WatchKind

TRAP, SEGMENT_FAULT, INTERRUPT, NO_SIGNAL = 5, 11, 2, 0
"""GDB's numbers of the signals."""

THREAD = 1
"""The number of the only thread."""

_SIGNALS = {
    StopReason.INTERRUPTED: INTERRUPT,
    StopReason.FAULT: SEGMENT_FAULT,
    # GDB says of these only that the program has stopped; why, the user is told in words.
    StopReason.ROUTINE: NO_SIGNAL,
    StopReason.FINDING: NO_SIGNAL,
}
_WATCHES = {
    WatchKind.CHANGES: "watch",
    WatchKind.READS: "rwatch",
    WatchKind.ACCESSES: "awatch",
}
_MARKS = {
    StopReason.BREAKPOINT: "swbreak:;",
    StopReason.HISTORY_BEGINS: "replaylog:begin;",
    StopReason.ENDED: "replaylog:end;",
}


def stop_reply(stop: DebugStop, registers: Mapping[int, bytes], has_new_files: bool) -> bytes:
    """The reply for a stop.

    Args:
        stop: where the program stands.
        registers: values of the registers that GDB wants at each stop, by their numbers.
        has_new_files: whether files with symbols lie elsewhere than GDB knows. GDB then reads their
            list and goes on by itself, unless it has a breakpoint here.
    """
    signal = _SIGNALS.get(stop.reason, TRAP)
    marks = _MARKS.get(stop.reason, "")
    if stop.hit is not None:
        marks += f"{_WATCHES[stop.hit.kind]}:{stop.hit.address:x};"
    if has_new_files:
        signal, marks = TRAP, "library:;"
    values = "".join(f"{number:x}:{value.hex()};" for number, value in registers.items())
    return f"T{signal:02x}{marks}thread:{THREAD:x};{values}".encode("ascii")


def last_reply(stop: DebugStop) -> bytes:
    """The reply when a program is to go on that cannot: that it has ended."""
    if stop.reason is StopReason.FAULT:
        return b"X%02x" % SEGMENT_FAULT
    return b"W%02x" % (stop.exit_code & 0xFF)


def words_of(stop: DebugStop) -> str:
    """What the user is told of a stop beside what GDB says; "" for nothing."""
    text = stop.text
    if stop.hit is not None and stop.hit.routine:
        text = f"{stop.hit.routine} changed the watched bytes. {text}".rstrip()
    if not text:
        return ""
    starts = {
        StopReason.ROUTINE: "Toolbox call",
        StopReason.FINDING: "finding",
        StopReason.FAULT: "the program cannot go on",
    }
    start = starts.get(stop.reason, "")
    return f"{start}: {text}\n" if start else f"{text}\n"
