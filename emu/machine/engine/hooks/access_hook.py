"""Makes the hooks of `emu.machine.engine.watch.accesses` in machine code.

They look at every access to memory and at every block, so they may take a few nanoseconds. All
they know is one array of 64-bit words, the header, and the *shadow*: a byte for each byte of guest
memory, with bits that say what is wrong with an access to it. Most accesses find zeros there.

The hooks do what this Python code says, with ``words`` the header ::

    def on_block(address, size):
        mix(address << 32 | size)
        words[BLOCK], words[BLOCKS] = address, words[BLOCKS] + 1
        live = stack_pointer() - words[RED_ZONE]
        if live - words[STACK] >= words[STACK_SIZE]:  # as unsigned numbers: it is elsewhere
            return
        words[LIVE] = live
        if words[POISON] < 256 and words[LOWEST] < live:  # what was stored there is dead
            shadow[words[LOWEST]:live] = UNDEFINED
            memory[words[LOWEST]:live] = words[POISON]
            words[LOWEST] = live


    def on_access(type, address, size):
        if address & size - 1 & words[ALIGNED]:
            note(MISALIGNED)
        if address - words[BASE] >= words[SIZE]:  # as unsigned numbers
            return note(HIGH_BITS) if (address & words[LINES]) - words[BASE] < words[SIZE]
        mix(address << 8 | size << 1 | is_write)
        if words[STACK] <= address < words[LIVE]:
            if address < stack_pointer() - words[RED_ZONE]:
                note(BELOW_STACK)
        if is_write and words[STACK] <= address < words[LOWEST]:
            words[LOWEST] = address
            words[DEEPEST] = min(words[DEEPEST], address)
        state = shadow[address:address + size]
        if state[0] & LIMIT and it goes on with accesses of a loop (see `loop_hook`):
            note(BEYOND_END)
        ...  # note what its other bits say; a store makes bytes defined
        if not is_write and UNDEFINED in state:
            note(UNDEFINED)
            if words[CHANGED] in (EVERYWHERE, program_counter()):
                # The next use of the bytes finds others, once.
                replace each byte by byte & words[KEPT] ^ words[TURNED]

``mix`` makes a digest of all that a run does; two runs that use the same addresses in the same
order have one digest. ``note`` enters a kind and a program counter into a table, once.
"""

from __future__ import annotations

from llvmlite import ir

from emu.machine.engine.base.native import NativeFunction
from emu.machine.engine.hooks.loop_hook import LAST, LAST_SIZE, Places, make_is_loop, remember
from emu.machine.engine.hooks.multiple_hook import write_hook

BASE, SIZE, SHADOW, MEMORY, STACK, STACK_SIZE, RED_ZONE, POISON, ALIGNED = range(9)
POINTER, COUNTER, READ, LIVE, LOWEST, DEEPEST, DIGEST, CALL = range(9, 17)
CHANGED, KEPT, TURNED, USED, FULL, BLOCK, BLOCKS, ACCESSES, GENERAL, LINES = range(17, 27)
"""Indexes of header words: the guest address and the size of memory; where the shadow and the
memory are; the lowest address of the stack, and bytes from there to the highest that a routine
uses; the bytes below the stack pointer that are a routine's own; what fills dead memory; the bits
of an address that must be 0; the engine's numbers of stack pointer and program counter, and its
function that reads a register; the lowest live address of the stack; the lowest that was stored to;
the lowest of all calls; the digest; the number of the call; the place at which undefined bytes are
replaced, and by what; how many records there are; whether one found no place; the block under way,
its number, the number of the next access; the engine's number of r0 of a PowerPC; and the bits of
an address that the processor puts out."""

HEADER = 32

KEY, ADDRESS, BYTES, SP, FIRST, COUNT = range(6)
"""Indexes of words in a record: the program counter times 256 plus the kind; the address and the
size of the first such access, the stack pointer and the call; how often it happened."""

RECORD_SIZE = 8
RECORDS = 1 << 12
"""Places for records, a power of two; at most half of them are used."""

MISALIGNED, BELOW_STACK, TWO_OBJECTS, READ_OUTSIDE, WRITE_OUTSIDE, WRITE_CODE = range(1, 7)
READ_UNDEFINED, BEYOND_END, HIGH_BITS = range(7, 10)
"""The kinds of records."""

