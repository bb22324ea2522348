"""The facts of an old function that changes of its calls need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.program.functions.basic_blocks import BasicBlock, basic_blocks
from emu.program.functions.model import ProgramFunction, ProgramFunctions
from emu.program.instructions.listing import list_routine
from emu.program.model.model import Program

_ARGUMENT_REGISTERS = tuple(f"r{number}" for number in range(3, 11))


@dataclass(frozen=True, slots=True)
class OldFunction:
    """An old function.

    Attributes:
        place: its place.
        size: its bytes.
        blocks: its blocks; addresses count from the function's beginning.
        constants: numbers in its instructions.
        uses: places of variables that it or a function that it calls names.
        registers: the registers of its arguments.
        lines: its instructions in words, by their distance from its beginning.
    """

    place: str
    size: int
    blocks: tuple[BasicBlock, ...]
    constants: tuple[int, ...]
    uses: tuple[str, ...]
    registers: tuple[str, ...]
    lines: Mapping[int, str]

    def place_at(self, offset: int) -> str:
        """The place of one of its instructions."""
        name, _, start = self.place.rpartition("+")
        return f"{name}+{int(start, 0) + offset:#x}"


def old_function(functions: ProgramFunctions, function: ProgramFunction) -> OldFunction:
    """The facts of a function.

    Args:
        functions: those of the program.
        function: the function.
    """
    program, start = functions.program, function.address
    blocks = (
        BasicBlock(b.start - start, b.end - start, tuple(at - start for at in b.branches))
        for b in basic_blocks(program, function.extent)
    )
    return OldFunction(
        function.place,
        function.size,
        tuple(blocks),
        tuple(sorted(function.contents.constants)),
        tuple(sorted(_uses(functions, function))),
        _registers(program, function),
        _lines(program, function),
    )


def _uses(functions: ProgramFunctions, function: ProgramFunction) -> set[str]:
    """The places that a function and all that it calls name."""
    known, waiting = {function.address}, [function]
    places: set[str] = set()
    while waiting:
        each = waiting.pop()
        places.update(use.place for use in each.contents.globals)
        for address in each.callees:
            callee = functions.by_address.get(address)
            if callee is not None and address not in known:
                known.add(address)
                waiting.append(callee)
    return places


def _registers(program: Program, function: ProgramFunction) -> tuple[str, ...]:
    if program.architecture != "powerpc":
        return ()
    counted = function.extent.argument_count
    return _ARGUMENT_REGISTERS[: counted if counted is not None else len(_ARGUMENT_REGISTERS)]


def _lines(program: Program, function: ProgramFunction) -> dict[int, str]:
    found: dict[int, str] = {}
    offset = 0
    for line in list_routine(program, function.place):
        if offset >= function.size:
            break
        found[offset] = line.text
        offset += len(line.code.replace(" ", "")) // 2
    return found
