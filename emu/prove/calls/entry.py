"""Lays a call of which inputs, unused memory and unused registers are not known.

A scene is laid twice, over memory that is filled with random bytes and with their complement. So a
byte that differs is one that nobody has promised, and becomes a symbol, as in
`emu.verify.answers.oracle`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import z3
from numpy.typing import NDArray

from emu.lift.terms import Value, plain, term
from emu.machine.abi.call_form import Piece, ValueForm
from emu.machine.abi.call_site import CallSite
from emu.machine.memory import layout
from emu.program import Field
from emu.prove.calls.inputs import Inputs, filled
from emu.prove.calls.registers import CallRegisters, call_registers
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.whole import Number, Whole, bits_for, range_of, term_of
from emu.prove.paths.cells import Byte, ByteCells
from emu.prove.paths.places import Areas
from emu.prove.paths.state import PathState
from emu.verify.batches.bench import Bench
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.fills import Fill, Preparation

_NOISE = (Preparation(Fill.NOISE, 0), Preparation(Fill.NOISE, 0, inverted=True))
_AROUND = (Preparation(Fill.NOISE, 0), Preparation(Fill.NOISE, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A call that is about to begin.

    Attributes:
        bench: the case on the program.
        site: what is called.
        state: registers and memory at the routine's first instruction.
        before: the same memory, which no path changes.
        until: the address that the routine returns to.
        stack_pointer: the caller's.
        registers: how registers are named.
        unset: the bytes of data memory that nobody has promised, by guest address.
    """

    bench: Bench
    site: CallSite
    state: PathState
    before: ByteCells
    until: int
    stack_pointer: int
    registers: CallRegisters
    unset: frozenset[int]

    def areas(self, inputs: Inputs) -> Areas:
        """The memory that the call can use."""
        machine = self.bench.machine
        regions = [region for region in machine.memory.regions if region.name != "gate"]
        end = self.stack_pointer + layout.CALLER_FRAME  # above lie the gate's register files
        spans = [
            (region, range(region.address, end if region.name == "stack" else region.end))
            for region in regions
        ]
        variables = [v for several in self.bench.bound.variables.values() for v in several]
        objects = [range(v.address, v.address + v.type.size) for v in variables if v.type.size]
        objects += [span for region, span in spans if not region.writable or region.name == "stack"]
        usual = [
            (symbol.term, z3.BitVecVal(symbol.usual, symbol.term.size()))
            for symbol in inputs.symbols
        ]
        writable = [span for region, span in spans if region.writable]
        return Areas([span for _, span in spans], writable, objects, usual)


def entry_of(bench: Bench, inputs: Inputs) -> Entry:
    """Lay a call.

    Raises:
        UndecidedError: the case does something else than one call of a routine, or passes an input
            in a way that terms do not have.
    """
    machine, calls = bench.machine, bench.bound.calls
    registers = call_registers(machine.cpu.architecture)
    if registers is None:
        raise UndecidedError(f"there is no lifter for the {machine.cpu.title}")
    if not calls.is_single:
        raise UndecidedError("a scene of this case is several calls in a row")
    if bench.case.toolbox or bench.case.environment:
        raise UndecidedError("the case calls the Toolbox")
    images = bench.before([inputs.made] * 2, _NOISE)
    if images.loaded is not None:
        raise UndecidedError("a routine that is called before asks the Toolbox")
    around = bench.usual.before.surroundings(_AROUND)
    snapshots = []
    for image, surroundings in zip(images.before, around, strict=True):
        _, until = machine.calls.prepare(calls.first, image, surroundings)
        snapshots.append(_snapshot(bench))
    unset = np.flatnonzero(images.before[0] != images.before[1])
    stack_pointer = machine.memory.region("stack").end - layout.FRAME_SIZE
    passed = {
        stack_pointer + piece.at + place
        for form in _forms(calls.first)
        for piece in form.pieces
        if not piece.register
        for place in range(piece.size)
    }
    memory = _Memory(bench, snapshots, passed)
    cells, file = ByteCells(memory.byte), ByteCells(lambda offset: _fresh(f"register {offset}"))
    state = PathState(calls.first.routine, file, cells, ByteCells(_unwritten))
    entry = Entry(
        bench,
        calls.first,
        state,
        cells,
        until,
        stack_pointer,
        registers,
        frozenset(machine.data.address(int(offset)) for offset in unset),
    )
    _lay_registers(entry, snapshots)
    for slot, index, number in filled(bench.bound, inputs.scene):
        if isinstance(number, Whole):
            _lay(entry, slot, index, number)
    for passing, field in calls.first.arguments:
        _pass(entry, passing, field)
    return Entry(
        bench, calls.first, state, cells.copy(), until, stack_pointer, registers, entry.unset
    )


