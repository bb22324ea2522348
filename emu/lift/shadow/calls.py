"""Functions of LLVM that write the shadow before each call, and keep what a call has noted.

``check_begin`` lays the shadow of a call's data and frame. Of the stack, it writes only what the
call before has used. ``check_end`` finds how deep that was: whatever the stack pointer has passed
is not `VIRGIN` any more.
"""

from __future__ import annotations

from emu.lift.shadow.areas import BITS, HEADER
from emu.lift.shadow.functions import every
from emu.lift.shadow.layout import (
    GIVEN,
    KEPT,
    LOWEST,
    NOTED,
    NUMBER,
    OUTCOMES,
    PIECES,
    PIECES_AT,
    RED_ZONE,
    ROW,
    STACK,
    STACK_SIZE,
    UNUSED_STACK,
    VIRGIN,
    NoteKind,
)
from emu.machine.engine.watch.accesses import UNDEFINED


def _load(name: str, index: int) -> str:
    """Instructions that load a word of the header."""
    return f"""
  %{name}.at = getelementptr i8, ptr %shadow, i64 {HEADER + 8 * index}
  %{name} = load i64, ptr %{name}.at"""


_FIRST = f"""{_load("stack", STACK)}{_load("size", STACK_SIZE)}{_load("red", RED_ZONE)}
  %end = add i64 %stack, %size
  %first = sub i64 %end, %red"""

_PIECE = f"""
  %offset = mul i64 %index, 24
  %entry = getelementptr i8, ptr %shadow, i64 %offset
  %address.at = getelementptr i8, ptr %entry, i64 {HEADER + 8 * PIECES_AT}
  %address = load i64, ptr %address.at
  %place.at = getelementptr i8, ptr %entry, i64 {HEADER + 8 * PIECES_AT + 8}
  %place = load i64, ptr %place.at
  %length.at = getelementptr i8, ptr %entry, i64 {HEADER + 8 * PIECES_AT + 16}
  %length = load i64, ptr %length.at
  %guest = getelementptr i8, ptr %shadow, i64 %address"""

_BEGIN = f"""
define internal void @check_begin(ptr %shadow, i64 %number) nounwind {{
begin:{_load("oldnumber", NUMBER)}{_load("oldnoted", NOTED)}
  store i64 %number, ptr %oldnumber.at
  store i64 0, ptr %oldnoted.at{_FIRST}{_load("lowest", LOWEST)}
  %used = getelementptr i8, ptr %shadow, i64 %lowest
  %depth = sub i64 %first, %lowest
  call void @llvm.memset.p0.i64(ptr %used, i8 {UNUSED_STACK - 256}, i64 %depth, i1 false)
  %zone = getelementptr i8, ptr %shadow, i64 %first
  call void @llvm.memset.p0.i64(ptr %zone, i8 {UNDEFINED}, i64 %red, i1 false)
{_load("given", GIVEN)}{_load("row", ROW)}{_load("pieces", PIECES)}
  %behind = mul i64 %row, %number
  %distance = add i64 %given, %behind
  %rows = getelementptr i8, ptr %shadow, i64 {HEADER}
  %own = getelementptr i8, ptr %rows, i64 %distance
  br label %next
next:
  %index = phi i64 [ 0, %begin ], [ %following, %lay ]
  %all = icmp eq i64 %index, %pieces
  br i1 %all, label %done, label %lay
lay:{_PIECE}
  %from = getelementptr i8, ptr %own, i64 %place
  call void @llvm.memcpy.p0.p0.i64(ptr %guest, ptr %from, i64 %length, i1 false)
  %following = add i64 %index, 1
  br label %next
done:
  ret void
}}
"""

_END = f"""
define internal void @check_end(ptr %shadow) nounwind {{
begin:{_load("number", NUMBER)}{_load("noted", NOTED)}{_FIRST}
  br label %down
down:
  %last = phi i64 [ %first, %begin ], [ %lower, %used ]
  %is_bottom = icmp ule i64 %last, %stack
  br i1 %is_bottom, label %found, label %look
look:
  %lower = sub i64 %last, 8
  %at = getelementptr i8, ptr %shadow, i64 %lower
  %state = load i64, ptr %at
  %virgin = and i64 %state, {every(VIRGIN)}
  %is_virgin = icmp eq i64 %virgin, {every(VIRGIN)}
  br i1 %is_virgin, label %found, label %used
used:
  br label %down
found:
  %lowest.at = getelementptr i8, ptr %shadow, i64 {HEADER + 8 * LOWEST}
  %has_noted = icmp ne i64 %noted, 0
  %touched = select i1 %has_noted, i64 %stack, i64 %last
  store i64 %touched, ptr %lowest.at
  %last.at = getelementptr i8, ptr %shadow, i64 %last
  %edge = load i64, ptr %last.at, align 1
  %gone = xor i64 %edge, -1
  %passed = and i64 %gone, {every(VIRGIN)}
  %zeros = call i64 @llvm.cttz.i64(i64 %passed, i1 false)
  %above = lshr i64 %zeros, 3
  %exact = add i64 %last, %above
  %is_over = icmp ugt i64 %exact, %first
  %start = select i1 %is_over, i64 %first, i64 %exact
  %deep = sub i64 %first, %start{_load("outcomes", OUTCOMES)}
  %outcome.offset = shl i64 %number, 4
  %outcome.distance = add i64 %outcomes, %outcome.offset
  %header = getelementptr i8, ptr %shadow, i64 {HEADER}
  %outcome = getelementptr i8, ptr %header, i64 %outcome.distance
  store i64 %noted, ptr %outcome
  %deep.at = getelementptr i8, ptr %outcome, i64 8
  store i64 %deep, ptr %deep.at{_load("kept", KEPT)}
  %keeps = icmp ne i64 %kept, 0
  %stored = and i64 %noted, {1 << NoteKind.STORED_UNDEFINED}
  %has_stored = icmp ne i64 %stored, 0
  %both = and i1 %keeps, %has_stored
  br i1 %both, label %keep, label %done
keep:{_load("row", ROW)}{_load("pieces", PIECES)}
  %twice = shl i64 %row, 1
  %behind = mul i64 %twice, %number
  %distance = add i64 %kept, %behind
  %own = getelementptr i8, ptr %header, i64 %distance
  %own.bits = getelementptr i8, ptr %own, i64 %row
  br label %next
next:
  %index = phi i64 [ 0, %keep ], [ %following, %copy ]
  %all = icmp eq i64 %index, %pieces
  br i1 %all, label %done, label %copy
copy:{_PIECE}
  %to = getelementptr i8, ptr %own, i64 %place
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %guest, i64 %length, i1 false)
  %bits = getelementptr i8, ptr %guest, i64 {BITS}
  %to.bits = getelementptr i8, ptr %own.bits, i64 %place
  call void @llvm.memcpy.p0.p0.i64(ptr %to.bits, ptr %bits, i64 %length, i1 false)
  %following = add i64 %index, 1
  br label %next
done:
  ret void
}}
declare i64 @llvm.cttz.i64(i64, i1)
"""

CALLS = _BEGIN + _END
"""The text of both functions."""
