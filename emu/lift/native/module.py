"""Puts the functions of a program into a module of LLVM, with the loop that makes calls of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from emu.lift.decoder import Decoder, registers
from emu.lift.native.assembler import StorageCells
from emu.lift.native.blocks import BlockMarks
from emu.lift.native.call_loop import LEFT_CODE, RETURNED, UNKNOWN_TARGET, call_loop
from emu.lift.native.checks import NativeChecks
from emu.lift.native.edges import EdgeCounts
from emu.lift.native.flow import CodeFlow, find_flow, jumps_of
from emu.lift.native.functions import GOES_ON, FunctionWriter, Translation
from emu.lift.native.likely_targets import likely_targets
from emu.lift.native.liveness import RegisterLiveness
from emu.lift.native.memory_operands import with_loads_and_stores
from emu.lift.native.versions import clear_test, state_size
from emu.lift.pcode.operations import LiftedInstruction, Space, Varnode
from emu.machine.cpu import Cpu

_MOST_IN_ONE = 2500
"""So many instructions become one function, which is the fastest. LLVM's time grows faster than the
function: 894 targets of computed jumps in one took 112 s."""

_MOST_IN_MANY = 400
"""Of a larger program, guest functions that follow each other become one function up to here."""

_EVERYWHERE = range(1 << 32)

_STACK_POINTERS = {"m68k": "SP", "powerpc": "r1"}


@dataclass(frozen=True, slots=True)
class NativeModule:
    """A translated program.

    Attributes:
        text: the module in LLVM's assembler language.
        instructions: how many guest instructions it has.
        reasons: why instructions are not translated, by their addresses.
        blocks: address and size of the blocks that it marks.
        witnesses: the number of the block whose marks show each; see `BlockMarks`.
        marks: the numbers of the marks of each.
        edges: the edges that it counts in place of marking blocks; None if it marks them.
    """

    text: str
    instructions: int
    reasons: dict[int, str]
    blocks: tuple[tuple[int, int], ...]
    witnesses: tuple[int, ...]
    marks: tuple[tuple[int, ...], ...]
    edges: EdgeCounts | None = None


def translate(
    cpu: Cpu,
    decoder: Decoder,
    roots: Iterable[int],
    until: int,
    *,
    functions: Collection[int] = (),
    checks: NativeChecks | None = None,
    counts: bool = False,
) -> NativeModule:
    """Translate the code that can be reached from some addresses.

    Args:
        cpu: the processor.
        decoder: decodes its code.
        roots: the addresses that code can come to by a computed jump, as far as they are known.
        until: the address at which a call ends.
        functions: addresses at which functions begin, as far as they are known.
        checks: checks that become part of the code.
        counts: whether it counts edges for each call, in place of marking blocks.
    """
    flow = _explicit(find_flow(decoder, roots, until, functions))
    instructions = list(flow.instructions.values())
    parts = list(_parts(flow))
    entries = _entries(flow, parts)
    edges = EdgeCounts(flow, entries, decoder.gate, cpu.page_margin) if counts else None
    # Code with checks makes calls that were made before, so it need not tell what it executes.
    every = CodeFlow(flow.instructions, entries, flow.functions)
    blocks = edges or BlockMarks(every, _EVERYWHERE if checks else decoder.gate)
    checks = checks or NativeChecks()
    checks.program(flow)
    pointer = registers(cpu.architecture)[_STACK_POINTERS[cpu.architecture]]
    cells = StorageCells([pointer, *_register_operands(instructions)])
    translation = Translation(
        cells,
        RegisterLiveness(flow, entries, cells).live() | {cells.cell(pointer)},  # checks ask for it
        likely_targets(flow),
        pointer,
        1 + cpu.aligned if cpu.unwatched else 1,
        checks,
        blocks,
    )
    writers = [
        FunctionWriter(f"part{number}", translation, part, entries)
        for number, part in enumerate(parts)
    ]
    texts = [writer.text() for writer in writers]
    declared = sorted(set().union(*(writer.declared for writer in writers)))
    size, before = state_size(translation.registers), checks.before_call()
    loop = call_loop(size, before, checks.after_call(), blocks.call_bytes)
    more = checks.definitions()
    if checks.has_versions:
        more += clear_test(translation.registers)
    text = "\n".join([*declared, *texts, _guest(parts, entries, until), more, loop])
    reasons = {one.address: one.refusal for one in instructions if one.refusal}
    own = blocks.places, blocks.witnesses, blocks.marks
    return NativeModule(text, len(instructions), reasons, *own, edges)


def _explicit(flow: CodeFlow) -> CodeFlow:
    """The same code without operands in memory."""
    instructions = {at: with_loads_and_stores(one) for at, one in flow.instructions.items()}
    return CodeFlow(instructions, flow.entries, flow.functions)


def _register_operands(instructions: Iterable[LiftedInstruction]) -> Iterator[Varnode]:
    for instruction in instructions:
        for operation in instruction.operations:
            for varnode in (*operation.inputs, operation.output):
                if varnode is not None and varnode.space is Space.REGISTER:
                    yield varnode


def _parts(flow: CodeFlow) -> Iterator[list[LiftedInstruction]]:
    """The instructions of each function of LLVM: all of a few guest functions, or of one."""
    part: list[LiftedInstruction] = []
    instructions = list(flow.instructions.values())
    most = _MOST_IN_ONE if len(instructions) <= _MOST_IN_ONE else _MOST_IN_MANY
    for instruction in instructions:
        if len(part) >= most and instruction.address in flow.functions:
            yield part
            part = []
        part.append(instruction)
    yield part


def _entries(flow: CodeFlow, parts: Iterable[list[LiftedInstruction]]) -> frozenset[int]:
    """The addresses at which parts are entered: computed jumps, and jumps from one to another."""
    entries = set(flow.entries)
    for part in parts:
        own = {instruction.address for instruction in part}
        for instruction in part:
            targets = {*jumps_of(instruction), instruction.following}
            entries |= targets - own
    return frozenset(entries.intersection(flow.instructions))


def _guest(parts: Iterable[list[LiftedInstruction]], entries: Iterable[int], until: int) -> str:
    """The function that executes a call: it goes from part to part."""
    entered = set(entries)
    arguments = "ptr %state, ptr %memory, ptr %shadow, ptr %marks, i32 %pc"
    lines = [
        "define internal i32 @guest(ptr noalias %state, ptr %memory, ptr %shadow, ptr %marks, "
        "i32 %start) nounwind {",
        "entry:",
        "  store i32 %start, ptr %state",
        "  br label %next",
        "next:",
        "  %pc = load i32, ptr %state",
        "  switch i32 %pc, label %unknown [",
        f"    i32 {until}, label %returned",
    ]
    calls = []
    for number, part in enumerate(parts):
        for instruction in part:
            if instruction.address in entered:
                lines.append(f"    i32 {instruction.address}, label %part{number}")
        calls += [
            f"part{number}:",
            f"  %way{number} = call i32 @part{number}({arguments})",
            f"  %goes{number} = icmp eq i32 %way{number}, {GOES_ON}",
            f"  br i1 %goes{number}, label %next, label %left",
        ]
    lines += ["  ]", *calls, "returned:", f"  ret i32 {RETURNED}"]
    lines += ["unknown:", f"  ret i32 {UNKNOWN_TARGET}", "left:", f"  ret i32 {LEFT_CODE}"]
    return "\n".join([*lines, "}", ""])