def _forms(site: CallSite) -> list[ValueForm]:
    """How the arguments are passed, and the address of a result that lies in memory."""
    result = site.form.result
    by_address = [result] if result is not None and result.by_address else []
    return [*(passing for passing, _ in site.arguments), *by_address]


def _snapshot(bench: Bench) -> dict[int, bytes]:
    """All guest memory, by the addresses of its regions."""
    memory = bench.machine.memory
    return {r.address: bytes(memory.view(r.address, r.size)) for r in memory.regions}


def _fresh(name: str) -> Byte:
    return z3.BitVec(name, 8), 1, 0


def _unwritten(offset: int) -> Byte:
    raise AssertionError("operations use a temporary value that none of them has made")


class _Memory:
    """Guest memory at the beginning of a call.

    Args:
        bench: the case on the program.
        snapshots: guest memory, filled in two ways.
        passed: the addresses on the stack that hold arguments.
    """

    def __init__(self, bench: Bench, snapshots: list[dict[int, bytes]], passed: set[int]) -> None:
        self._snapshots = snapshots
        self._passed = passed
        self._stack = bench.machine.memory.region("stack")
        self._program = f"{bench.machine.cpu.name} {bench.machine.program.path.name}"
        self._variables = [v for several in bench.bound.variables.values() for v in several]

    def byte(self, address: int) -> Byte:
        """The byte at an address."""
        for start in self._snapshots[0]:
            at = address - start
            if 0 <= at < len(self._snapshots[0][start]):
                one, other = (snapshot[start][at] for snapshot in self._snapshots)
                is_free = address in self._stack and address not in self._passed
                return self._symbol(address) if one != other or is_free else one
        raise AssertionError(f"0x{address:08x} is no memory, and is read")

    def _symbol(self, address: int) -> Byte:
        """A byte that nobody has promised; programs with the same variable share it."""
        for variable in self._variables:
            offset = address - variable.address
            if 0 <= offset < variable.type.size:
                return _fresh(f"{variable.name}:{variable.type.dtype.str}+{offset}")
        return _fresh(f"{self._program} 0x{address:08x}")


def _lay_registers(entry: Entry, snapshots: list[dict[int, bytes]]) -> None:
    """Load the register file as the gate does; what it holds by chance becomes symbols."""
    machine, own = entry.bench.machine, entry.registers
    program = f"{machine.cpu.name} {machine.program.path.name}"
    file = machine.convention.registers(machine.cpu)
    start = entry.stack_pointer + layout.ENTRY_FILE_OFFSET
    stack = machine.memory.region("stack").address
    fields: Mapping[str, Any] = file.fields or {}
    cells = entry.state.registers
    for name, where in own.named.items():
        if name not in fields:
            continue
        at = start + int(fields[name][1]) - stack
        one, other = (snapshot[stack][at : at + where.size] for snapshot in snapshots)
        same = one == other
        value = (
            int.from_bytes(one, "big") if same else z3.BitVec(f"{program} {name}", 8 * where.size)
        )
        cells.put(where.offset, where.size, value)
    for places, bits in ((own.flags, 1), (own.fields, 4)):
        for where in places:
            flag = z3.BitVec(f"{program} flag {where.offset}", bits)
            cells.put(where.offset, where.size, z3.ZeroExt(8 - bits, flag))
    own.begin(
        cells,
        entry.stack_pointer,
        entry.until,
        lambda address: entry.state.memory.put(address, 4, entry.until),
    )


