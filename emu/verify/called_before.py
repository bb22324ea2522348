"""The routines that are called before the one under test, such as one that initialises globals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError
from emu.cases.case import Case
from emu.machine import Machine, Surroundings
from emu.program.places import find_routine, is_place
from emu.verify.call_sequence import broken_by


class BeforeFailed(GuestError):
    """A routine that is called before the other did not return, or broke the call contract.

    Attributes:
        row: the index of the image on which it did so first.
        fault: the full report on why it did not return; "" if it did.
        violations: the rules of the contract that it broke, a clause each.
        reason: what it did, in one line.
    """

    def __init__(
        self, row: int, reason: str, fault: str = "", violations: tuple[str, ...] = ()
    ) -> None:
        self.row = row
        self.reason = reason
        self.fault = fault
        self.violations = violations
        super().__init__(fault or reason)


class CalledBefore:
    """The routines that are called before the one under test, in their order.

    Raises:
        CaseError: one of them has parameters.
        ProgramError: the program does not have it.
    """

    def __init__(self, case: Case, machine: Machine) -> None:
        self._case = case
        self._machine = machine
        self._routines = {name: self._address(name) for name in case.before}

    def _address(self, name: str) -> int:
        program = self._machine.program
        signature = None if is_place(name) else program.signature(name)
        needs = signature.needs(name) if signature is not None else ""
        if needs:
            raise self._case.error(name, f"{needs}, and what is called before gets none")
        return find_routine(program, name)

    def call(
        self, images: NDArray[np.uint8], around: Sequence[Surroundings] | None
    ) -> NDArray[np.uint8]:
        """The images, shape (calls, image size), that they leave.

        Args:
            images: those that the first of them begins with.
            around: what each call finds on the stack and in registers.

        Raises:
            BeforeFailed: one of them did not return, or broke the call contract.
        """
        for name, routine in self._routines.items():
            batch = self._machine.run_batch(routine, images, around)
            words = f"{name}, which is called before {self._case.call}"
            for row in sorted(batch.violations):
                clauses = broken_by(self._machine.program, routine, batch.violations[row])
                broken = tuple(f"{words}: {clause}" for clause in clauses)
                raise BeforeFailed(row, "; ".join(broken), violations=broken)
            if batch.fault is not None:
                reason = f"{words}: {batch.fault.reason}, at {batch.fault.location}"
                raise BeforeFailed(
                    batch.completed, reason, fault=f"{words}: {batch.fault.describe()}"
                )
            images = batch.after
        return images
