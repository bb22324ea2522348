"""Marks what becomes live or dead as the stack pointer moves, in translated code."""

from __future__ import annotations

from emu.lift.native.assembler import Assembler
from emu.lift.shadow.functions import COLD, every
from emu.lift.shadow.layout import DEAD
from emu.lift.shadow.stack_moves import StackMove
from emu.machine.engine.watch.accesses import UNDEFINED

_GONE = DEAD | UNDEFINED
_LEAST, _MOST = 4, 256
"""A rise of the stack pointer by so many bytes is marked in place, and any other by a function."""


def parts(size: int) -> list[tuple[int, int]]:
    """The offsets and sizes of the parts in which some bytes are looked at, or written."""
    found = []
    offset = 0
    while offset < size:
        part = next(one for one in (8, 4, 2, 1) if one <= size - offset)
        found.append((offset, part))
        offset += part
    return found


def mark_known_move(write: Assembler, move: StackMove, old: str, red_zone: int) -> None:
    """Mark a move by a number of bytes that is known, from a stack pointer ``old`` on."""
    free, state = move.free, UNDEFINED
    if move.distance > 0:
        free, state = ((-red_zone, move.distance),), _GONE
    for start, length in free:
        for offset, size in parts(length):
            lower = write.let(f"add i32 {old}, {start + offset}")
            place = write.host(lower, "%shadow")
            write.do(f"store i{8 * size} {every(state, size)}, ptr {place}, align 1")


def mark_move(write: Assembler, old: str, new: str, red_zone: int, rise: int) -> None:
    """Mark a move from one stack pointer to another, which is a rise by some bytes as a rule.

    UNLK frees a frame. The function's call took a fifth of the time of four-shifts at O0, and the
    loop a tenth.
    """
    if 0 < rise <= _MOST:
        usual, other, end = (write.name() for _ in range(3))
        is_usual = write.let(f"icmp eq i32 {write.let(f'sub i32 {new}, {old}')}, {rise}")
        write.do(f"br i1 {is_usual}, label %{usual}, label %{other}")
        write.label(usual)
        mark_known_move(write, StackMove(rise, frozenset(), ()), old, red_zone)
        write.do(f"br label %{end}")
        write.label(other)
        _mark_any_move(write, old, new, red_zone)
        write.do(f"br label %{end}")
        write.label(end)
        return
    _mark_any_move(write, old, new, red_zone)


def _mark_any_move(write: Assembler, old: str, new: str, red_zone: int) -> None:
    fast, wide, loop, more, last, narrow, slow, end = (write.name() for _ in range(8))
    lower = write.let(f"sub i32 {old}, {red_zone}")
    start = write.host(lower, "%shadow")
    distance = write.let(f"sub i32 {new}, {old}")
    above = write.let(f"sub i32 {distance}, {_LEAST}")
    fits = write.let(f"icmp ule i32 {above}, {_MOST - _LEAST}")
    write.do(f"br i1 {fits}, label %{fast}, label %{slow}")
    write.label(fast)
    length = write.let(f"zext i32 {distance} to i64")
    is_wide = write.let(f"icmp ugt i32 {distance}, 8")
    write.do(f"br i1 {is_wide}, label %{wide}, label %{narrow}")
    write.label(wide)  # the last 8 bytes overlap those before
    tail = write.let(f"sub i64 {length}, 8")
    write.do(f"br label %{loop}")
    write.label(loop)
    done, following = (f"%{write.name()}" for _ in range(2))
    write.do(f"{done} = phi i64 [ 0, %{wide} ], [ {following}, %{more} ]")
    is_more = write.let(f"icmp ult i64 {done}, {tail}")
    write.do(f"br i1 {is_more}, label %{more}, label %{last}")
    write.label(more)
    _mark(write, start, done, 8)
    write.do(f"{following} = add i64 {done}, 8")
    write.do(f"br label %{loop}")
    write.label(last)
    _mark(write, start, tail, 8)
    write.do(f"br label %{end}")
    write.label(narrow)
    _mark(write, start, "0", _LEAST)
    _mark(write, start, write.let(f"sub i64 {length}, {_LEAST}"), _LEAST)
    write.do(f"br label %{end}")
    write.label(slow)
    at = write.instruction.address
    arguments = f"ptr %shadow, i32 {old}, i32 {new}, i32 {at}, i32 {red_zone}"
    write.do(f"call {COLD} void @check_stack({arguments})")
    write.do(f"br label %{end}")
    write.label(end)


def _mark(write: Assembler, start: str, offset: str, size: int) -> None:
    # Volatile, or LLVM could make a memset of it: see `functions`.
    place = write.let(f"getelementptr i8, ptr {start}, i64 {offset}")
    write.do(f"store volatile i{8 * size} {every(_GONE, size)}, ptr {place}, align 1")
