"""Disassembly of the old program with the names that the port gives to its places."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from emu.base.errors import ProgramError
from emu.port.model import GLOBAL
from emu.port.project.marked_text import MarkedTexts
from emu.port.status.table import Survey
from emu.program.declarations.places import find_data, find_routine
from emu.program.functions.model import ProgramFunction
from emu.program.instructions.listing import list_routine
from emu.program.model.model import Program, Symbol, Variable
from emu.program.model.types import GuestType


def named_program(survey: Survey) -> Program:
    """The old program with the names that marks give to functions and globals."""
    program = survey.functions.program
    texts = MarkedTexts(survey.project.marked_files)
    functions: dict[int, Symbol] = {}
    variables: dict[str, list[Variable]] = {}
    for mark in survey.marks:
        name = texts.name(mark)
        if not name:
            continue
        with contextlib.suppress(ProgramError):  # `survey_port` and `read_claims` tell that
            if mark.kind == GLOBAL:
                kind = GuestType(name, "unknown", np.dtype(f"V{max(mark.size, 1)}"))
                variables[name] = [Variable(name, find_data(program, mark.place), kind)]
            else:
                address = find_routine(program, mark.place)
                function = survey.functions.by_address.get(address)
                size = function.size if function is not None else mark.size
                functions[address] = Symbol(name, address, size, "function")
    others = [symbol for symbol in program.symbols if symbol.address not in functions]
    return replace(program, symbols=[*others, *functions.values()], variables=variables)


def disassembly(program: Program, function: ProgramFunction) -> Iterator[str]:
    """The instructions of a function, a line each: its place, its text.

    Args:
        program: the program, with the names to be shown.
        function: the function.
    """
    own = [one for one in program.symbols if one.address == function.address]
    name = own[0].name if own else function.place
    others = [one for one in program.symbols if one.address != function.address]
    symbol = Symbol(name, function.address, function.size, "function")
    sized = replace(program, symbols=[*others, symbol])
    for line in list_routine(sized, function.place):
        yield f"{line.place:16}  {line.text}".rstrip()
