"""Asks z3 what inputs allow, in the time that a proof has."""

from __future__ import annotations

import time
from collections.abc import Sequence

import z3

from emu.prove.numbers.limits import ProofTimeError


class Deadline:
    """The time that a proof may take.

    Args:
        seconds: so many seconds from now.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def milliseconds(self) -> int:
        """The milliseconds that are left.

        Raises:
            ProofTimeError: there are none.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise ProofTimeError(f"the time is over, which was {self._seconds:g} seconds")
        return max(1, int(1000 * left))


class Assumptions:
    """What is known of the inputs of a call.

    Args:
        deadline: when to give up.
        known: what holds of all inputs.
    """

    def __init__(self, deadline: Deadline, known: Sequence[z3.BoolRef] = ()) -> None:
        self.deadline = deadline
        self.known = tuple(known)
        self._solver = z3.Solver()
        self._solver.add(*self.known)

    def and_also(self, *more: z3.BoolRef) -> Assumptions:
        """These and others."""
        return Assumptions(self.deadline, (*self.known, *more))

    def allow(self, *conditions: z3.BoolRef) -> bool:
        """Whether some inputs meet conditions.

        Raises:
            ProofTimeError: z3 cannot tell in the time that is left.
        """
        self._solver.set("timeout", self.deadline.milliseconds())
        return self._decided(self._solver.check(*conditions), self._solver)

    def model(self, *conditions: z3.BoolRef) -> z3.ModelRef | None:
        """Inputs that meet conditions; None if there are none.

        A solver of its own is asked, which z3 prepares for bit vectors; that is quicker for large
        terms, while `allow` is quicker for many small questions.

        Raises:
            ProofTimeError: z3 cannot tell in the time that is left.
        """
        solver = z3.SolverFor("QF_BV")
        solver.set("timeout", self.deadline.milliseconds())
        solver.add(*self.known, *conditions)
        return solver.model() if self._decided(solver.check(), solver) else None

    def values(self, value: z3.BitVecRef, conditions: Sequence[z3.BoolRef], most: int) -> list[int]:
        """The values that a term can have, as unsigned numbers; of more than ``most``, one more.

        Raises:
            ProofTimeError: z3 cannot tell in the time that is left.
        """
        found: list[int] = []
        self._solver.push()
        try:
            self._solver.add(*conditions)
            while len(found) <= most:
                self._solver.set("timeout", self.deadline.milliseconds())
                if not self._decided(self._solver.check(), self._solver):
                    break
                one = self._solver.model().eval(value, model_completion=True).as_long()
                found.append(one)
                self._solver.add(value != one)
        finally:
            self._solver.pop()
        return sorted(found)

    def _decided(self, answer: z3.CheckSatResult, solver: z3.Solver) -> bool:
        if answer == z3.unknown:
            self.deadline.milliseconds()
            raise ProofTimeError(f"z3 does not decide it: {solver.reason_unknown()}")
        return bool(answer == z3.sat)
