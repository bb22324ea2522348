"""A program moved to other addresses, for example those to which a Toolbox loader has loaded it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from emu.program.model.lines import LineRow, LineTable
from emu.program.model.model import Program, Segment, Symbol, Variable
from emu.program.model.signatures import Signature

Move = Callable[[int], int | None]
"""Gives the new address for an old one; None for what is not there any more."""

_Placed = TypeVar("_Placed", Symbol, Variable, LineRow, Signature)


def moved(
    program: Program, segments: Sequence[Segment], registers: Mapping[str, int], move: Move
) -> Program:
    """A program with other segments, and with everything it knows at the new addresses.

    Args:
        program: the program.
        segments: the memory that replaces its own.
        registers: what any call must find in registers.
        move: gives the new address for an address of the program.
    """
    return replace(
        program,
        segments=segments,
        symbols=_placed(program.symbols, move),
        variables={name: _placed(variables, move) for name, variables in program.variables.items()},
        functions={
            name: [new for new in map(move, addresses) if new is not None]
            for name, addresses in program.functions.items()
        },
        lines=LineTable(_placed(program.lines.rows, move)),
        signatures={
            name: _placed(signatures, move) for name, signatures in program.signatures.items()
        },
        registers=registers,
    )


def _placed(items: Iterable[_Placed], move: Move) -> list[_Placed]:
    """The items at their new addresses, without those that are gone."""
    placed = []
    for item in items:
        new = None if item.address is None else move(item.address)
        if item.address is None:
            placed.append(item)
        elif new is not None:
            placed.append(replace(item, address=new))
    return placed