def stored(slot: Slot, number: Number, table: NDArray[Any] | None) -> Value:
    """A number as a slot holds it.

    Args:
        slot: the slot.
        number: the number; for a pointer, the index of an element.
        table: for a pointer, the addresses that it can have, the null pointer first.
    """
    size = slot.type.size
    if table is None:
        bits = term_of(number, 8 * size)
        return plain(bits)
    if not isinstance(number, Whole):
        return int(table[number + 1])
    first, step = int(table[1]), int(table[2]) - int(table[1]) if len(table) > 2 else 0
    address = first + step * term_of(number, 32)
    return z3.If(term_of(number, 32) < 0, z3.BitVecVal(int(table[0]), 32), address)


def table_of(entry: Entry, slot: Slot) -> NDArray[Any] | None:
    """The addresses that a pointer can have, the null pointer first; None for a number."""
    return entry.bench.bound.slots.pools.table(slot) if slot.type.kind == "pointer" else None


def address_of(entry: Entry, slot: Slot, index: tuple[int, ...]) -> int:
    """The guest address of a slot's value."""
    return entry.bench.machine.data.address(slot.offset(index))


def _lay(entry: Entry, slot: Slot, index: tuple[int, ...], number: Whole) -> None:
    if len(index) != len(slot.shape):
        raise UndecidedError(
            f"the scene's {slot.phrase.attribute} has not the shape of {slot.name}"
        )
    value = stored(slot, number, table_of(entry, slot))
    entry.state.memory.put(address_of(entry, slot, index), slot.type.size, value)


def _pass(entry: Entry, passing: ValueForm, field: Field) -> None:
    """Put an argument that is not known where the routine finds it."""
    if passing.by_address:
        return
    size = field.type.size
    value = entry.state.memory.get(entry.site.address + field.offset, size)
    if isinstance(value, int):
        return  # the frame has it already
    if passing.cast is not None:
        value, size = _extended(value, field, passing.cast), passing.cast.itemsize
    for piece in passing.pieces:
        _place(entry, piece, value, size)


def _extended(value: z3.BitVecRef, field: Field, cast: np.dtype[Any]) -> z3.BitVecRef:
    if cast.kind not in "iu" or field.type.dtype.kind not in "iub":
        raise UndecidedError(f"the argument {field.name} is passed as floating point")
    more = 8 * cast.itemsize - value.size()
    is_signed = field.type.dtype.kind == "i"
    return z3.SignExt(more, value) if is_signed else z3.ZeroExt(more, value)


def _place(entry: Entry, piece: Piece, value: z3.BitVecRef, size: int) -> None:
    low = 8 * (size - piece.start - piece.size)
    bits = z3.Extract(low + 8 * piece.size - 1, low, value)
    if piece.register:
        where = entry.registers.named[piece.register]
        entry.state.registers.put(where.offset + piece.at, piece.size, bits)
    else:
        entry.state.memory.put(entry.stack_pointer + piece.at, piece.size, bits)


def result_of(entry: Entry, state: PathState) -> Value | None:
    """The result of a call as memory holds it; None if there is none, or it lies in memory.

    Raises:
        UndecidedError: it is floating point.
    """
    passing, field = entry.site.form.result, entry.site.result
    if passing is None or field is None or passing.by_address:
        return None
    values = []
    for piece in passing.pieces:
        where = entry.registers.named.get(piece.register)
        if where is None:
            raise UndecidedError(
                f"the result comes back in {piece.register}, which is floating point"
            )
        values.append((state.registers.get(where.offset + piece.at, piece.size), piece.size))
    if passing.cast is not None and passing.cast.kind not in "iu":
        raise UndecidedError("the result is floating point")
    whole = z3.Concat(*(term(*value) for value in values)) if len(values) > 1 else term(*values[0])
    return plain(z3.Extract(8 * field.type.size - 1, 0, whole))


def out_of_range(slot: Slot, number: Number, low: int, high: int) -> bool | z3.BoolRef:
    """Whether a number does not fit a slot, which holds those of a range."""
    least, most = range_of(number)
    if low <= least and most <= high:
        return False
    if not isinstance(number, Whole):
        return True
    bits = max(number.term.size(), bits_for(low, high))
    return z3.Or(term_of(number, bits) < low, term_of(number, bits) > high)
