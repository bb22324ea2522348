"""The loop that makes many calls of a translated program, in LLVM's assembler language.

The function ``calls`` makes them: it lays the stack, the frame and the data of each call into guest
memory, calls the program, and copies the frame and the data back. It stops at nothing: the outcome
of each call stands in its record.

The function ``end_call`` is for signals of Linux. A guest that uses memory which it may not use, or
takes too long, leaves its call through it, and the loop goes on with the next. That is safe: each
guest address lies in the 4 GB that are reserved for guest memory, where an access is a fault, or to
what is laid again before the next call. At any other fault the process ends.
"""

from __future__ import annotations

import platform
import signal

RETURNED, UNKNOWN_TARGET, LEFT_CODE, WILD_ACCESS, OVERTIME = range(5)
"""The outcome of a call: it returned; it came to an address that is not translated; or to an
instruction that is not; it used memory that it may not use, whose guest address is in the place of
the program counter; or it was told that it takes too long. The third word of the record says where
the instruction lies at which it was ended, in bytes from the function ``calls``."""

OVERTIME_SIGNAL = signal.SIGUSR1
"""What tells a call that it takes too long."""

GUEST_SPACE = (1 << 32) + (1 << 16)
"""Bytes of addresses that are reserved for guest memory: an access at the last address goes beyond
it."""
_PROGRAM_COUNTER_AT = {"x86_64": 168, "aarch64": 440}
"""Where the program counter lies in `ucontext_t` of Linux."""

_LOOP = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; memory, shadow, marks, stacks, given, made, pieces, progress; then numbers
%plan = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64, i64, i64 }
; guest address, offset in a record's data, bytes
%piece = type { i64, i64, i64 }

declare i32 @__sigsetjmp(ptr, i32) returns_twice
declare void @siglongjmp(ptr, i32) noreturn
declare ptr @signal(i32, ptr)

; where the loop goes on; glibc needs 200 bytes for it on x86-64, and 312 on ARM64
@place = internal global [1024 x i8] zeroinitializer, align 16
@guest.memory = internal global ptr null
@is.guest = internal global i1 false
@end.outcome = internal global i32 0
@end.address = internal global i64 0
@end.site = internal global i64 0

define void @calls(ptr %plan, i64 %count) nounwind {
  %plan.at = alloca ptr
  %count.at = alloca i64
  store volatile ptr %plan, ptr %plan.at
  store volatile i64 %count, ptr %count.at
  %back = call i32 @__sigsetjmp(ptr @place, i32 1) returns_twice
  ; when it returns again, registers may hold anything
  %is.back = icmp ne i32 %back, 0
  %kept.plan = load volatile ptr, ptr %plan.at
  %kept.count = load volatile i64, ptr %count.at
  call void @make(ptr %kept.plan, i64 %kept.count, i1 %is.back)
  ret void
}

define void @end_call(i32 %signal, ptr %information, ptr %context) nounwind {
  %is.guest = load volatile i1, ptr @is.guest
  %is.late = icmp eq i32 %signal, OVERTIME_SIGNAL
  %host.at = getelementptr i8, ptr %information, i64 16  ; si_addr
  %host = load i64, ptr %host.at
  %memory = load ptr, ptr @guest.memory
  %memory.number = ptrtoint ptr %memory to i64
  %address = sub i64 %host, %memory.number
  %is.near = icmp ult i64 %address, GUEST_SPACE
  %is.known = or i1 %is.late, %is.near
  %is.call = and i1 %is.guest, %is.known
  br i1 %is.call, label %leave, label %stay
leave:
  store volatile i1 false, ptr @is.guest
  %outcome = select i1 %is.late, i32 OVERTIME, i32 WILD_ACCESS
  store i32 %outcome, ptr @end.outcome
  store i64 %address, ptr @end.address
  %counter.at = getelementptr i8, ptr %context, i64 PROGRAM_COUNTER_AT
  %counter = load i64, ptr %counter.at
  %site = sub i64 %counter, ptrtoint (ptr @calls to i64)
  store i64 %site, ptr @end.site
  call void @siglongjmp(ptr @place, i32 1)
  unreachable
stay:
  br i1 %is.late, label %end, label %usual
usual:
  %old = call ptr @signal(i32 %signal, ptr null)  ; it happens again, and ends the process
  br label %end
end:
  ret void
}

