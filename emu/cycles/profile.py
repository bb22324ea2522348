"""Divides the cycles of counted calls among functions, source lines and instructions.

Each of the three divisions adds up to all cycles. Inlined code counts for the function that it was
inlined into, since it has no symbol there, and for the line on which it was written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from emu.cycles.base.counting import Block, Counts
from emu.cycles.base.model import Code, CycleModel, Source
from emu.cycles.function_names import function_names
from emu.cycles.pricing import Pricing, decode
from emu.program import Program, Symbol

FileLine = tuple[str, int]
"""File name, without a folder, and line number."""

NO_LINE: FileLine = ("", 0)
"""The line that code is counted for if the program does not say where it was written."""

NO_SYMBOL = None
"""The name of the function that code is counted for if no symbol covers it."""

# BSR and JSR; branches of the PowerPC that save the return address.
_CALL = re.compile(r"[bj]sr(\.\w)?|b(c|clr|cctr)?la?")


@dataclass(frozen=True, slots=True)
class InstructionCost:
    """The cost of an instruction; numbers are averages over calls of the routine.

    Attributes:
        address: where it lies.
        text: the instruction for readers.
        cell: the name of the table cell that prices it.
        source: the source of its price.
        function: the function it is in, or `NO_SYMBOL`.
        offset: bytes from the beginning of that function.
        place: the source line on which it was written, or `NO_LINE`.
        executed: how often it was executed.
        cycles: the cycles of all these times together.
    """

    address: int
    text: str
    cell: str
    source: Source
    function: str | None
    offset: int
    place: FileLine
    executed: float
    cycles: float


@dataclass(frozen=True, slots=True)
class FunctionCost:
    """The cost of a function without those it calls; numbers are averages over the routine's calls.

    Attributes:
        name: the name in the source, or a longer one if others have that; or `NO_SYMBOL`.
        address: where it begins; None for code without a symbol.
        calls: how often it is called.
        instructions: how many instructions are executed in it.
        cycles: the cycles spent in it.
        cycles_each: cycles of one call of it; None if it is never entered at its beginning.
        share: its part of all cycles, from 0 to 1.
    """

    name: str | None
    address: int | None
    calls: float
    instructions: float
    cycles: float
    cycles_each: float | None
    share: float


@dataclass(frozen=True, slots=True)
class LineCost:
    """The cost of a source line; numbers are averages over calls of the routine.

    Attributes:
        place: file and line, or `NO_LINE`.
        executed: how often its most frequent instruction was executed. If the compiler has moved a
            part of the line into a loop, for example, that part counts.
        instructions: how many instructions of the line were executed.
        cycles: the cycles spent on it.
    """

    place: FileLine
    executed: float
    instructions: float
    cycles: float


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The costs of a routine's calls by function, source line and instruction.

    Attributes:
        calls: how many calls of the routine were averaged.
        cycles: the cycles of a call.
        instructions: how many instructions a call executes.
        functions: the costliest first.
        lines: the costliest first, among them `NO_LINE` if there is such code.
        code: every executed instruction, by address.
        never: lines with code of which nothing was executed.
    """

    calls: int
    cycles: float
    instructions: float
    functions: tuple[FunctionCost, ...]
    lines: tuple[LineCost, ...]
    code: tuple[InstructionCost, ...]
    never: frozenset[FileLine]


def make_profile(counts: Counts, pricing: Pricing, model: CycleModel, program: Program) -> Profile:
    """Divide the cycles of counted calls among functions, lines and instructions.

    Args:
        counts: what was executed.
        pricing: its cycles by the model.
        model: the model.
        program: the program that was run.

    Raises:
        MacproofError: the model cannot decode a block.
        ZeroDivisionError: no calls were counted.
    """
    decoded = decode(counts.code, model)
    functions = _Functions(program.symbols)
    code = tuple(_instructions(pricing, decoded, model, program, functions))
    lines = _lines(code)
    return Profile(
        calls=pricing.calls,
        cycles=pricing.cycles_per_call,
        instructions=pricing.instructions_per_call,
        functions=_function_costs(code, _entries(counts, decoded, functions)),
        lines=lines,
        code=code,
        never=frozenset(_places(program)) - {line.place for line in lines},
    )


