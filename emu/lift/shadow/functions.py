"""Functions in LLVM's assembler language that translated code calls where a check is not trivial.

Translated code looks at the shadow itself. It calls these functions only where the shadow says
something, so they may take some nanoseconds. They say what they find with `check_note`, and change
the shadow as the access does.
"""

from __future__ import annotations

from emu.lift.shadow.areas import BITS, HEADER
from emu.lift.shadow.check_form import CheckForm
from emu.lift.shadow.check_sites import SITE
from emu.lift.shadow.layout import (
    ADDRESS,
    BYTES,
    CALL,
    DEAD,
    FULL,
    HEADER_WORDS,
    NOTED,
    NUMBER,
    ONLY,
    PARTLY,
    POINTER,
    RECORD_WORDS,
    RECORDS,
    STACK,
    STACK_SIZE,
    USED,
    VIRGIN,
    NoteKind,
)
from emu.lift.shadow.loops import LOOP
from emu.machine.engine.watch.accesses import CODE, EDGE, LIMIT, OUTSIDE, UNDEFINED

COLD = "preserve_mostcc"
"""The calling convention: it keeps nearly all registers, so the fast way has them for itself."""

_HASH = 0x9E3779B97F4A7C15


def every(bits: int, size: int = 8) -> int:
    """Bits of the shadow in each of some bytes."""
    return int.from_bytes(bytes([bits]) * size, "little")


def _word(name: str, index: int) -> str:
    """An instruction that makes a pointer to a word of the header."""
    return f"%{name} = getelementptr i8, ptr %shadow, i64 {HEADER + 8 * index}"


def _record(name: str, index: int) -> str:
    return f"%{name} = getelementptr i8, ptr %record, i64 {8 * index}"


_NOTED = "ptr %shadow, i32 %kind, i32 %at, i32 %address, i32 %size, i32 %pointer"

_NOTE = f"""
define internal {COLD} void @check_note({_NOTED}) cold noinline nounwind {{
entry:
  {_word("noted", NOTED)}
  %kinds = load i64, ptr %noted
  %place = zext i32 %kind to i64
  %bit = shl i64 1, %place
  %more = or i64 %kinds, %bit
  store i64 %more, ptr %noted
  %wide = zext i32 %at to i64
  %high = shl i64 %wide, 8
  %key = or i64 %high, %place
  %mixed = mul i64 %key, {_HASH - (1 << 64)}
  %first = lshr i64 %mixed, 52
  br label %search
search:
  %number = phi i64 [ %first, %entry ], [ %following, %other ]
  %slot = and i64 %number, {RECORDS - 1}
  %offset = mul i64 %slot, {8 * RECORD_WORDS}
  %start = add i64 %offset, {HEADER + 8 * HEADER_WORDS}
  %record = getelementptr i8, ptr %shadow, i64 %start
  %seen = load i64, ptr %record
  %known = icmp eq i64 %seen, %key
  br i1 %known, label %end, label %other
other:
  %following = add i64 %number, 1
  %free = icmp eq i64 %seen, 0
  br i1 %free, label %empty, label %search
empty:
  {_word("usedp", USED)}
  %used = load i64, ptr %usedp
  %fits = icmp ult i64 %used, {RECORDS // 2}
  br i1 %fits, label %new, label %full
full:
  {_word("fullp", FULL)}
  store i64 1, ptr %fullp
  br label %end
new:
  %total = add i64 %used, 1
  store i64 %total, ptr %usedp
  {_word("numberp", NUMBER)}
  %call = load i64, ptr %numberp
  store i64 %key, ptr %record
  {_record("addressp", ADDRESS)}
  %addressw = zext i32 %address to i64
  store i64 %addressw, ptr %addressp
  {_record("sizep", BYTES)}
  %sizew = zext i32 %size to i64
  store i64 %sizew, ptr %sizep
  {_record("pointerp", POINTER)}
  %pointerw = zext i32 %pointer to i64
  store i64 %pointerw, ptr %pointerp
  {_record("callp", CALL)}
  store i64 %call, ptr %callp
  br label %end
end:
  ret void
}}
"""


def _call_note(kind: NoteKind) -> str:
    arguments = "i32 %at, i32 %address, i32 %size, i32 %pointer"
    return f"call {COLD} void @check_note(ptr %shadow, i32 {kind}, {arguments})"


def _noted(condition: str, kind: NoteKind, number: int) -> str:
    """Instructions that note something if a condition holds."""
    return f"""
  br i1 {condition}, label %note{number}, label %after{number}
note{number}:
  {_call_note(kind)}
  br label %after{number}
after{number}:"""


def _has(name: str, state: str, bits: int) -> str:
    """Instructions that make ``%name`` say whether a state has any of some bits."""
    signed = bits - (1 << 64) if bits >> 63 else bits
    return f"""
  %{name}bits = and i64 {state}, {signed}
  %{name} = icmp ne i64 %{name}bits, 0"""