define internal void @make(ptr noalias %plan, i64 %count, i1 %is.back) noinline nounwind {
entry:
  %state = alloca [STATE_SIZE x i8], align 64
  %memory = load ptr, ptr %plan
  %shadow.at = getelementptr %plan, ptr %plan, i32 0, i32 1
  %shadow = load ptr, ptr %shadow.at
  %marks.at = getelementptr %plan, ptr %plan, i32 0, i32 2
  %marks = load ptr, ptr %marks.at
  %stacks.at = getelementptr %plan, ptr %plan, i32 0, i32 3
  %stacks = load ptr, ptr %stacks.at
  %given.at = getelementptr %plan, ptr %plan, i32 0, i32 4
  %given = load ptr, ptr %given.at
  %made.at = getelementptr %plan, ptr %plan, i32 0, i32 5
  %made = load ptr, ptr %made.at
  %pieces.at = getelementptr %plan, ptr %plan, i32 0, i32 6
  %pieces = load ptr, ptr %pieces.at
  %progress.at = getelementptr %plan, ptr %plan, i32 0, i32 7
  %progress = load ptr, ptr %progress.at
  %piece.count.at = getelementptr %plan, ptr %plan, i32 0, i32 8
  %piece.count = load i64, ptr %piece.count.at
  %start.at = getelementptr %plan, ptr %plan, i32 0, i32 9
  %start.wide = load i64, ptr %start.at
  %start = trunc i64 %start.wide to i32
  %stack.at = getelementptr %plan, ptr %plan, i32 0, i32 10
  %stack.address = load i64, ptr %stack.at
  %stack = getelementptr i8, ptr %memory, i64 %stack.address
  %stack.size.at = getelementptr %plan, ptr %plan, i32 0, i32 11
  %stack.size = load i64, ptr %stack.size.at
  %depth.at = getelementptr %plan, ptr %plan, i32 0, i32 12
  %depth = load i64, ptr %depth.at
  %frame.size.at = getelementptr %plan, ptr %plan, i32 0, i32 13
  %frame.size = load i64, ptr %frame.size.at
  %record.at = getelementptr %plan, ptr %plan, i32 0, i32 14
  %record.size = load i64, ptr %record.at
  %above = sub i64 %stack.size, %depth
  %top = getelementptr i8, ptr %stack, i64 %above
  %frame.above = sub i64 %stack.size, %frame.size
  %frame = getelementptr i8, ptr %stack, i64 %frame.above
  %data.offset = add i64 %frame.size, 24
  store ptr %memory, ptr @guest.memory
  %first = load volatile i64, ptr %progress
  %is.none = icmp eq i64 %first, %count
  br i1 %is.none, label %end, label %call
call:
  %number = phi i64 [ %first, %entry ], [ %next, %kept ]
  %is.over = phi i1 [ %is.back, %entry ], [ false, %kept ]
  %offset = mul i64 %number, %record.size
  %record = getelementptr i8, ptr %given, i64 %offset
  %result = getelementptr i8, ptr %made, i64 %offset
  %data = getelementptr i8, ptr %record, i64 %data.offset
  br i1 %is.over, label %ended, label %begin
begin:
  %stack.number = load i64, ptr %record
  %stack.offset = mul i64 %stack.number, %stack.size
  %stack.top = add i64 %stack.offset, %above
  %stack.from = getelementptr i8, ptr %stacks, i64 %stack.top
  call void @llvm.memcpy.p0.p0.i64(ptr %top, ptr %stack.from, i64 %depth, i1 false)
  %frame.from = getelementptr i8, ptr %record, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr %frame, ptr %frame.from, i64 %frame.size, i1 false)
  br label %lay
LAY
run:
  call void @llvm.memset.p0.i64(ptr %state, i8 0, i64 STATE_SIZE, i1 false)
BEFORE_CALL
  %marks.offset = mul i64 %number, MARKS_SIZE
  %own.marks = getelementptr i8, ptr %marks, i64 %marks.offset
  store volatile i1 true, ptr @is.guest
  %own.outcome = call i32 @guest(ptr %state, ptr %memory, ptr %shadow, ptr %own.marks, i32 %start)
  store volatile i1 false, ptr @is.guest
  %own.pc = load i32, ptr %state
  %own.pc.wide = zext i32 %own.pc to i64
  br label %over
