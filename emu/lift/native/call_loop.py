"""The loop that makes many calls of a translated program, in LLVM's assembler language.

The function ``calls`` makes them: it lays the stack, the frame and the data of each call into guest
memory, calls the program, and copies the frame and the data back. It stops at nothing: the outcome
of each call stands in its record.
"""

from __future__ import annotations

RETURNED, UNKNOWN_TARGET, LEFT_CODE = range(3)
"""The outcome of a call: it returned; it came to an address that is not translated; or to an
instruction that is not."""

_LOOP = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; memory, shadow, marks, stacks, given, made, pieces, progress; then numbers
%plan = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64, i64, i64 }
; guest address, offset in a record's data, bytes
%piece = type { i64, i64, i64 }

define void @calls(ptr noalias %plan, i64 %count) nounwind {
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
  %data.offset = add i64 %frame.size, 16
  %is.none = icmp eq i64 %count, 0
  br i1 %is.none, label %end, label %call
call:
  %number = phi i64 [ 0, %entry ], [ %next, %kept ]
  %offset = mul i64 %number, %record.size
  %record = getelementptr i8, ptr %given, i64 %offset
  %result = getelementptr i8, ptr %made, i64 %offset
  %stack.number = load i64, ptr %record
  %stack.offset = mul i64 %stack.number, %stack.size
  %stack.top = add i64 %stack.offset, %above
  %stack.from = getelementptr i8, ptr %stacks, i64 %stack.top
  call void @llvm.memcpy.p0.p0.i64(ptr %top, ptr %stack.from, i64 %depth, i1 false)
  %frame.from = getelementptr i8, ptr %record, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %frame, ptr %frame.from, i64 %frame.size, i1 false)
  %data = getelementptr i8, ptr %record, i64 %data.offset
  br label %lay
LAY
run:
  call void @llvm.memset.p0.i64(ptr %state, i8 0, i64 STATE_SIZE, i1 false)
BEFORE_CALL
  %marks.offset = mul i64 %number, MARKS_SIZE
  %own.marks = getelementptr i8, ptr %marks, i64 %marks.offset
  %outcome = call i32 @guest(ptr %state, ptr %memory, ptr %shadow, ptr %own.marks, i32 %start)
AFTER_CALL
  %outcome.wide = zext i32 %outcome to i64
  store i64 %outcome.wide, ptr %result
  %pc = load i32, ptr %state
  %pc.wide = zext i32 %pc to i64
  %pc.at = getelementptr i8, ptr %result, i64 8
  store i64 %pc.wide, ptr %pc.at
  %frame.to = getelementptr i8, ptr %result, i64 16
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
    text = _LOOP.replace("STATE_SIZE", str(state_size)).replace("MARKS_SIZE", str(marks_size))
    text = text.replace("LAY", _copy("lay", ("call", "run"), "%data", ("kept", "guest")))
    text = text.replace("KEEP", _copy("keep", ("run", "kept"), "%result.data", ("guest", "kept")))
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
