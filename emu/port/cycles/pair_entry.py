"""The cycles of a port's functions as an entry of ``emu/cycles/data/compiler_pairs.yaml``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.base.errors import UsageError
from emu.port.model import VERIFIED, FunctionVerdict

BUILD = "period"
"""The build that compilers of the time are measured beside."""


def pair_text(functions: Sequence[FunctionVerdict], program: str, compiler: str) -> str:
    """The text of an entry: of the functions that are verified and do not call the Toolbox.

    Args:
        functions: the functions, with their cycles.
        program: the program's name.
        compiler: the compiler that made it.

    Raises:
        UsageError: fewer than two functions count.
    """
    return "\n".join(_lines(functions, program, compiler)) + "\n"


def _lines(functions: Sequence[FunctionVerdict], program: str, compiler: str) -> Iterator[str]:
    counted = [
        (one.name, one.cycles)
        for one in functions
        if one.verdict == VERIFIED and one.cycles is not None and not one.cycles.toolbox
    ]
    counted = [(name, cycles) for name, cycles in counted if cycles.old and cycles.new]
    if len(counted) < 2:
        raise UsageError(
            "--figures: fewer than two functions are verified with cycles and without a call of "
            "the Toolbox"
        )
    yield f"  - program: {program}"
    yield f"    compiler: {compiler}"
    yield f'    cpu: "{counted[0][1].cpu}"'
    yield "    source: say where it was published"
    yield "    functions:"
    for name, cycles in counted:
        old, new = cycles.old / cycles.calls, cycles.new / cycles.calls
        yield f"      {name}: {{calls: {cycles.calls}, old: {old:.2f}, new: {new:.2f}}}"
