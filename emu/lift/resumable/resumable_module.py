"""Puts code of a program that runs into a module of LLVM, with the function that executes it."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from emu.lift.decoder import Decoder
from emu.lift.native.assembler import StorageCells
from emu.lift.native.blocks import blocks_of, leaders_of
from emu.lift.native.flow import CodeFlow, find_flow
from emu.lift.native.functions import LEFT
from emu.lift.native.memory_operands import with_loads_and_stores
from emu.lift.pcode.operations import (
    LiftedInstruction,
    Opcode,
    Operation,
    Space,
    Varnode,
    constant,
)
from emu.lift.resumable.access_screen import AccessScreen
from emu.lift.resumable.code_writer import CodeFacts, CodeWriter, exit_if_asked
from emu.lift.resumable.kept_registers import KeptRegisters
from emu.lift.resumable.live_flags import live_flags
from emu.lift.resumable.register_cache import REGISTERS_AT

FUNCTION = "run_code"
"""The function's name: it gets the state, guest memory and its shadow, each where address 0 is."""

_MOST_INSTRUCTIONS = 30_000
"""With so many, no more is looked for behind what is not translated."""

_MOST_IN_PART = 200
"""So many instructions become one function of LLVM, or some more up to where a guest's begins."""


@dataclass(frozen=True, slots=True)
class ResumableModule:
    """Translated code.

    Attributes:
        text: the module in LLVM's assembler language.
        code: the bytes of each run of instructions, by its address.
        entries: the addresses at which code can be entered without any flag.
        places: the offset in the state of each register of `KeptRegisters.all`.
        floats: the numbers of the floating-point registers that the code uses.
        size: the bytes of the state.
    """

    text: str
    code: dict[int, bytes]
    entries: tuple[int, ...]
    places: tuple[int, ...]
    floats: tuple[int, ...]
    size: int


