"""Executes vectors of DingusPPC on lifted code of the 601."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from emu.engines.conformity.power_tables import read_power_table
from emu.engines.conformity.vectors import Vector
from emu.lift.interpreter import LeftError
from emu.lift.powerpc.forms import form_of
from tests.lift.lifted_ppc import LiftedInstruction601

RIGHT, LEFT, OTHER_MODE = "right", "left", "in another mode, which lifted code does not have"
"""What can come of a vector but a mistake."""


def ask_lifted_601(vector: Vector) -> str:
    """What lifted code does with a vector: one of these words, or what is wrong.

    Flags of FPSCR, which lifted code does not keep, are not looked at.
    """
    before = vector.before.registers
    if before["fpscr"]:
        return OTHER_MODE
    lifted = LiftedInstruction601(_word(vector))
    lifted.set({name: value for name, value in before.items() if name != "fpscr"})
    try:
        lifted.step()
    except LeftError:
        return LEFT
    undefined = vector.ignored or {}
    wrong = [
        f"{name} is {lifted.get(name):x} and must be {wanted:x}"
        for name, wanted in vector.after.registers.items()
        if name != "fpscr" and (lifted.get(name) ^ wanted) & ~undefined.get(name, 0)
    ]
    return "; ".join(wrong) or RIGHT


def ask_files(paths: Iterable[Path]) -> tuple[Counter[str], Counter[str], list[str]]:
    """Ask all vectors of some files.

    Returns:
        How many had each outcome; how many of each form were right; and what was wrong.
    """
    counts, right, wrong = Counter[str](), Counter[str](), list[str]()
    for path in paths:
        for vector in read_power_table(path):
            outcome = ask_lifted_601(vector)
            if outcome == RIGHT:
                right[form_of(_word(vector))] += 1
            elif outcome not in (LEFT, OTHER_MODE):
                wrong.append(f"{vector.name}: {outcome}")
                outcome = "wrong"
            counts[outcome] += 1
    return counts, right, wrong


def _word(vector: Vector) -> int:
    return int.from_bytes(bytes(vector.before.memory.values()), "big")
