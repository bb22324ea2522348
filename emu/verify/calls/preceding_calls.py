"""Calls the routines that a case names under ``before``, such as one that initialises globals.

They are a layer of `BeforeImages`: images go in, and come out as these routines leave them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError
from emu.cases.case import Case
from emu.machine import BareMachine, Surroundings, SystemCallPolicy
from emu.program.declarations.places import find_routine, is_place
from emu.verify.calls.executed_code import words_of
from emu.verify.calls.successive_calls import CallRound, call_in_a_row, one_by_one


class PrecedingCallError(GuestError):
    """A call before the one under test did not return, or broke the call contract.

    It may be a routine under ``before``, or an earlier call of a KEPT fill.

    Attributes:
        row: the index of the first image on which it happened.
        fault: the full report on why it did not return; "" if it did.
        violations: the rules of the contract that it broke, a clause each.
        reason: what happened, in one line.
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
    """The routines under ``before`` on one machine; they are called in the case's order.

    Raises:
        CaseError: one of them has parameters.
        ProgramError: the program does not have it.
    """

    def __init__(self, case: Case, machine: BareMachine) -> None:
        self._case = case
        self._machine = machine
        self._routines = {name: self._address(name) for name in case.before}

    def _address(self, name: str) -> int:
        program = self._machine.program
        signature = None if is_place(name) else program.signature(name)
        needs = signature.needs(name) if signature is not None else ""
        if needs:
            raise self._case.error(name, f"{needs}, but a routine under before gets no arguments")
        return find_routine(program, name)

    def call(
        self, images: NDArray[np.uint8], around: Sequence[Surroundings]
    ) -> tuple[NDArray[np.uint8], bool]:
        """Call the routines on images, one after the other.

        Args:
            images: (calls, image size) uint8, the images that the first routine begins with.
            around: what the calls on each image find on the stack and in registers.

        Returns:
            (calls, image size) uint8, the images that the last routine leaves; and whether any
            routine asked the Toolbox.

        Raises:
            PrecedingCallError: one of them did not return, or broke the call contract.
        """
        if not self._routines:
            return images, False
        run = call_in_a_row(self._machine, self._steps(len(images)), images, around)
        for row in sorted(run.violations):
            step, sentences = run.violations[row]
            broken = tuple(f"{self._words(step)}: {clause}" for clause in sentences)
            raise PrecedingCallError(row, "; ".join(broken), violations=broken)
        if run.fault is not None and run.failed is not None:
            words, fault = self._words(run.failed), run.fault
            reason = f"{words}: {words_of(self._machine, fault)}"
            raise PrecedingCallError(run.done, reason, fault=f"{words}: {fault.describe()}")
        return run.after, bool(run.asked)

    def again(self, image: NDArray[np.uint8], around: Surroundings) -> None:
        """Call them again on one image, with a fresh Toolbox, which the next call then finds."""
        calls = one_by_one(self._machine, self._steps(1), image, around, SystemCallPolicy.BEGINS)
        for _ in calls:
            pass
        self._machine.calls.begin_system()

    def _steps(self, count: int) -> list[CallRound]:
        """The rounds of calls of all routines, on so many images."""
        rows = np.arange(count)
        return [
            CallRound(self._machine.typed_site(routine, (), (), None), rows, number, number)
            for number, routine in enumerate(self._routines.values())
        ]

    def _words(self, step: CallRound) -> str:
        return f"{list(self._routines)[step.routine]}, which is called before {self._case.call}"
