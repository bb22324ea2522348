"""Python functions that guest code calls through a pointer to a function.

Each has a *stub* in the page of the gate. The stub stores the registers on the guest's stack, as
far as they can hold arguments or a result. There the engine calls Python, which reads the arguments
out of that memory and writes the result into it. Then the stub loads the registers and returns, as
any function of the program would. Scratch registers come back with other values, as they may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError, UsageError
from emu.base.functions import told_as
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_form import CallForm, Piece, ValueForm
from emu.machine.cpu import Cpu
from emu.machine.engine.base.entries import Entries
from emu.machine.guest.guest_values import GuestObject, store, value_of
from emu.machine.guest.typed_views import view_of
from emu.machine.memory import layout
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.program import GuestType
from emu.program.model.signatures import Parameter, Signature, parameter_type
from emu.program.model.types import UNKNOWN

_SLOT = 0x100
_VECTOR = 0xF0
"""Where the transition vector of a stub lies in its slot, behind the code."""

_POINTER = GuestType("void*", "pointer", np.dtype(">u4"), target="void")

MOST = (layout.SENTINEL_OFFSET - layout.STUBS_OFFSET) // _SLOT
"""How many Python functions a call can be given."""


@dataclass(frozen=True, slots=True)
class _Callback:
    """A Python function, and how guest code calls it."""

    function: Callable[..., Any]
    what: str
    signature: Signature
    types: tuple[GuestType, ...]
    form: CallForm
    error: Callable[[str], Exception]


class Callbacks:
    """The Python functions that the guest code of one machine can call.

    Args:
        cpu: the processor.
        convention: how they are called.
        memory: the guest memory.
        gate: the region that holds the stubs.
        registers: registers with the same values in every call, such as the table of contents.
    """

    def __init__(
        self,
        cpu: Cpu,
        convention: CallingConvention,
        memory: GuestMemory,
        gate: MemoryRegion,
        registers: Mapping[str, int],
    ) -> None:
        self._cpu = cpu
        self._convention = convention
        self._memory = memory
        self._first = gate.address + layout.STUBS_OFFSET
        self._toc = registers.get("r2", 0)
        self._file = convention.registers(cpu)
        self._scratch = convention.preserved_mask(cpu) == 0
        self._stub = convention.stub(cpu, 0)
        returned = convention.form(cpu, (), _POINTER).result
        assert returned is not None
        self._address_result = returned
        """Where the address of that memory is left, as GCC's functions leave it."""
        self._given: list[_Callback] = []
        self.error: Exception | None = None
        """What the first of them raised since `raise_error` was called last."""
        self.is_running = False
        """Whether guest code is waiting for one of them."""
        stops = [self._first + n * _SLOT + self._stub.stop for n in range(MOST)]
        self._entries = Entries(cpu, stops, self.enter)
        self.changes = 0
        """How often the code of a stub has been changed."""

    @property
    def entries(self) -> Entries | None:
        """Where guest code calls Python; None as long as there has been no function to call."""
        return self._entries if self.changes else None

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Remove, at the end of the ``with`` block, the functions that were added inside it."""
        count = len(self._given)
        try:
            yield
        finally:
            del self._given[count:]

    def add(
        self,
        function: Callable[..., Any],
        parameter: Parameter,
        what: str,
        error: Callable[[str], Exception] = UsageError,
    ) -> int:
        """Let guest code call a Python function.

        Returns: the pointer to give to guest code.

        Args:
            function: the function. It is called with an argument for each parameter: a number, a
                Boolean, the record of a struct; for a pointer a `GuestObject` of what it points to,
                None for the null pointer, or the address if nothing is known of the type.
            parameter: the parameter that it is given for, a pointer to a function.
            what: the function in words, for messages: "compare".
            error: makes the error that tells of a problem with the function.

        Raises:
            Exception: ``error`` has made it. The parameter is of another type, or of a function
                with such parameters or such a result that Python cannot take its place; or there
                are too many functions.
        """
        signature = self.check(parameter, what, error)
        if len(self._given) == MOST:
            raise error(f"a call can be given {MOST} Python functions")
        types = tuple(
            parameter_type(declared.type, declared.pointed) for declared in signature.parameters
        )
        result = signature.result_type
        form = self._convention.form(self._cpu, types, result)
        address = self._first + len(self._given) * _SLOT
        self._write_stub(address, form.popped)
        self._given.append(_Callback(function, what, signature, types, form, error))
        return address + (_VECTOR if self._convention.has_transition_vectors else 0)

    def check(
        self, parameter: Parameter, what: str, error: Callable[[str], Exception] = UsageError
    ) -> Signature:
        """Check that a Python function can be given for a parameter; how it will be called.

        The arguments, and what is raised, are those of `add`.
        """
        signature = parameter.function
        if signature is None:
            raise error(f"{parameter.declaration} is no pointer to a function of known type")
        words = signature.declaration(what)
        if signature.is_variadic:
            raise error(f"{words} takes any number of arguments, which Python cannot get")
        types = (
            parameter_type(declared.type, declared.pointed) for declared in signature.parameters
        )
        for kind in (*types, signature.result_type):
            if kind is UNKNOWN:
                raise error(f"{words} has a value of a type that macproof cannot pass")
        return signature

    def _write_stub(self, address: int, popped: int) -> None:
        code = self._convention.stub(self._cpu, popped).code.ljust(_VECTOR, b"\0")
        code += address.to_bytes(4, "big") + self._toc.to_bytes(4, "big")
        if self._memory.view(address, len(code)).tobytes() != code:
            self._memory.write(address, code)
            self.changes += 1

    def enter(self, address: int, stack_pointer: int) -> bool:
        """Call the Python function of a stub; return whether guest code can go on.

        Args:
            address: where in its stub guest code is.
            stack_pointer: the stack pointer there.
        """
        number = (address - self._first) // _SLOT
        self.is_running = True
        try:
            if number >= len(self._given):
                raise UsageError("guest code called a Python function that an earlier call got")
            given = self._given[number]
            try:
                self._call(given, stack_pointer)
            except UsageError as error:  # `told_as` has made one of what a function raises
                raised = given.error(str(error))
                if isinstance(raised, MacproofError):
                    raised.trace = error.trace
                raise raised from error
        except Exception as error:  # it must not pass through the engine
            self.error = self.error or error
        finally:
            self.is_running = False
        return self.error is None

    def raise_error(self) -> None:
        """Raise the exception that a Python function has raised, if one has.

        Raises:
            Exception: it says which function raised what.
        """
        error, self.error = self.error, None
        if error is not None:
            raise error

    def _call(self, callback: _Callback, stack_pointer: int) -> None:
        file = self._memory.view(stack_pointer, self._file.itemsize)
        stack = stack_pointer + self._stub.stack
        arguments = [
            self._argument(callback, number, passing, file, stack)
            for number, passing in enumerate(callback.form.parameters)
        ]
        words = callback.signature.declaration(callback.what)
        with told_as(f"{words} in Python fails"):
            result = callback.function(*arguments)
        room = self._room(callback.form, file, stack)
        file[self._scratch] = layout.FILL
        kind = callback.signature.result_type
        if callback.form.result is None or kind is None:
            if result is not None:
                raise UsageError(f"{words} in Python returns {result!r:.80}, not None")
            return
        value = np.zeros(1, kind.dtype)
        store(kind, value.reshape(()), result, f"the result of {words} in Python")
        if callback.form.result.by_address:
            self._memory.write(room, value.tobytes())
            value = np.array([room], ">u4")
        passing = self._address_result if callback.form.result.by_address else callback.form.result
        data = passing.encode(value)[0]
        for piece in passing.pieces:
            self._place(piece, file, stack)[:] = data[piece.start : piece.start + piece.size]

    def _room(self, form: CallForm, file: NDArray[np.uint8], stack: int) -> int:
        """The address of the memory that the caller gives for the result; 0 if it gives none."""
        if form.result is None or not form.result.by_address:
            return 0
        (piece,) = form.result.pieces
        return int.from_bytes(self._place(piece, file, stack).tobytes(), "big")

    def _place(self, piece: Piece, file: NDArray[np.uint8], stack: int) -> NDArray[np.uint8]:
        """The bytes of a piece: in the stored registers, or on the stack."""
        if not piece.register:
            return self._memory.view(stack + piece.at, piece.size)
        fields: Mapping[str, Any] = self._file.fields or {}
        start = int(fields[piece.register][1]) + piece.at
        return file[start : start + piece.size]

    def _argument(
        self,
        callback: _Callback,
        number: int,
        passing: ValueForm,
        file: NDArray[np.uint8],
        stack: int,
    ) -> Any:
        kind, parameter = callback.types[number], callback.signature.parameters[number]
        data = np.zeros(passing.size_of(kind), np.uint8)
        for piece in passing.pieces:
            data[piece.start : piece.start + piece.size] = self._place(piece, file, stack)
        if passing.by_address:
            data = self._memory.view(int.from_bytes(data.tobytes(), "big"), kind.size)
        else:
            data = passing.decode(data[np.newaxis], kind)[0]
        value = value_of(kind, data.tobytes())
        target = parameter.pointed[0] if kind.kind == "pointer" and parameter.pointed else UNKNOWN
        if target is UNKNOWN:
            return value
        address = int(value)  # type: ignore[arg-type]
        if address == 0:
            return None
        try:
            seen = view_of(target, self._memory.view(address, target.size))
        except UsageError as error:
            raise UsageError(
                f"{callback.signature.declaration(callback.what)} in Python: "
                f"{parameter.declaration} is 0x{address:08x}, which is not guest memory"
            ) from error
        return GuestObject(address, target, seen)
