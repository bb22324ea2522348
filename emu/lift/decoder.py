"""Decodes guest instructions to operations, by SLEIGH and by our amendments of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import pypcode

from emu.lift.amendments_m68k import amend as amend_m68k
from emu.lift.amendments_m68k import without_ignored_bits
from emu.lift.amendments_ppc import amend as amend_ppc
from emu.lift.compared_forms import is_form_compared
from emu.lift.pcode.operations import (
    LiftedInstruction,
    Opcode,
    Operation,
    Space,
    Varnode,
    constant,
    refused,
)
from emu.machine.cpu import Cpu

_LANGUAGES = {"m68k": "68000:BE:32:default", "powerpc": "PowerPC:BE:32:default"}
_AMENDMENTS = {"m68k": amend_m68k, "powerpc": amend_ppc}
_SPACES = {
    "const": Space.CONSTANT,
    "register": Space.REGISTER,
    "unique": Space.TEMPORARY,
    "ram": Space.MEMORY,
}
_OPCODES = {opcode.value: opcode for opcode in Opcode}
_LONGEST = 22  # bytes of a 68K instruction: MOVE with two operands of five extension words each

Fetch = Callable[[int, int], bytes]
"""Gives up to so many bytes of code at an address; none where nothing can be executed."""


class Decoder:
    """Decodes instructions of one processor; each address once.

    Args:
        cpu: the processor.
        fetch: gives the code.
        gate: where the code is that makes a call. It stores modes of the processor, which cannot
            have changed, since an instruction that changes them leaves; see `Opcode`.
        is_compared: tells of the code of an instruction whether it may be lifted; by default, those
            of the forms in `emu.lift.compared_forms` may, and what makes a call.
    """

    def __init__(
        self,
        cpu: Cpu,
        fetch: Fetch,
        gate: range = range(0),
        is_compared: Callable[[bytes], bool] | None = None,
    ) -> None:
        self._cpu = cpu
        self._fetch = fetch
        self.gate = gate
        self._sleigh = _sleigh(_LANGUAGES[cpu.architecture])
        self._is_m68k = cpu.architecture == "m68k"
        self._is_compared = is_compared or functools.partial(is_form_compared, cpu)
        self._known: dict[int, LiftedInstruction] = {}

    def instruction(self, address: int) -> LiftedInstruction:
        """The instruction at an address; one that is not lifted says why."""
        if address not in self._known:
            self._known[address] = self._decoded(address)
        return self._known[address]

    def _decoded(self, address: int) -> LiftedInstruction:
        code = self._fetch(address, _LONGEST)
        if not code:
            return refused(address, b"", "nothing can be executed there")
        read = without_ignored_bits(self._cpu.name, code) if self._is_m68k else code
        plain = self._described(address, read)
        amend = _AMENDMENTS[self._cpu.architecture]
        is_gate = address in self.gate
        lifted = amend(self._cpu.name, code, plain, is_gate=is_gate)
        if is_gate or lifted.refusal or self._is_compared(lifted.code):
            return lifted
        return refused(address, lifted.code, "its form was not compared")

    def _described(self, address: int, code: bytes) -> LiftedInstruction:
        """The instruction as SLEIGH describes it."""
        try:
            first, *others = self._sleigh.translate(code, address, 0, max_instructions=1).ops
        except (pypcode.BadDataError, pypcode.UnimplError):
            return refused(address, code[:2], "SLEIGH does not know it")
        code = code[: first.inputs[0].size]
        unknown = next((op.opcode.name for op in others if op.opcode.name not in _OPCODES), None)
        if unknown is not None:
            return refused(address, code, f"SLEIGH names {unknown} without a meaning")
        return LiftedInstruction(address, code, tuple(map(_operation, others)))


@functools.cache
def registers(architecture: str) -> Mapping[str, Varnode]:
    """The registers of "m68k" or "powerpc", by SLEIGH's names: "D0", "D0w", "SP", "r3", "cr0"."""
    sleigh = _sleigh(_LANGUAGES[architecture])
    return MappingProxyType({name: _varnode(where) for name, where in sleigh.registers.items()})


@functools.cache
def _sleigh(language: str) -> Any:
    return pypcode.Context(language)


def _varnode(varnode: Any) -> Varnode:
    space, size = _SPACES[varnode.space.name], varnode.size
    if space is Space.CONSTANT:
        return constant(varnode.offset, size)
    return Varnode(space, varnode.offset, size)


def _operation(operation: Any) -> Operation:
    opcode = _OPCODES[operation.opcode.name]
    inputs = operation.inputs
    if opcode in (Opcode.LOAD, Opcode.STORE):  # the first one names the space, which is memory
        inputs = inputs[1:]
    output = None if operation.output is None else _varnode(operation.output)
    return Operation(opcode, output, tuple(map(_varnode, inputs)))
