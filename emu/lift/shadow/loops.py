"""Remembers accesses, and has the function of LLVM that tells whether one goes on with a loop's.

Some accesses ago the same instruction made such an access at the place in front, and as many before
that at the place in front of that one; see `emu.machine.engine.hooks.loop_hook`.
"""

from __future__ import annotations

from emu.lift.native.assembler import Assembler
from emu.lift.shadow.areas import HEADER
from emu.lift.shadow.layout import LAST, LAST_ACCESSES, RING

_ACCESS = "ptr %shadow, i32 %at, i32 %address, i32 %size, i32 %is_store"

LOOP = f"""
define internal i1 @check_loop({_ACCESS}) cold noinline nounwind {{
entry:
  %lastp = getelementptr i8, ptr %shadow, i64 {HEADER + 8 * LAST}
  %last = load i64, ptr %lastp
  %wide = zext i32 %address to i64
  %bytes = zext i32 %size to i64
  %place = shl i64 %wide, 8
  %twice = shl i64 %bytes, 1
  %store = zext i32 %is_store to i64
  %shape = or i64 %twice, %store
  %what = or i64 %place, %shape
  %step = shl i64 %bytes, 8
  %front = sub i64 %what, %step
  %front2 = sub i64 %front, %step
  %here = zext i32 %at to i64
  br label %search
search:
  %back = phi i64 [ 1, %entry ], [ %further, %no_match ]
  %done = icmp ugt i64 %back, {LAST_ACCESSES // 2}
  br i1 %done, label %no, label %look
look:
  %number = sub i64 %last, %back
  %match = call i1 @check_entry(ptr %shadow, i64 %number, i64 %front, i64 %here)
  br i1 %match, label %found, label %no_match
no_match:
  %further = add i64 %back, 1
  br label %search
found:
  %number2 = sub i64 %number, %back
  %match2 = call i1 @check_entry(ptr %shadow, i64 %number2, i64 %front2, i64 %here)
  ret i1 %match2
no:
  ret i1 false
}}
define internal i1 @check_entry(ptr %shadow, i64 %number, i64 %what, i64 %at) nounwind {{
  %slot = and i64 %number, {LAST_ACCESSES - 1}
  %offset = shl i64 %slot, 4
  %start = add i64 %offset, {HEADER + 8 * RING}
  %entry = getelementptr i8, ptr %shadow, i64 %start
  %seen = load i64, ptr %entry
  %byp = getelementptr i8, ptr %entry, i64 8
  %by = load i64, ptr %byp
  %same = icmp eq i64 %seen, %what
  %own = icmp eq i64 %by, %at
  %both = and i1 %same, %own
  ret i1 %both
}}
"""


def remember(write: Assembler, address: str, size: int, *, is_store: bool) -> None:
    """Put an access among the last ones of the whole program."""
    place = write.let(f"getelementptr i8, ptr %shadow, i64 {HEADER + 8 * LAST}")
    number = write.let(f"load i64, ptr {place}")
    slot = write.let(f"and i64 {number}, {LAST_ACCESSES - 1}")
    offset = write.let(f"shl i64 {slot}, 4")
    start = write.let(f"add i64 {offset}, {HEADER + 8 * RING}")
    entry = write.let(f"getelementptr i8, ptr %shadow, i64 {start}")
    wide = write.let(f"zext i32 {address} to i64")
    what = write.let(f"shl i64 {wide}, 8")
    what = write.let(f"or i64 {what}, {2 * size + is_store}")
    write.do(f"store i64 {what}, ptr {entry}")
    by = write.let(f"getelementptr i8, ptr {entry}, i64 8")
    write.do(f"store i64 {write.instruction.address}, ptr {by}")
    following = write.let(f"add i64 {number}, 1")
    write.do(f"store i64 {following}, ptr {place}")