def _state(aligned: int, *, is_store: bool) -> str:
    """Instructions that load the shadow of an access, and note what is wrong with any access.

    An instruction that pushes something may store below the stack pointer first.
    """
    below = "%dead"
    more = ""
    if is_store:
        below = "%below"
        more = """
  %stays = xor i1 %pushes, true
  %below = and i1 %dead, %stays"""
    return f"""{SITE}
  %wide = zext i32 %address to i64
  %place = getelementptr i8, ptr %shadow, i64 %wide
  %whole = load i64, ptr %place, align 1
  %bytes = zext i32 %size to i64
  %count = shl i64 %bytes, 3
  %unused = sub i64 64, %count
  %mask = lshr i64 -1, %unused
  %state = and i64 %whole, %mask
  %less = sub i32 %size, 1
  %low = and i32 %address, %less
  %odd = and i32 %low, {aligned}
  %misaligned = icmp ne i32 %odd, 0{_noted("%misaligned", NoteKind.MISALIGNED, 1)}{
        _has("dead", "%state", every(DEAD))
    }{more}{_noted(below, NoteKind.BELOW_STACK, 2)}
  %inner = lshr i64 %state, 8{_has("edge", "%inner", every(EDGE))}{
        _noted("%edge", NoteKind.TWO_OBJECTS, 3)
    }{_has("limit", "%state", LIMIT)}"""


def _at_limit(form: CheckForm, *, is_store: bool) -> str:
    if form is not CheckForm.LOOPS:
        step = """
  %front = sub i32 %address, %size
  %follows = icmp eq i32 %last, %front
  %beyond = and i1 %limit, %follows"""
        return step + _noted("%beyond", NoteKind.AT_LIMIT, 4)
    loop = f"call i1 @check_loop(ptr %shadow, i32 %at, i32 %address, i32 %size, i32 {is_store:d})"
    return f"""
  br i1 %limit, label %limit4, label %after4
limit4:
  %goes_on = {loop}
  br i1 %goes_on, label %note4, label %after4
note4:
  {_call_note(NoteKind.BEYOND_END)}
  br label %after4
after4:"""


_ARGUMENTS = "ptr %shadow, i32 %address, i32 %pointer, i32 %site"


def _load(aligned: int, form: CheckForm) -> str:
    """`check_load`: gives the undefined bits of what is loaded, if they are followed."""
    head = f"""
define internal {COLD} i64 @check_load({_ARGUMENTS}) cold noinline nounwind {{{
        _state(aligned, is_store=False)
    }{_at_limit(form, is_store=False)}{_has("outside", "%state", every(OUTSIDE))}{
        _noted("%outside", NoteKind.READ_OUTSIDE, 5)
    }{_has("undefined", "%state", every(UNDEFINED))}{
        _noted("%undefined", NoteKind.READ_UNDEFINED, 6)
    }"""
    if form is not CheckForm.BITS:
        return f"{head}\n  ret i64 0\n}}\n"
    ones, undefined, partly = every(1), UNDEFINED.bit_length() - 1, PARTLY.bit_length() - 1
    return f"""{head}
  {_word("onlyp", ONLY)}
  %only = load i64, ptr %onlyp
  %here = zext i32 %at to i64
  %all = icmp eq i64 %only, 0
  %same = icmp eq i64 %only, %here
  %was_partly = and i64 %state, {every(PARTLY)}
  %stored = icmp ne i64 %was_partly, 0
  %chosen = or i1 %all, %same
  %counts = or i1 %chosen, %stored
  br i1 %counts, label %compute, label %defined
defined:
  ret i64 0
compute:
  %u = lshr i64 %state, {undefined}
  %u1 = and i64 %u, {ones}
  %p = lshr i64 %state, {partly}
  %p1 = and i64 %p, {ones}
  %not_p = xor i64 %p1, {ones}
  %unstored = and i64 %u1, %not_p
  %new = select i1 %chosen, i64 %unstored, i64 0
  %fully = mul i64 %new, 255
  %partly = mul i64 %p1, 255
  %at_bits = add i64 %wide, {BITS}
  %bitsp = getelementptr i8, ptr %shadow, i64 %at_bits
  %kept = load i64, ptr %bitsp, align 1
  %some = and i64 %kept, %partly
  %both = or i64 %some, %fully
  %masked = and i64 %both, %mask
  %swapped = call i64 @llvm.bswap.i64(i64 %masked)
  %value = lshr i64 %swapped, %unused
  ret i64 %value
}}
"""