def translate_resumable(
    decoder: Decoder,
    roots: Iterable[int],
    kept: KeptRegisters,
    screen: AccessScreen,
    is_executed: Callable[[int], bool],
) -> ResumableModule:
    """Translate the code that can be reached from some addresses.

    Args:
        decoder: decodes it.
        roots: the addresses.
        kept: the registers that it shares with the processor.
        screen: says before which accesses code is left.
        is_executed: whether code at an address was executed; functions of which none was are left
            out.
    """
    found = _flow_behind_traps(_ExecutedCalls(decoder, is_executed), roots)
    instructions = {
        at: with_loads_and_stores(kept.shared(one)) for at, one in found.instructions.items()
    }
    instructions = {at: one for at, one in instructions.items() if one.code}
    flow = CodeFlow(instructions, found.entries & instructions.keys(), found.functions)
    used = _register_operands(instructions.values())
    cells = StorageCells({*kept.all, *used})
    blocks = dict(blocks_of(flow, _leaders(flow)))
    every = (1 << len(kept.tested)) - 1
    read = live_flags(instructions, blocks, kept.tested, every)
    unneeded = {
        at: frozenset(one.offset for n, one in enumerate(kept.tested) if not read[at] >> n & 1)
        for at in blocks
    }
    facts = CodeFacts(cells, blocks, unneeded, screen)
    writers = [
        CodeWriter(f"part{number}", facts, part) for number, part in enumerate(_parts(flow, blocks))
    ]
    texts = [writer.text() for writer in writers]
    declared = sorted(set().union(*(writer.declared for writer in writers)))
    needed = live_flags(instructions, blocks, kept.flags, 0)
    return ResumableModule(
        "\n".join([*declared, *texts, _function(writers)]),
        _code(flow),
        tuple(at for at in blocks if not (needed[at] or instructions[at].refusal)),
        tuple(REGISTERS_AT + cells.place(one.offset) for one in kept.all),
        tuple(n for n, one in enumerate(kept.floats) if one in used),
        REGISTERS_AT + -(-cells.size // 8) * 8,
    )


def _leaders(flow: CodeFlow) -> frozenset[int]:
    """The addresses at which code is entered, or to which it does not come from the one before."""
    leaders = set(leaders_of(flow))
    instructions = list(flow.instructions.values())
    for one, after in itertools.pairwise(instructions):
        if one.following != after.address or one.refusal:
            leaders |= {one.following, after.address}
    return frozenset(leaders)


def _parts(flow: CodeFlow, blocks: Mapping[int, int]) -> Iterator[list[LiftedInstruction]]:
    """The instructions of each function of LLVM, which begins with a block."""
    part: list[LiftedInstruction] = []
    for one in flow.instructions.values():
        is_start = one.address in flow.functions or len(part) >= 2 * _MOST_IN_PART
        if len(part) >= _MOST_IN_PART and is_start and one.address in blocks:
            yield part
            part = []
        part.append(one)
    yield part


class _ExecutedCalls(Decoder):
    """Decodes instructions, of which those that call code that was never executed do not name it.

    Args:
        decoder: decodes them.
        is_executed: whether code at an address was executed.
    """

    def __init__(self, decoder: Decoder, is_executed: Callable[[int], bool]) -> None:
        self._decoder, self._is_executed = decoder, is_executed

    def instruction(self, address: int) -> LiftedInstruction:
        """See `Decoder.instruction`."""
        one = self._decoder.instruction(address)
        return dataclasses.replace(one, operations=tuple(map(self._call, one.operations)))

    def _call(self, operation: Operation) -> Operation:
        if operation.opcode is not Opcode.CALL or self._is_executed(operation.inputs[0].offset):
            return operation
        return Operation(Opcode.CALLIND, None, (constant(operation.inputs[0].offset, 4),))


def _flow_behind_traps(decoder: _ExecutedCalls, roots: Iterable[int]) -> CodeFlow:
    """The code that can be reached if whatever is not translated goes on behind itself."""
    starts = set(roots)
    while True:
        found = find_flow(decoder, starts, -1)
        left = [one for one in found.instructions.values() if one.refusal and one.code]
        behind = {one.following for one in left} - found.instructions.keys()
        if not behind or len(found.instructions) > _MOST_INSTRUCTIONS:
            return found
        starts |= behind


def _register_operands(instructions: Iterable[LiftedInstruction]) -> set[Varnode]:
    return {
        varnode
        for one in instructions
        for operation in one.operations
        for varnode in (*operation.inputs, operation.output)
        if varnode is not None and varnode.space is Space.REGISTER
    }


def _code(flow: CodeFlow) -> dict[int, bytes]:
    code: dict[int, bytearray] = {}
    start = end = -1
    for one in flow.instructions.values():
        if one.address != end:
            start = one.address
            code[start] = bytearray()
        code[start] += one.code
        end = one.following
    return {at: bytes(content) for at, content in code.items()}


def _function(writers: Iterable[CodeWriter]) -> str:
    """The function that goes from part to part, until code is left or nothing is translated."""
    lines = [
        f"define void @{FUNCTION}(ptr noalias %state, ptr %memory, ptr %shadow) {{",
        "  br label %next",
        "next:",
        *exit_if_asked("next", "go", "end"),
        "go:",
        "  %pc = load i32, ptr %state",
        "  switch i32 %pc, label %end [",
    ]
    calls = []
    for number, writer in enumerate(writers):
        lines += [f"    i32 {address}, label %part{number}" for address in writer.entries]
        calls += [
            f"part{number}:",
            f"  %way{number} = call i32 @part{number}(ptr %state, ptr %memory, ptr %shadow)",
            f"  %left{number} = icmp eq i32 %way{number}, {LEFT}",
            f"  br i1 %left{number}, label %end, label %next",
        ]
    lines += ["  ]", *calls, "end:", "  ret void", "}", ""]
    return "\n".join([*lines, '!0 = !{!"branch_weights", i32 1, i32 100000}', ""])
