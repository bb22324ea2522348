"""One recorded call as typed values: what it was given, and what the old function made of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.call_form import CallForm, ValueForm
from emu.port.carry.leaves import TypedLeaf, leaves_of
from emu.port.carry.moments import CallMoment
from emu.port.carry.pointers import (
    CallShape,
    KnownPlaces,
    PointerTarget,
    StrayError,
    UntypedError,
    add_pointer,
    with_sizes,
)
from emu.program import GuestType
from emu.program.model.signatures import Parameter, Signature
from emu.program.model.types import UNKNOWN

TOOLBOX_WITHOUT_STATE = frozenset(
    """
    BlockMove BlockMoveData SetRect OffsetRect InsetRect SectRect UnionRect PtInRect Pt2Rect
    EqualRect EmptyRect AddPt SubPt SetPt EqualPt HiWord LoWord BitAnd BitOr BitXor BitNot
    BitShift BitTst BitSet BitClr LongMul FixMul FixRatio FixDiv FixRound FracMul FracDiv
    FracSqrt FracSin FracCos Long2Fix Fix2Long NumToString StringToNum HLock HUnlock HLockHi
    HNoPurge HPurge MoveHHi EqualString UpperString
    """.split()  # noqa: SIM905
)
"""Routines of the Toolbox whose work depends on their arguments alone."""
_LARGEST = 1 << 15


@dataclass(frozen=True, slots=True)
class FunctionTerms:
    """What has to be known of an old function to read its calls.

    Attributes:
        signature: how the new source declares it.
        form: where the old convention has its arguments and its result.
        result: the type of its result as it is compared; None if it is not.
        globals: the globals that it works on, which have a place in the old program.
    """

    signature: Signature
    form: CallForm
    result: GuestType | None
    globals: Mapping[str, Parameter]


@dataclass(frozen=True, slots=True)
class TypedCall:
    """A call, typed.

    Attributes:
        moment: what the function found and left.
        shape: what its pointers lead to.
        arguments: the bytes of each argument, as its type has them in memory.
        result: the bytes of the result; b"" if there is none.
        constants: bytes without a name that it read, by their addresses.
        globals: where the globals were.
    """

    moment: CallMoment
    shape: CallShape
    arguments: Mapping[str, bytes]
    result: bytes
    constants: Mapping[int, int]
    globals: Mapping[str, tuple[int, GuestType]]


class CallReader:
    """Types the calls of one old function.

    Args:
        function: what is known of it.
        known: what has a name in the old program.
    """

    def __init__(self, function: FunctionTerms, known: KnownPlaces) -> None:
        self._function = function
        self._known = known

    def used_pointers(self, moment: CallMoment) -> set[str]:
        """The globals that are pointers and that a call uses."""
        used = moment.reads | moment.writes
        return {
            name
            for name, (start, kind) in self._known.globals.items()
            if is_pointer(self._function.globals[name])
            and not used.isdisjoint(range(start, start + kind.size))
        }

    def read(self, moment: CallMoment, pointers: Collection[str]) -> TypedCall:
        """A call, typed.

        Args:
            moment: the call.
            pointers: the globals that are pointers and that any call uses.

        Raises:
            UntypedError: something in it cannot be typed.
        """
        asked = {answer.name for answer in moment.call.toolbox} - TOOLBOX_WITHOUT_STATE
        if asked:
            raise UntypedError(f"it calls {', '.join(sorted(asked))}, whose work no value holds")
        pairs = zip(
            self._function.signature.parameters, self._function.form.parameters, strict=True
        )
        given = [(one, _argument(moment, one, form)) for one, form in pairs]
        shape = CallShape()
        for parameter, data in given:
            if is_pointer(parameter):
                add_pointer(shape, self._known, moment, parameter, int.from_bytes(data, "big"))
        for name in sorted(pointers):
            start, kind = self._known.globals[name]
            if not moment.writes.isdisjoint(range(start, start + kind.size)):
                raise UntypedError(f"it changes the pointer {name}")
            value = int.from_bytes(moment.before(start, kind.size), "big")
            add_pointer(shape, self._known, moment, self._function.globals[name], value)
        constants = self._place_accesses(moment, shape)
        self._require_certain(moment, shape)
        arguments = {parameter.name: data for parameter, data in given}
        return TypedCall(
            moment, shape, arguments, self._result(moment), constants, self._known.globals
        )

    # -- what the function used of memory ----------------------------------------------------------

    def _place_accesses(self, moment: CallMoment, shape: CallShape) -> dict[int, int]:
        """Give every address that the function used to what has it; the constants among them."""
        session = moment.replayer.session
        layout = session.mac.layout
        pointer = session.frames.pointer_in(moment.call.registers)
        stack_bytes = self._function.form.stack_bytes
        own = range(layout.stack, pointer + session.frames.callee_bytes(stack_bytes))
        code = session.segment_of(moment.call.place, moment.call.entry)
        used: list[int] = []
        constants: dict[int, int] = {}
        for address in sorted(moment.reads | moment.writes):
            is_written = address in moment.writes
            if address in own or (address in code and not is_written):
                continue
            if any(address in master for master in shape.masters):
                if is_written:
                    raise UntypedError("it changes a master pointer")
            elif name := self._known.global_at(address):
                self._require_number(name, address)
            elif not layout.globals_start <= address < layout.a5 or self._leads_to(shape, address):
                used.append(address)
            elif is_written:
                name = self._known.other_at(address) or f"A5-{layout.a5 - address:#x}"
                raise UntypedError(f"it changes {name}, which the new function does not use")
            else:
                constants[address] = moment.before(address, 1)[0]
        self._size_targets(moment, shape, used)
        return constants

    def _leads_to(self, shape: CallShape, address: int) -> bool:
        """Whether a pointer leads to the global or the literals that an address is among."""
        where = self._known.other_at(address)
        return any(
            target.start <= address < target.start + _LARGEST
            and self._known.other_at(target.start) == where
            for target in shape.targets.values()
        )

    def _require_number(self, name: str, address: int) -> None:
        start, kind = self._known.globals[name]
        if is_pointer(self._function.globals[name]):
            return
        for leaf in leaves_of(kind):
            if not leaf.is_number and any(address - start in span for span in leaf.spans):
                raise UntypedError(f"it uses {_member(name, leaf)}, a {leaf.type.name}")

    def _size_targets(self, moment: CallMoment, shape: CallShape, used: Sequence[int]) -> None:
        targets = sorted(shape.targets.values(), key=lambda target: target.start)
        try:
            found = list(with_sizes(targets, used, _LARGEST))
        except StrayError as error:
            verb = "changes" if error.address in moment.writes else "reads"
            where = _where(moment, error.address)
            raise UntypedError(
                f"it {verb} {where}, to which no parameter or global leads"
            ) from error
        shape.targets.update({target.name: target for target in found})
        for target in found:
            self._require_numbers(moment, target)

    def _require_numbers(self, moment: CallMoment, target: PointerTarget) -> None:
        used = moment.reads | moment.writes
        for leaf in leaves_of(target.element):
            if not leaf.is_number and not used.isdisjoint(spots(target, leaf)):
                raise UntypedError(
                    f"it uses {_member(f'*{target.name}', leaf)}, a {leaf.type.name}"
                )

    def _require_certain(self, moment: CallMoment, shape: CallShape) -> None:
        """Require that the old function itself knows what it leaves.

        Raises:
            UntypedError: it leaves what nobody wrote.
        """
        for name, (start, kind) in self._known.globals.items():
            if not moment.unsure.isdisjoint(range(start, start + kind.size)):
                raise UntypedError(f"the original leaves in {name} what nobody wrote")
        for target in shape.targets.values():
            if not moment.unsure.isdisjoint(target.addresses):
                raise UntypedError(f"the original leaves in *{target.name} what nobody wrote")

    def _result(self, moment: CallMoment) -> bytes:
        kind, form = self._function.result, self._function.form.result
        if kind is None or form is None:
            return b""
        one, other = (
            form.decode(_pieces(moment, form, registers)[None], kind).tobytes()
            for registers in (moment.outcome.registers, moment.other_registers)
        )
        if one != other:
            raise UntypedError("the original returns what nobody wrote")
        return one


def _pieces(moment: CallMoment, form: ValueForm, registers: Sequence[int]) -> NDArray[np.uint8]:
    """The bytes of a result in registers."""
    index = moment.replayer.session.mac.engine.index
    data = b""
    for piece in form.pieces:
        if piece.register not in index:
            raise UntypedError(f"its result is in {piece.register}, which is not kept")
        word = registers[index[piece.register]].to_bytes(4, "big")
        data += word[piece.at : piece.at + piece.size]
    return np.frombuffer(data, np.uint8).copy()


def is_pointer(declared: Parameter) -> bool:
    """Whether a parameter or global is a pointer."""
    return (
        bool(declared.pointed) or declared.function is not None or declared.type.kind == "pointer"
    )


def spots(target: PointerTarget, leaf: TypedLeaf) -> Iterator[int]:
    """The addresses of a leaf in all elements of a target."""
    size = target.element.size
    for start in range(target.start, target.addresses.stop, size):
        for span in leaf.spans:
            yield from range(start + span.start, start + span.stop)


def numbers_of(kind: GuestType) -> list[TypedLeaf]:
    """The leaves of a type that are numbers."""
    return [] if kind is UNKNOWN else [leaf for leaf in leaves_of(kind) if leaf.is_number]


def _argument(moment: CallMoment, declared: Parameter, form: ValueForm) -> bytes:
    session = moment.replayer.session
    index, registers = session.mac.engine.index, moment.call.registers
    pointer = session.frames.pointer_in(registers) + session.frames.arguments_start
    data = b""
    for piece in form.pieces:
        if not piece.register:
            data += moment.before(pointer + piece.at, piece.size)
        elif piece.register in index:
            word = registers[index[piece.register]].to_bytes(4, "big")
            data += word[piece.at : piece.at + piece.size]
        else:
            raise UntypedError(f"{declared.name} is in {piece.register}, which is not read")
    if is_pointer(declared):
        return data
    if declared.type is UNKNOWN or any(not leaf.is_number for leaf in leaves_of(declared.type)):
        raise UntypedError(f"{declared.name} is a {declared.type.name} with more than numbers")
    if form.by_address:
        return moment.before(int.from_bytes(data, "big"), declared.type.size)
    return form.decode(np.frombuffer(data, np.uint8)[None].copy(), declared.type).tobytes()


def _member(name: str, leaf: TypedLeaf) -> str:
    return f"{name}.{leaf.path}" if leaf.path else name


def _where(moment: CallMoment, address: int) -> str:
    layout = moment.replayer.session.mac.layout
    if layout.stack <= address < layout.stack_top:
        return f"its caller's stack at 0x{address:x}"
    if layout.heap <= address < layout.heap + layout.heap_size:
        return f"the heap at 0x{address:x}"
    if address >= layout.a5 and address < layout.a5 + layout.above_a5:
        return f"A5+{address - layout.a5:#x}"
    return f"memory at 0x{address:x}"