def _store(aligned: int, form: CheckForm) -> str:
    """`check_store`: ``%bits`` are the undefined bits of what is stored."""
    text = f"""
define internal {COLD} void @check_store({_ARGUMENTS}, i64 %bits) cold noinline nounwind {{{
        _state(aligned, is_store=True)
    }{_at_limit(form, is_store=True)}{_has("outside", "%state", every(OUTSIDE))}{
        _noted("%outside", NoteKind.WRITE_OUTSIDE, 5)
    }{_has("code", "%state", every(CODE))}{_noted("%code", NoteKind.WRITE_CODE, 6)}
  %cleared = and i64 %mask, {every(UNDEFINED | PARTLY)}
  %gone = xor i64 %cleared, -1
  %kept = and i64 %whole, %gone"""
    if form is not CheckForm.BITS:
        return f"{text}\n  store i64 %kept, ptr %place, align 1\n  ret void\n}}\n"
    return f"""{text}
  %has_bits = icmp ne i64 %bits, 0{_noted("%has_bits", NoteKind.STORED_UNDEFINED, 7)}
  %high = shl i64 %bits, %unused
  %swapped = call i64 @llvm.bswap.i64(i64 %high)
  %at_bits = add i64 %wide, {BITS}
  %bitsp = getelementptr i8, ptr %shadow, i64 %at_bits
  %old = load i64, ptr %bitsp, align 1
  %others = xor i64 %mask, -1
  %beside = and i64 %old, %others
  %new = or i64 %beside, %swapped
  store i64 %new, ptr %bitsp, align 1
  %low7 = and i64 %swapped, {every(0x7F)}
  %carried = add i64 %low7, {every(0x7F)}
  %either = or i64 %carried, %swapped
  %tops = lshr i64 %either, 7
  %some = and i64 %tops, {every(1)}
  %marks = mul i64 %some, {UNDEFINED | PARTLY}
  %state2 = or i64 %kept, %marks
  store i64 %state2, ptr %place, align 1
  ret void
}}
"""


_MOVED = "ptr %shadow, i32 %old, i32 %new, i32 %at, i32 %red_zone"
_AWAY = f"ptr %shadow, i32 {NoteKind.OTHER_STACK}, i32 %at, i32 %new, i32 0, i32 %old"

_STACK = f"""
define internal {COLD} void @check_stack({_MOVED}) noinline nounwind {{
  {_word("stackp", STACK)}
  {_word("sizep", STACK_SIZE)}
  %stack = load i64, ptr %stackp
  %size = load i64, ptr %sizep
  %old_pointer = zext i32 %old to i64
  %new_pointer = zext i32 %new to i64
  %old_offset = sub i64 %old_pointer, %stack
  %new_offset = sub i64 %new_pointer, %stack
  %was_there = icmp ule i64 %old_offset, %size
  %is_there = icmp ule i64 %new_offset, %size
  %both = and i1 %was_there, %is_there
  br i1 %both, label %moves, label %away
away:
  call {COLD} void @check_note({_AWAY})
  ret void
moves:
  %red = zext i32 %red_zone to i64
  %old_live = sub i64 %old_pointer, %red
  %new_live = sub i64 %new_pointer, %red
  %grows = icmp ult i64 %new_live, %old_live
  br i1 %grows, label %down, label %up
down:
  %next = phi i64 [ %new_live, %moves ], [ %next8, %down8 ], [ %next1, %down1 ]
  %left = sub i64 %old_live, %next
  %place = getelementptr i8, ptr %shadow, i64 %next
  %is_long = icmp uge i64 %left, 8
  br i1 %is_long, label %down8, label %last
down8:
  %state8 = load i64, ptr %place, align 1
  %live8 = and i64 %state8, {every(0xFF & ~(DEAD | VIRGIN))}
  store i64 %live8, ptr %place, align 1
  %next8 = add i64 %next, 8
  br label %down
last:
  %is_more = icmp ne i64 %left, 0
  br i1 %is_more, label %down1, label %done
down1:
  %state1 = load i8, ptr %place
  %live1 = and i8 %state1, {0xFF & ~(DEAD | VIRGIN)}
  store i8 %live1, ptr %place
  %next1 = add i64 %next, 1
  br label %down
up:
  %at_up = phi i64 [ %old_live, %moves ], [ %up.next8, %up8 ], [ %up.next1, %up1 ]
  %up.left = sub i64 %new_live, %at_up
  %up.place = getelementptr i8, ptr %shadow, i64 %at_up
  %up.long = icmp uge i64 %up.left, 8
  br i1 %up.long, label %up8, label %up.last
up8:
  store volatile i64 {every(DEAD | UNDEFINED)}, ptr %up.place, align 1
  %up.next8 = add i64 %at_up, 8
  br label %up
up.last:
  %up.more = icmp ne i64 %up.left, 0
  br i1 %up.more, label %up1, label %done
up1:
  store volatile i8 {DEAD | UNDEFINED}, ptr %up.place
  %up.next1 = add i64 %at_up, 1
  br label %up
done:
  ret void
}}
"""
"""Memory that becomes live keeps what is known of it, since an instruction may store before it
moves the stack pointer; what becomes dead counts as not stored. LLVM must not make a ``memset`` of
it, hence volatile: the next load of a few bytes would wait for its wide stores."""


def functions(aligned: int, form: CheckForm) -> str:
    """The text of all functions.

    Args:
        aligned: the bits of an address that have to be 0; see `Cpu.aligned`.
        form: what checks do beside asking the shadow.
    """
    more = LOOP if form is CheckForm.LOOPS else ""
    load, store = (write(aligned, form) for write in (_load, _store))
    return _NOTE + load + store + _STACK + more