ended:
  %end.outcome = load i32, ptr @end.outcome
  %end.address = load i64, ptr @end.address
  br label %over
over:
  %outcome = phi i32 [ %own.outcome, %run ], [ %end.outcome, %ended ]
  %pc.wide = phi i64 [ %own.pc.wide, %run ], [ %end.address, %ended ]
AFTER_CALL
  %outcome.wide = zext i32 %outcome to i64
  store i64 %outcome.wide, ptr %result
  %pc.at = getelementptr i8, ptr %result, i64 8
  store i64 %pc.wide, ptr %pc.at
  %site.at = getelementptr i8, ptr %result, i64 16
  %end.site = load i64, ptr @end.site
  store i64 %end.site, ptr %site.at
  %frame.to = getelementptr i8, ptr %result, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr %frame.to, ptr %frame, i64 %frame.size, i1 false)
  %result.data = getelementptr i8, ptr %result, i64 %data.offset
  br label %keep
KEEP
kept:
  %next = add i64 %number, 1
  store volatile i64 %next, ptr %progress
  %is.all = icmp eq i64 %next, %count
  br i1 %is.all, label %end, label %call
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 100000}
"""


_COPY = """NAME:
  %NAME.number = phi i64 [ 0, %BEFORE ], [ %NAME.next, %NAME.piece ]
  %NAME.is.all = icmp eq i64 %NAME.number, %piece.count
  br i1 %NAME.is.all, label %BEHIND, label %NAME.piece
NAME.piece:
  %NAME.at = getelementptr %piece, ptr %pieces, i64 %NAME.number
  %NAME.address = load i64, ptr %NAME.at
  %NAME.offset.at = getelementptr %piece, ptr %NAME.at, i32 0, i32 1
  %NAME.offset = load i64, ptr %NAME.offset.at
  %NAME.size.at = getelementptr %piece, ptr %NAME.at, i32 0, i32 2
  %NAME.size = load i64, ptr %NAME.size.at
  %NAME.guest = getelementptr i8, ptr %memory, i64 %NAME.address
  %NAME.kept = getelementptr i8, ptr DATA, i64 %NAME.offset
  call void @llvm.memcpy.p0.p0.i64(ptr %NAME.TO, ptr %NAME.FROM, i64 %NAME.size, i1 false)
  %NAME.next = add i64 %NAME.number, 1
  br label %NAME"""


def call_loop(
    state_size: int, before_call: str = "", after_call: str = "", marks_size: int = 0
) -> str:
    """The loop for a program.

    Args:
        state_size: the bytes of its state.
        before_call: instructions before a call, as of `NativeChecks.before_call`.
        after_call: instructions behind it.
        marks_size: how far the marks of a call lie behind those of the call before.
    """
    numbers = {
        "STATE_SIZE": state_size,
        "MARKS_SIZE": marks_size,
        "OVERTIME_SIGNAL": OVERTIME_SIGNAL.value,
        "GUEST_SPACE": GUEST_SPACE,
        "PROGRAM_COUNTER_AT": _PROGRAM_COUNTER_AT.get(platform.machine(), 0),
        "WILD_ACCESS": WILD_ACCESS,
        "OVERTIME": OVERTIME,
    }
    text = _LOOP
    for word, number in numbers.items():
        text = text.replace(word, str(number))
    text = text.replace("LAY", _copy("lay", ("begin", "run"), "%data", ("kept", "guest")))
    text = text.replace("KEEP", _copy("keep", ("over", "kept"), "%result.data", ("guest", "kept")))
    return text.replace("BEFORE_CALL", before_call).replace("AFTER_CALL", after_call)


def _copy(name: str, around: tuple[str, str], data: str, way: tuple[str, str]) -> str:
    """The loop that copies pieces between guest memory and the data of a record.

    Args:
        name: its label.
        around: the labels before and behind it.
        data: the data of the record.
        way: where bytes come from and go to: "guest" and "kept".
    """
    text = _COPY.replace("NAME", name).replace("DATA", data)
    for word, value in zip(("BEFORE", "BEHIND", "FROM", "TO"), (*around, *way), strict=True):
        text = text.replace(word, value)
    return text