OUTSIDE, UNDEFINED, CODE, EDGE, REPLACED, LIMIT = 1, 2, 4, 8, 16, 32
"""Bits of the shadow: the byte belongs to no object; nobody has stored it; it is code; another
object begins there; it was replaced; the object in front of it has several elements."""

NOWHERE, EVERYWHERE = 0, (1 << 64) - 1
"""Values of `CHANGED` besides a program counter."""

RING = HEADER + RECORDS * RECORD_SIZE
"""Where the last accesses are remembered; see `loop_hook`."""
WORDS = RING + LAST * LAST_SIZE
"""How many words there are in all."""

_PLACES = Places(BLOCK, BLOCKS, ACCESSES, RING)
_WRITE = 17  # UC_MEM_WRITE
_HASH = 0x9E3779B97F4A7C15
_BYTE, _INT, _INT32 = ir.IntType(8), ir.IntType(64), ir.IntType(32)
_POINTER = _BYTE.as_pointer()
_REGISTER = ir.FunctionType(_INT32, (_INT, _INT32, _POINTER)).as_pointer()


def _all(bits: int) -> ir.Constant:
    """Bits of the shadow in each of eight bytes."""
    return ir.Constant(_INT, bits * 0x0101010101010101)


class Function:
    """Writes one function.

    Args:
        module: where it goes.
        name: its name.
        arguments: their types; the last one is the header's address.
    """

    def __init__(self, module: ir.Module, name: str, *arguments: ir.Type) -> None:
        kind = ir.FunctionType(ir.VoidType(), (*arguments, _INT))
        self.function = ir.Function(module, kind, name)
        self.build = ir.IRBuilder(self.function.append_basic_block())
        *self.arguments, self.header = self.function.args
        self._value = self.build.alloca(_INT)

    def _place(self, word: int) -> ir.Value:
        address = self.build.add(self.header, _INT(8 * word))
        return self.build.inttoptr(address, _INT.as_pointer())

    def load(self, word: int) -> ir.Value:
        """A word of the header."""
        return self.build.load(self._place(word))

    def store(self, word: int, value: ir.Value) -> None:
        """Set a word of the header."""
        self.build.store(value, self._place(word))

    def at(self, area: int, offset: ir.Value) -> ir.Value:
        """A pointer to eight bytes of the shadow or of memory, which may begin anywhere."""
        place = self.build.add(self.load(area), offset)
        return self.build.inttoptr(place, _INT.as_pointer())

    def register(self, word: int, further: ir.Value | None = None) -> ir.Value:
        """The value of a register of 32 bits, whose number is a header word and some more."""
        self.build.store(_INT(0), self._value)
        read = self.build.inttoptr(self.load(READ), _REGISTER)
        number = self.build.trunc(self.build.add(self.load(word), further or _INT(0)), _INT32)
        value = self.build.bitcast(self._value, _POINTER)
        self.build.call(read, (self.arguments[0], number, value))
        return self.build.load(self._value)

    def mix(self, value: ir.Value) -> None:
        """Let the digest depend on a value."""
        mixed = self.build.mul(self.build.xor(self.load(DIGEST), value), _INT(_HASH))
        turned = self.build.or_(
            self.build.shl(mixed, _INT(29)), self.build.lshr(mixed, _INT(64 - 29))
        )
        self.store(DIGEST, turned)

    def below(self, value: ir.Value, other: ir.Value) -> ir.Value:
        """Whether one number is less than another, both unsigned."""
        return self.build.icmp_unsigned("<", value, other)

    def has(self, state: ir.Value, bits: ir.Value) -> ir.Value:
        """Whether a state has any of some bits."""
        return self.build.icmp_unsigned("!=", self.build.and_(state, bits), _INT(0))


def _build() -> ir.Module:
    module = ir.Module(name="accesses")
    _on_block(module)
    on_access = _on_access(module, _note(module), make_is_loop(module, _PLACES))
    write = Function(module, "on_multiple", _INT, _INT, _INT32)
    offset = write.build.sub(write.arguments[1], write.load(BASE))
    code = write.build.bitcast(write.at(MEMORY, offset), _INT32.as_pointer())
    write_hook(write, on_access, code, GENERAL)
    return module


