"""Runs the constructors of a program's global objects, as its start-up code would before ``main``.

They are run once, when a machine is built. So every call begins with an image in which the objects
are constructed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.batch import Batch
from emu.machine.calls.call_entry import CallEntry
from emu.machine.calls.faults import ContractViolation, GuestFault
from emu.machine.memory.memory import GuestMemory
from emu.program import Program

_LIST = ("__macproof_constructors", "__macproof_constructors_end")


def constructors_of(program: Program, memory: GuestMemory) -> list[int]:
    """The addresses of a program's constructors, in the order in which they are called.

    A program that macproof compiles has a list of them. Another program's start-up code is not run.
    """
    ends = [symbol.address for name in _LIST for symbol in program.symbols if symbol.name == name]
    if len(ends) != len(_LIST):
        return []
    start, end = ends
    words = memory.view(start, end - start).view(f"{program.byte_order}u4")
    return [int(word) for word in words]


def constructed(
    entry: CallEntry, run: Callable[[int, NDArray[np.uint8]], Batch]
) -> NDArray[np.uint8]:
    """Run the constructors, and return the image after them.

    Args:
        entry: what writes calls to guest memory, in which the program is loaded.
        run: calls a routine on images, as `MachineCalls.run` does.

    Returns:
        (image size,) uint8.

    Raises:
        GuestFault: a constructor faulted or used up its budget.
        ContractViolation: one returned, but broke a rule that every call must keep.
    """
    images = entry.data.copy()[np.newaxis]
    for address in constructors_of(entry.program, entry.memory):
        batch = run(address, images)
        where = entry.program.locate(address)
        name = f"the constructors of global objects, {where},"
        if batch.fault is not None:
            raise GuestFault(name, batch.fault)
        for sentences in batch.violations.values():
            raise ContractViolation(name, sentences)
        images = batch.after
    return np.asarray(images[0])
