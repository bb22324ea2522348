"""Counts instructions in machine code, and stops the engine before one of them.

The hook does before each instruction what this Python code says, with ``words`` its memory ::

    if 0 <= address - words[OWN] < OWN_SIZE:
        return  # what `EngineState` executes for an instruction is not the program's
    if words[ASKED] or words[COUNT] == words[LIMIT]:
        return stop()
    if words[POINTS] and words[COUNT] != words[PASSED]:
        for number in range(words[BREAKPOINTS]):
            if words[FIRST_BREAKPOINT + number] == address:
                return stop()
        for number in range(words[WATCHED]):
            pointer, mask, expected = words[FIRST_WATCHED + 3 * number :][:3]
            if memory[pointer] & mask != expected:
                return stop()
    if table[address >> 1 & 0xFFFF] and address in noted[: words[NOTES]]:
        tell(address)
    words[COUNT] += 1
    words[LAST] = address

Notes are told from here, because Unicorn walks a list of all hooks before each instruction if there
are two: 25 more hooks on instructions of a program made it five times slower.

So watched bytes are compared before each instruction. Hooks on accesses would make every access of
the program slow (15 to 28 times: see `Accesses`), miss what several instructions of the PowerPC
store, and not see the Toolbox, which is Python.

A loop of four instructions on a 68040 runs 1,400 million instructions a second with the hook of
`stop_hook`, 280 million with this one, and 220 million with a breakpoint or eight bytes watched; on
a 601 1,280, 270 and 215 million.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import unicorn
from unicorn import unicorn_const

from emu.machine.engine.base.native import NativeFunction, add_hook, address_of_stop

MOST_BREAKPOINTS = 256
MOST_WATCHED = 64
"""How many breakpoints and watched words of eight bytes there can be."""

_COUNT, _LIMIT, _ASKED, _STOP, _POINTS, _PASSED, _BREAKPOINTS, _WATCHED, _OWN, _LAST = range(10)
_TABLE, _NOTED, _NOTES, _TELL = range(10, 14)
_FIRST_BREAKPOINT = 14
_FIRST_WATCHED = _FIRST_BREAKPOINT + MOST_BREAKPOINTS
_WORDS = _FIRST_WATCHED + 3 * MOST_WATCHED
_NEVER = (1 << 64) - 1
_OWN_SIZE = 32
_MOST_NOTES = 4096
_TABLE_SIZE = 1 << 16

_TEXT = f"""
define void @on_instruction(i64 %engine, i64 %address, i32 %size, i64* %words) {{
  %own_place = getelementptr i64, i64* %words, i64 {_OWN}
  %own = load i64, i64* %own_place
  %distance = sub i64 %address, %own
  %is_own = icmp ult i64 %distance, {_OWN_SIZE}
  br i1 %is_own, label %pass_by, label %program
pass_by:
  ret void
program:
  %count = load i64, i64* %words
  %limit_place = getelementptr i64, i64* %words, i64 {_LIMIT}
  %limit = load i64, i64* %limit_place
  %asked_place = getelementptr i64, i64* %words, i64 {_ASKED}
  %asked = load volatile i64, i64* %asked_place
  %is_due = icmp eq i64 %count, %limit
  %is_asked = icmp ne i64 %asked, 0
  %stops = or i1 %is_due, %is_asked
  br i1 %stops, label %stop, label %look
look:
  %points_place = getelementptr i64, i64* %words, i64 {_POINTS}
  %points = load i64, i64* %points_place
  %has_points = icmp ne i64 %points, 0
  br i1 %has_points, label %pass, label %end
pass:
  %passed_place = getelementptr i64, i64* %words, i64 {_PASSED}
  %passed = load i64, i64* %passed_place
  %passes = icmp eq i64 %count, %passed
  br i1 %passes, label %end, label %begin
begin:
  %breakpoints_place = getelementptr i64, i64* %words, i64 {_BREAKPOINTS}
  %breakpoints = load i64, i64* %breakpoints_place
  %watched_place = getelementptr i64, i64* %words, i64 {_WATCHED}
  %watched = load i64, i64* %watched_place
  br label %next
next:
  %number = phi i64 [ 0, %begin ], [ %number_after, %compare ]
  %has_more = icmp ult i64 %number, %breakpoints
  br i1 %has_more, label %compare, label %next_word
compare:
  %index = add i64 %number, {_FIRST_BREAKPOINT}
  %place = getelementptr i64, i64* %words, i64 %index
  %breakpoint = load i64, i64* %place
  %number_after = add i64 %number, 1
  %is_here = icmp eq i64 %breakpoint, %address
  br i1 %is_here, label %stop, label %next
next_word:
  %word = phi i64 [ 0, %next ], [ %word_after, %compare_word ]
  %has_word = icmp ult i64 %word, %watched
  br i1 %has_word, label %compare_word, label %end
compare_word:
  %offset = mul i64 %word, 3
  %pointer_index = add i64 %offset, {_FIRST_WATCHED}
  %pointer_place = getelementptr i64, i64* %words, i64 %pointer_index
  %pointer_word = load i64, i64* %pointer_place
  %pointer = inttoptr i64 %pointer_word to i64*
  %bytes = load i64, i64* %pointer, align 1
  %mask_place = getelementptr i64, i64* %pointer_place, i64 1
  %mask = load i64, i64* %mask_place
  %seen = and i64 %bytes, %mask
  %expected_place = getelementptr i64, i64* %pointer_place, i64 2
  %expected = load i64, i64* %expected_place
  %word_after = add i64 %word, 1
  %is_same = icmp eq i64 %seen, %expected
  br i1 %is_same, label %next_word, label %stop
stop:
  store volatile i64 0, i64* %asked_place
  %stop_place = getelementptr i64, i64* %words, i64 {_STOP}
  %function = load i64, i64* %stop_place
  %emu_stop = inttoptr i64 %function to i32 (i64)*
  %error = call i32 %emu_stop(i64 %engine)
  ret void
end:
  %table_place = getelementptr i64, i64* %words, i64 {_TABLE}
  %table = load i64, i64* %table_place
  %half = lshr i64 %address, 1
  %slot = and i64 %half, {_TABLE_SIZE - 1}
  %mark_word = add i64 %table, %slot
  %mark_place = inttoptr i64 %mark_word to i8*
  %mark = load i8, i8* %mark_place
  %is_marked = icmp ne i8 %mark, 0
  br i1 %is_marked, label %search, label %done
search:
  %notes_place = getelementptr i64, i64* %words, i64 {_NOTES}
  %notes = load i64, i64* %notes_place
  %noted_place = getelementptr i64, i64* %words, i64 {_NOTED}
  %noted_word = load i64, i64* %noted_place
  %noted = inttoptr i64 %noted_word to i64*
  br label %next_note
next_note:
  %note = phi i64 [ 0, %search ], [ %note_after, %compare_note ]
  %has_note = icmp ult i64 %note, %notes
  br i1 %has_note, label %compare_note, label %done
compare_note:
  %note_place = getelementptr i64, i64* %noted, i64 %note
  %noted_address = load i64, i64* %note_place
  %note_after = add i64 %note, 1
  %is_noted = icmp eq i64 %noted_address, %address
  br i1 %is_noted, label %tell, label %next_note
tell:
  %tell_place = getelementptr i64, i64* %words, i64 {_TELL}
  %tell_word = load i64, i64* %tell_place
  %tell_function = inttoptr i64 %tell_word to void (i64)*
  call void %tell_function(i64 %address)
  br label %done
done:
  %more = add i64 %count, 1
  store i64 %more, i64* %words
  %last_place = getelementptr i64, i64* %words, i64 {_LAST}
  store i64 %address, i64* %last_place
  ret void
}}
"""


_TELL_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_uint64)


@dataclass(frozen=True, slots=True)
class WatchedWord:
    """Up to eight bytes of this process that are compared before each instruction.

    Attributes:
        place: the address of eight bytes, which have to be there, in this process.
        mask: which bits count, of the bytes as a number of this computer.
        expected: these bits as they should be.
    """

    place: int
    mask: int
    expected: int


class InstructionCounter:
    """The number of instructions that an engine has executed; to be made before it has run.

    Args:
        engine: the engine. Other hooks on instructions or accesses come after it, so that they are
            not called for an instruction before which it stops the engine.
        own: the address where `EngineState` puts code of its own.
        tell: is called with the address of each instruction that is noted, before it is executed.
    """

    def __init__(self, engine: unicorn.Uc, own: int, tell: Callable[[int], None]) -> None:
        self._words = (ctypes.c_uint64 * _WORDS)()
        self._words[_STOP], self._words[_OWN] = address_of_stop(), own
        self._words[_LIMIT] = self._words[_PASSED] = self._words[_LAST] = _NEVER
        self._table = (ctypes.c_uint8 * _TABLE_SIZE)()
        self._noted = (ctypes.c_uint64 * _MOST_NOTES)()
        self._tell = _TELL_TYPE(tell)  # keeps it alive as long as the hook calls it
        self._words[_TABLE] = ctypes.addressof(self._table)
        self._words[_NOTED] = ctypes.addressof(self._noted)
        self._words[_TELL] = ctypes.cast(self._tell, ctypes.c_void_p).value or 0
        add_hook(engine, unicorn_const.UC_HOOK_CODE, _function(), ctypes.addressof(self._words))

    @property
    def count(self) -> int:
        """How many instructions were executed."""
        return self._words[_COUNT]

    @property
    def limit(self) -> int | None:
        """The count at which the engine stops before the next instruction; None for none."""
        limit = self._words[_LIMIT]
        return None if limit == _NEVER else limit

    @limit.setter
    def limit(self, limit: int | None) -> None:
        self._words[_LIMIT] = _NEVER if limit is None else limit

    def ask(self) -> None:
        """Stop the engine before the next instruction, in this run or the next; from any thread."""
        self._words[_ASKED] = 1

    def note(self, address: int) -> bool:
        """Tell of the instruction at an address; False if there are too many to be told of."""
        number = self._words[_NOTES]
        if number == _MOST_NOTES:
            return False
        self._noted[number] = address
        self._table[(address >> 1) % _TABLE_SIZE] = 1
        self._words[_NOTES] = number + 1
        return True

    def add(self) -> None:
        """Count an instruction that Python has executed."""
        self._words[_COUNT] += 1

    def take_back(self, address: int) -> bool:
        """Take back the last instruction if it is that at an address: it was not executed."""
        if self._words[_LAST] != address:
            return False
        self._words[_COUNT] -= 1
        self._words[_LAST] = _NEVER
        return True

    def stops_at(self, address: int) -> bool:
        """Whether the hook would stop the engine before the instruction at an address."""
        words = self._words
        if words[_COUNT] == words[_LIMIT]:
            return True
        if not words[_POINTS] or words[_COUNT] == words[_PASSED]:
            return False
        last = _FIRST_BREAKPOINT + words[_BREAKPOINTS]
        return address in words[_FIRST_BREAKPOINT:last] or self.has_changes()

    def has_changes(self) -> bool:
        """Whether a watched word is not as expected."""
        words = self._words
        for first in range(_FIRST_WATCHED, _FIRST_WATCHED + 3 * words[_WATCHED], 3):
            place, mask, expected = words[first : first + 3]
            if ctypes.c_uint64.from_address(place).value & mask != expected:
                return True
        return False

    def pass_points(self) -> None:
        """Do not stop at breakpoints and watched words before the next instruction."""
        self._words[_PASSED] = self._words[_COUNT]

    def set_points(self, breakpoints: Sequence[int], watched: Sequence[WatchedWord]) -> None:
        """Set where the engine stops, in place of all that was set before.

        Args:
            breakpoints: addresses of instructions, at most `MOST_BREAKPOINTS`.
            watched: words of which at most `MOST_WATCHED` can be watched.
        """
        words = self._words
        words[_FIRST_BREAKPOINT : _FIRST_BREAKPOINT + len(breakpoints)] = list(breakpoints)
        for number, word in enumerate(watched):
            first = _FIRST_WATCHED + 3 * number
            words[first : first + 3] = [word.place, word.mask, word.expected]
        words[_BREAKPOINTS], words[_WATCHED] = len(breakpoints), len(watched)
        words[_POINTS] = bool(breakpoints or watched)
        words[_PASSED] = _NEVER


@functools.cache
def _function() -> NativeFunction:
    return NativeFunction(_TEXT, "on_instruction")