def _note(module: ir.Module) -> ir.Function:
    """A function of engine, kind, address and size: enters a record, or counts it."""
    write = Function(module, "note", _INT, _INT, _INT, _INT)
    build = write.build
    _, kind, address, size = write.arguments
    key = build.or_(build.shl(write.register(COUNTER), _INT(8)), kind)
    place = build.alloca(_INT)
    build.store(build.lshr(build.mul(key, _INT(_HASH)), _INT(64 - 12)), place)
    search, other, empty, new, known, end = (write.function.append_basic_block() for _ in range(6))
    build.branch(search)
    build.position_at_end(search)
    slot = build.and_(build.load(place), _INT(RECORDS - 1))
    start = build.add(write.header, build.mul(slot, _INT(8 * RECORD_SIZE)))
    start = build.add(start, _INT(8 * HEADER))

    def word(index: int) -> ir.Value:
        return build.inttoptr(build.add(start, _INT(8 * index)), _INT.as_pointer())

    seen = build.load(word(KEY))
    build.cbranch(build.icmp_unsigned("==", seen, key), known, other)
    build.position_at_end(other)
    build.store(build.add(slot, _INT(1)), place)
    build.cbranch(build.icmp_unsigned("==", seen, _INT(0)), empty, search)
    build.position_at_end(empty)
    write.store(FULL, _INT(1))
    used = write.load(USED)
    build.cbranch(write.below(used, _INT(RECORDS // 2)), new, end)
    build.position_at_end(new)
    write.store(FULL, _INT(0))
    write.store(USED, build.add(used, _INT(1)))
    for index, value in (
        (KEY, key),
        (ADDRESS, address),
        (BYTES, size),
        (SP, write.register(POINTER)),
        (FIRST, write.load(CALL)),
    ):
        build.store(value, word(index))
    build.branch(known)
    build.position_at_end(known)
    build.store(build.add(build.load(word(COUNT)), _INT(1)), word(COUNT))
    build.branch(end)
    build.position_at_end(end)
    build.ret_void()
    return write.function


def _on_block(module: ir.Module) -> None:
    write = Function(module, "on_block", _INT, _INT, _INT32)
    build = write.build
    _, address, size = write.arguments
    write.mix(build.or_(build.shl(address, _INT(32)), build.zext(size, _INT)))
    write.store(BLOCK, address)
    write.store(BLOCKS, build.add(write.load(BLOCKS), _INT(1)))
    live = build.sub(write.register(POINTER), write.load(RED_ZONE))
    with build.if_then(write.below(build.sub(live, write.load(STACK)), write.load(STACK_SIZE))):
        write.store(LIVE, live)
        lowest = write.load(LOWEST)
        has_poison = write.below(write.load(POISON), _INT(1 << 8))
        with build.if_then(build.and_(has_poison, write.below(lowest, live))):
            offset = build.sub(lowest, write.load(BASE))
            length = build.sub(live, lowest)
            fill = module.declare_intrinsic("llvm.memset", (_POINTER, _INT))
            no = ir.Constant(ir.IntType(1), 0)
            for area, value in (
                (SHADOW, _BYTE(UNDEFINED)),
                (MEMORY, build.trunc(write.load(POISON), _BYTE)),
            ):
                start = build.bitcast(write.at(area, offset), _POINTER)
                build.call(fill, (start, value, length, no))
            write.store(LOWEST, live)
    build.ret_void()


def _on_access(module: ir.Module, note: ir.Function, is_loop: ir.Function) -> ir.Function:
    write = Function(module, "on_access", _INT, _INT32, _INT, _INT32, _INT)
    build = write.build
    engine, kind, address, narrow, _ = write.arguments
    size = build.zext(narrow, _INT)
    offset = build.sub(address, write.load(BASE))
    is_write = build.icmp_unsigned("==", kind, _INT32(_WRITE))

    def noted(what: int, condition: ir.Value) -> None:
        with build.if_then(condition, likely=False):
            build.call(note, (engine, _INT(what), address, size, write.header))

    noted(
        MISALIGNED,
        write.has(build.and_(address, build.sub(size, _INT(1))), write.load(ALIGNED)),
    )
    with build.if_then(build.not_(write.below(offset, write.load(SIZE))), likely=False):
        short = build.sub(build.and_(address, write.load(LINES)), write.load(BASE))
        noted(HIGH_BITS, write.below(short, write.load(SIZE)))
        build.ret_void()
    shape = build.or_(build.shl(size, _INT(1)), build.zext(is_write, _INT))
    what = build.or_(build.shl(address, _INT(8)), shape)
    write.mix(what)
    remember(build, write.header, what, _PLACES)
    _look_at_stack(write, noted, is_write)
    mask = build.lshr(_INT(-1), build.sub(_INT(64), build.shl(size, _INT(3))))
    state = build.and_(build.load(write.at(SHADOW, offset), align=1), mask)
    with build.if_then(build.icmp_unsigned("!=", state, _INT(0)), likely=False):
        noted(TWO_OBJECTS, write.has(build.lshr(state, _INT(8)), _all(EDGE)))
        with build.if_then(write.has(state, _INT(LIMIT)), likely=False):
            goes_on = build.call(is_loop, (what, size, write.header))
            noted(BEYOND_END, build.icmp_unsigned("!=", goes_on, _INT(0)))
        is_outside = write.has(state, _all(OUTSIDE))
        with build.if_else(is_write) as (stores, loads):
            with stores:
                noted(WRITE_OUTSIDE, is_outside)
                noted(WRITE_CODE, write.has(state, _all(CODE)))
                place = write.at(SHADOW, offset)
                whole = build.load(place, align=1)
                gone = build.and_(_all(UNDEFINED | REPLACED), mask)
                build.store(build.and_(whole, build.not_(gone)), place, align=1)
            with loads:
                noted(READ_OUTSIDE, is_outside)
                is_undefined = write.has(state, _all(UNDEFINED))
                noted(READ_UNDEFINED, is_undefined)
                with build.if_then(is_undefined, likely=False):
                    _replace(write, offset, state)
    build.ret_void()
    return write.function


def _look_at_stack(write: Function, noted: object, is_write: ir.Value) -> None:
    """Note an access below the stack pointer, and the lowest store."""
    assert callable(noted)
    build, address = write.build, write.arguments[2]
    inside = build.sub(address, write.load(STACK))
    with build.if_then(write.below(inside, write.load(STACK_SIZE))):
        with build.if_then(write.below(address, write.load(LIVE)), likely=False):
            live = build.sub(write.register(POINTER), write.load(RED_ZONE))
            noted(BELOW_STACK, write.below(address, live))
        is_lower = build.and_(is_write, write.below(address, write.load(LOWEST)))
        with build.if_then(is_lower):
            write.store(LOWEST, address)
            with build.if_then(write.below(address, write.load(DEEPEST))):
                write.store(DEEPEST, address)


def _replace(write: Function, offset: ir.Value, state: ir.Value) -> None:
    """Put other bytes in place of undefined ones that are about to be read, if it is asked for."""
    build, changed = write.build, write.load(CHANGED)
    is_near_end = build.icmp_unsigned(">", build.add(offset, _INT(8)), write.load(SIZE))
    with build.if_then(build.icmp_unsigned("!=", changed, _INT(NOWHERE))):
        everywhere = build.icmp_signed("==", changed, _INT(-1))
        here = build.icmp_unsigned("==", changed, write.register(COUNTER))
        is_wanted = build.and_(build.or_(everywhere, here), build.not_(is_near_end))
        with build.if_then(is_wanted):
            ones = _all(1)
            undefined = build.and_(build.lshr(state, _INT(1)), ones)
            done = build.and_(build.lshr(state, _INT(4)), ones)
            chosen = build.and_(undefined, build.not_(done))
            bytes_ = build.mul(chosen, _INT(0xFF))
            place = write.at(MEMORY, offset)
            value = build.load(place, align=1)
            other = build.xor(build.and_(value, write.load(KEPT)), write.load(TURNED))
            mixed = build.or_(build.and_(value, build.not_(bytes_)), build.and_(other, bytes_))
            build.store(mixed, place, align=1)
            place = write.at(SHADOW, offset)
            marks = build.mul(chosen, _INT(REPLACED))
            build.store(build.or_(build.load(place, align=1), marks), place, align=1)


_TEXT = str(_build())
ON_ACCESS = NativeFunction(_TEXT, "on_access")
ON_MULTIPLE = NativeFunction(_TEXT, "on_multiple")
ON_BLOCK = NativeFunction(_TEXT, "on_block")
