"""Runs the constructors of a program's global objects, as its start-up code would before ``main``.

They are run once, when a machine is built. So every call begins with an image in which the objects
are constructed.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from emu.machine.calls.batch import Batch
from emu.machine.calls.faults import ContractViolation, GuestFault
from emu.machine.memory.memory import GuestMemory
from emu.program import Program

_LIST = ("__macproof_constructors", "__macproof_constructors_end")


class ConstructorMachine(Protocol):
    """The part of a machine that running constructors needs."""

    program: Program
    memory: GuestMemory

    def run_batch(self, routine: int, before: NDArray[np.uint8]) -> Batch:
        """Call a routine on images; see `Machine.run_batch`."""


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


def constructed(machine: ConstructorMachine, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Run the constructors, and return the image after them.

    Args:
        machine: the machine, loaded.
        image: (image size,) uint8, the data memory as it was loaded.

    Raises:
        GuestFault: a constructor faulted or used up its budget.
        ContractViolation: one returned, but broke a rule that every call must keep.
    """
    images = image[np.newaxis]
    for address in constructors_of(machine.program, machine.memory):
        batch = machine.run_batch(address, images)
        where = machine.program.locate(address)
        name = f"the constructors of global objects, {where},"
        if batch.fault is not None:
            raise GuestFault(name, batch.fault)
        for sentences in batch.violations.values():
            raise ContractViolation(name, sentences)
        images = batch.after
    return np.asarray(images[0])
