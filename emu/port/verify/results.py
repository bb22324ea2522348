"""Where a new function leaves its result: in registers, on the stack, or where its caller says."""

from __future__ import annotations

from emu.port.graft.graft import GraftedFunction
from emu.port.recording.store import RecordedCall
from emu.port.replay.comparison import ResultPlace
from emu.port.replay.replayer import Replayer
from emu.program import GuestType


def result_of(function: GraftedFunction) -> ResultPlace:
    """Where a function leaves what is compared of its result."""
    if function.result is not None and function.result_at >= 0:
        return ResultPlace(bits=8 * function.result.size, at=function.result_at)
    if function.result is None or not function.result_registers:
        return ResultPlace()
    register, *more = function.result_registers
    if function.result.kind == "float":
        return ResultPlace(register, 8 * function.result.size, is_in_words=bool(more[1:]))
    most = 64 if more else 32
    return ResultPlace(register, min(8 * function.result.size, most), more[0] if more else "")


def result_in_memory(
    replayer: Replayer, call: RecordedCall, function: GraftedFunction
) -> tuple[int, GuestType] | None:
    """The address of a call's result, and its type; None if it is in registers."""
    place, session = function.result_address, replayer.session
    if place is None or function.result is None:
        return None
    if place.register:
        return call.registers[session.mac.engine.index[place.register]], function.result
    start = session.frames.pointer_in(call.registers) + session.frames.arguments_start
    data = replayer.bytes_at(call, start + place.at, 4)
    return int.from_bytes(data, "big"), function.result