def _instructions(
    pricing: Pricing,
    decoded: Mapping[Block, Code],
    model: CycleModel,
    program: Program,
    functions: _Functions,
) -> Iterator[InstructionCost]:
    instructions = {each.address: each for block in decoded.values() for each in block}
    for address, (executed, cycles) in sorted(pricing.by_address.items()):
        instruction = instructions[address]
        function = functions.find(address)
        place = program.locate(address)
        yield InstructionCost(
            address=address,
            text=instruction.text,
            cell=instruction.cell,
            source=model.source(instruction),
            function=functions.name(function),
            offset=address - function.address if function else 0,
            place=(place.file, place.line) if place.line else NO_LINE,
            executed=executed / pricing.calls,
            cycles=cycles / pricing.calls,
        )


def _lines(code: Sequence[InstructionCost]) -> tuple[LineCost, ...]:
    together: defaultdict[FileLine, list[InstructionCost]] = defaultdict(list)
    for each in code:
        together[each.place].append(each)
    costs = [
        LineCost(
            place,
            executed=max(each.executed for each in instructions),
            instructions=sum(each.executed for each in instructions),
            cycles=sum(each.cycles for each in instructions),
        )
        for place, instructions in together.items()
    ]
    return tuple(sorted(costs, key=lambda cost: (-cost.cycles, cost.place)))


def _function_costs(
    code: Sequence[InstructionCost], entries: Mapping[int, float]
) -> tuple[FunctionCost, ...]:
    together: defaultdict[int | None, list[InstructionCost]] = defaultdict(list)
    for each in code:
        together[each.address - each.offset if each.function else None].append(each)
    whole = sum(each.cycles for each in code)
    costs = []
    for address, instructions in together.items():
        calls = 0.0 if address is None else entries.get(address, 0.0)
        cycles = sum(each.cycles for each in instructions)
        costs.append(
            FunctionCost(
                instructions[0].function,
                address,
                calls=calls,
                instructions=sum(each.executed for each in instructions),
                cycles=cycles,
                cycles_each=cycles / calls if calls else None,
                share=cycles / whole if whole else 0.0,
            )
        )
    return tuple(sorted(costs, key=lambda cost: (-cost.cycles, cost.address or 0)))


def _entries(
    counts: Counts, decoded: Mapping[Block, Code], functions: _Functions
) -> dict[int, float]:
    """How often each function is called in a call of the routine, by its address.

    Control that comes to the beginning of a function from elsewhere is a call, even by a jump. If
    it comes from within the function, it is a call only by a calling instruction, and else a loop.
    """
    entries: Counter[int] = Counter()
    for previous, previous_size, address, _, count in counts.edges.tolist():
        function = functions.find(address)
        if function is None or function.address != address:
            continue
        before = decoded.get((previous, previous_size), ())
        is_inside = bool(before) and functions.find(before[-1].address) == function
        if not is_inside or _CALL.fullmatch(before[-1].mnemonic):
            entries[address] += count
    return {address: count / counts.calls for address, count in entries.items()}


def _places(program: Program) -> Iterator[FileLine]:
    """Every line that has code."""
    for row in program.lines.rows:
        place = program.locate(row.address)
        if place.line and place.symbol:  # functions that the linker threw away keep their rows
            yield place.file, place.line


class _Functions:
    """The functions of a program by their addresses, with names that tell them apart."""

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        # Of several symbols at one address, the largest is taken: others may have no size.
        best: dict[int, Symbol] = {}
        for symbol in sorted(symbols, key=lambda s: (s.address, -s.size, s.name)):
            if symbol.kind == "function":
                best.setdefault(symbol.address, symbol)
        self._symbols = list(best.values())
        self._addresses = list(best)
        self._names = function_names(self._symbols)

    def find(self, address: int) -> Symbol | None:
        """The function that an address is in; one of unknown size reaches to the next."""
        index = bisect_right(self._addresses, address) - 1
        if index < 0:
            return None
        symbol = self._symbols[index]
        return symbol if not symbol.size or address - symbol.address < symbol.size else None

    def name(self, symbol: Symbol | None) -> str | None:
        """The name of a function, different from all others."""
        return self._names[symbol.address] if symbol is not None else NO_SYMBOL
