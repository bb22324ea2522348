"""The description of a calling convention: how a compiler for a processor calls a routine.

Every call goes through a *gate*, a few guest instructions. The gate loads the general and the
floating-point registers from a register file in guest memory and calls the routine. Then it stores
these registers and the processor's state registers into a second register file, and sets a word
that says that the end was reached. The engine resets everything else before each call.

The contract (stack pointer and preserved registers restored) is then checked by comparing memory,
for whole batches of calls at once. No register is read through the engine's interface, because
some of these reads give wrong answers (see the tests of the engine).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emu.machine.abi.call_form import CallForm
from emu.machine.cpu import Cpu
from emu.program import GuestType

if TYPE_CHECKING:
    from emu.program.declarations.known_types import DataModel


@dataclass(frozen=True, slots=True)
class CallPlaces:
    """The addresses a gate is built from.

    Attributes:
        routine: the routine to call.
        code: where the gate itself will lie.
        sentinel: where control goes when the routine has returned and the registers are stored.
        stack_pointer: its value at the call, before a return address is pushed.
        entry_registers: the register file that is loaded before the call.
        exit_registers: the register file that is stored after the call.
        done: the word that the gate sets to ``done_value`` at its very end.
        done_value: the value that says that the gate's end was reached.
        is_user: whether the gate runs in user mode, where it cannot read all state registers. It
            stores what they hold at the call in their place.
    """

    routine: int
    code: int
    sentinel: int
    stack_pointer: int
    entry_registers: int
    exit_registers: int
    done: int
    done_value: int
    is_user: bool = False


@dataclass(frozen=True, slots=True)
class Stub:
    """Guest code that stands for a Python function: calling it makes the engine call Python.

    Attributes:
        code: the machine code, at most 240 bytes.
        stop: the offset of the instruction before which the engine calls Python. At that moment the
            stack pointer points to a register file of `CallingConvention.registers`. The code after
            it loads from that file the registers that a function may change.
        stack: how far above the register file the stack pointer was when the stub was called,
            before the return address was pushed.
    """

    code: bytes
    stop: int
    stack: int


class CallingConvention(ABC):
    """Where arguments and results go and what a routine must preserve."""

    name: ClassVar[str]
    architecture: ClassVar[str]
    int_size: ClassVar[int] = 4
    """Bytes of an ``int`` in a prototype."""
    long_double: ClassVar[GuestType | None] = None
    """What a ``long double`` in a prototype is; None if that is not known."""
    red_zone: ClassVar[int] = 0
    """Bytes below the stack pointer that a routine may use, which no interrupt touches."""
    has_transition_vectors: ClassVar[bool] = False
    """Whether a pointer to a function points to its transition vector: the address of its code,
    and its table of contents."""

    @classmethod
    def data_model(cls, byte_order: str = ">") -> DataModel:
        """What the compilers that call so decide about the types of C."""
        from emu.program.declarations.known_types import DataModel  # few cases need it

        alignment = 2 if cls.architecture == "m68k" else 8
        return DataModel(cls.int_size, byte_order, cls.long_double, alignment)

    @abstractmethod
    def registers(self, cpu: Cpu) -> np.dtype[Any]:
        """The register file of a gate, as a structured dtype.

        A gate loads and stores general and floating-point registers; the processor's state
        registers, `Cpu.state`, it only stores.
        """

    @abstractmethod
    def preserved(self, cpu: Cpu) -> dict[str, int]:
        """The registers a routine must restore, each with a mask of the bits; -1 means all bits."""

    @abstractmethod
    def gate(self, cpu: Cpu, places: CallPlaces) -> bytes:
        """The gate's machine code."""

    @abstractmethod
    def stub(self, cpu: Cpu, popped: int) -> Stub:
        """A stub for a Python function, the same at every address.

        Args:
            cpu: the processor.
            popped: how many bytes of arguments it removes from the stack; `CallForm.popped`.
        """

    @abstractmethod
    def form(self, cpu: Cpu, parameters: Sequence[GuestType], result: GuestType | None) -> CallForm:
        """Where the arguments and the result of a signature go.

        Args:
            cpu: the processor.
            parameters: the types of the arguments, in the order of the declaration; an object of
                a method comes first, as a pointer.
            result: the type of the result; None if there is none.

        Raises:
            UsageError: a value of such a type cannot be passed, or it is not known how.
        """

    def variadic_form(
        self,
        cpu: Cpu,
        parameters: Sequence[GuestType],
        further: Sequence[GuestType],
        result: GuestType | None,
    ) -> CallForm:
        """Where the arguments and the result go of a routine that is declared with ``...``.

        C promotes what is passed in place of the dots: a float to a double, and a whole number or
        Boolean that is narrower than an int to an int (C89, 3.3.2.2).

        Args:
            cpu: the processor.
            parameters: the types of the arguments for the declared parameters.
            further: the types of the others, as they are before C promotes them.
            result: as of `form`.

        Raises:
            UsageError: as of `form`.
        """
        promoted = [self._promoted(kind) for kind in further]
        form = self._variadic_form(cpu, parameters, promoted, result)
        passed = [
            passing
            if passing.by_address or before.dtype == after.dtype
            else replace(passing, cast=passing.cast or after.dtype)
            for passing, before, after in zip(
                form.parameters, (*parameters, *further), (*parameters, *promoted), strict=True
            )
        ]
        return replace(form, parameters=tuple(passed))

    def _variadic_form(
        self,
        cpu: Cpu,
        parameters: Sequence[GuestType],
        promoted: Sequence[GuestType],
        result: GuestType | None,
    ) -> CallForm:
        return self.form(cpu, (*parameters, *promoted), result)

    def _promoted(self, kind: GuestType) -> GuestType:
        if kind.kind == "float" and kind.size < 8:
            return GuestType("double", "float", np.dtype(">f8"))
        if kind.kind in ("integer", "boolean", "enumeration") and kind.size < self.int_size:
            return GuestType("int", "integer", np.dtype(f">i{self.int_size}"))
        return kind

    def entry_values(
        self, cpu: Cpu, stack_pointer: int, words: NDArray[np.uint32] | None = None
    ) -> NDArray[Any]:
        """A register file for the entry of a call, with a value in every register, used or not.

        Args:
            cpu: the processor.
            stack_pointer: its value.
            words: what the values are made from, at least one word for each register. None gives
                every register a recognisable value of its own.
        """
        dtype = self.registers(cpu)
        values = np.zeros((), dtype=dtype)
        names = dtype.names or ()
        for index, name in enumerate(names):
            word = 0xC0DE0000 | (0x0101 * (index + 1) & 0xFFFF)
            if words is not None:
                word = int(words[index])
            if dtype[name].kind == "f":
                values[name] = (
                    1000.5 + index if words is None else (word ^ 1 << 31) - (1 << 31) + 0.5
                )
            elif dtype[name].kind == "u":
                values[name] = word
            else:  # an 80-bit float in the 68881's 96-bit memory form: exponent, unused, mantissa
                exponent = 0x4000 if words is None else 0x4000 ^ (word >> 16 & 0x803F)
                mantissa = 0x80000000_00000000 | word << 16 | index
                values[name] = np.void(
                    exponent.to_bytes(2, "big") + b"\0\0" + mantissa.to_bytes(8, "big")
                )
        values[cpu.stack_pointer] = stack_pointer
        for register in cpu.state:
            values[register.name] = register.at_call
        return values

    def preserved_mask(self, cpu: Cpu) -> NDArray[np.uint8]:
        """A mask over the bytes of the register file: the bits that a routine must restore."""
        dtype = self.registers(cpu)
        mask = np.zeros((), dtype=dtype)
        state = {register.name: register.preserved for register in cpu.state}
        for name, bits in {**self.preserved(cpu), **state}.items():
            if dtype[name].kind == "u":
                mask[name] = bits & 0xFFFFFFFF
            else:
                size = dtype[name].itemsize
                mask[name] = np.frombuffer(b"\xff" * size, dtype=dtype[name])[0]
        return np.frombuffer(mask.tobytes(), dtype=np.uint8)
