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
    """The old program with the names that marks give to functions and globals.

    Each function that was found has a symbol of its size; one without a name has its place.
    """
    program = survey.functions.program
    texts = MarkedTexts(survey.project.marked_files)
    names: dict[int, str] = {}
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
                names[find_routine(program, mark.place)] = name
    known = survey.functions.by_address
    symbols = [
        Symbol(names.get(one.address, one.label), one.address, one.size, "function")
        for one in known.values()
    ]
    others = [symbol for symbol in program.symbols if symbol.address not in known]
    return replace(program, symbols=[*others, *symbols], variables=variables)


def disassembly(program: Program, function: ProgramFunction) -> Iterator[str]:
    """The instructions of a function, a line each: its place, its text.

    Args:
        program: the program, as of `named_program`.
        function: the function.
    """
    for line in list_routine(program, function.place):
        yield f"{line.place:16}  {line.text}".rstrip()
