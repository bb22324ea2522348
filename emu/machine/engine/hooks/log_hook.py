"""Makes the hook of `emu.machine.engine.watch.access_log` in machine code.

All memory is one array of 64-bit words: a header, then a record for each access. A *mark* is a byte
for each byte of guest memory. The hook does what this Python code says, with ``words`` the array
and ``marks`` the marks ::

    offset = address - words[BASE]
    if offset + size > words[SIZE]:  # as unsigned numbers
        return
    if is_store:
        is_known = marks[offset] & STORED and marks[offset + size - 1] & STORED
        marks[offset : offset + size] |= STORED
    else:
        is_known = marks[offset] & (STORED | size)
        marks[offset] |= size
    if is_known:
        return
    if words[USED] == MOST:
        words[FULL] = 1
        return
    words[HEADER + words[USED]] = address << 8 | size << 1 | is_store
    words[USED] += 1
"""

from __future__ import annotations

import functools

from emu.machine.engine.base.native import NativeFunction

BASE, SIZE, MARKS, USED, FULL = range(5)
"""Indexes of header words: the guest address and the size of memory; where the marks are; how many
records there are; whether one found no place."""
HEADER = 8
MOST = 1 << 16
"""Places for records."""

_STORED = 64
_WRITE = 17  # UC_MEM_WRITE

_TEXT = f"""
define void @on_access(i64 %engine, i32 %type, i64 %address, i32 %bytes, i64 %value, i64* %words) {{
  %size = zext i32 %bytes to i64
  %base = load i64, i64* %words
  %offset = sub i64 %address, %base
  %behind = add i64 %offset, %size
  %size_place = getelementptr i64, i64* %words, i64 {SIZE}
  %memory_size = load i64, i64* %size_place
  %starts = icmp ult i64 %offset, %memory_size
  %ends = icmp ule i64 %behind, %memory_size
  %is_inside = and i1 %starts, %ends
  br i1 %is_inside, label %look, label %end
look:
  %marks_place = getelementptr i64, i64* %words, i64 {MARKS}
  %marks_address = load i64, i64* %marks_place
  %marks = inttoptr i64 %marks_address to i8*
  %first = getelementptr i8, i8* %marks, i64 %offset
  %first_mark = load i8, i8* %first
  %is_store = icmp eq i32 %type, {_WRITE}
  br i1 %is_store, label %store, label %load
load:
  %kind = trunc i64 %size to i8
  %wanted = or i8 %kind, {_STORED}
  %both = and i8 %first_mark, %wanted
  %is_loaded = icmp ne i8 %both, 0
  %new_mark = or i8 %first_mark, %kind
  store i8 %new_mark, i8* %first
  br i1 %is_loaded, label %end, label %note
store:
  %last_offset = sub i64 %behind, 1
  %last = getelementptr i8, i8* %marks, i64 %last_offset
  %last_mark = load i8, i8* %last
  %common = and i8 %first_mark, %last_mark
  %stored = and i8 %common, {_STORED}
  %is_stored = icmp ne i8 %stored, 0
  br i1 %is_stored, label %end, label %mark
mark:
  %at = phi i64 [ %offset, %store ], [ %next, %mark ]
  %place = getelementptr i8, i8* %marks, i64 %at
  %before = load i8, i8* %place
  %after = or i8 %before, {_STORED}
  store i8 %after, i8* %place
  %next = add i64 %at, 1
  %goes_on = icmp ult i64 %next, %behind
  br i1 %goes_on, label %mark, label %note
note:
  %used_place = getelementptr i64, i64* %words, i64 {USED}
  %used = load i64, i64* %used_place
  %is_full = icmp uge i64 %used, {MOST}
  br i1 %is_full, label %full, label %append
append:
  %high = shl i64 %address, 8
  %middle = shl i64 %size, 1
  %low = zext i1 %is_store to i64
  %high_middle = or i64 %high, %middle
  %record = or i64 %high_middle, %low
  %index = add i64 %used, {HEADER}
  %record_place = getelementptr i64, i64* %words, i64 %index
  store i64 %record, i64* %record_place
  %more = add i64 %used, 1
  store i64 %more, i64* %used_place
  br label %end
full:
  %full_place = getelementptr i64, i64* %words, i64 {FULL}
  store i64 1, i64* %full_place
  br label %end
end:
  ret void
}}
"""


@functools.cache
def hook() -> NativeFunction:
    """The hook."""
    return NativeFunction(_TEXT, "on_access")
