"""Makes calls of the old function, and sees what they access and where they go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.machine.engine.watch.edges import EDGE, Block
from emu.port.replay.callees import RepeatedCall
from emu.port.replay.replayer import MOST_CODE, TOO_LONG, Replayer, ReplayOutcome
from emu.port.vary.inputs import MEMORY, REGISTER, ByteChanges, Moment

_MOST_OFTEN = 7
"""Steps that are taken more than 64 times count as taken equally often."""
_LONGER = 20
_SHORTEST = 400_000
"""A changed call may execute so many times the code of the longest recorded one, but at least so
many bytes."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A call of the old function.

    Attributes:
        outcome: what it left.
        accesses: what it accessed, as `AccessLog` has it.
        steps: each step from block to block that it took, with how often it did so up to a factor
            of two.
        blocks: addresses and sizes of the blocks that it entered.
    """

    outcome: ReplayOutcome
    accesses: NDArray[np.void]
    steps: frozenset[tuple[int, int, int]]
    blocks: frozenset[Block]


class Observer:
    """A Macintosh beside the replayer's, in which only old functions are called.

    Accesses are logged and steps counted in machine code: a small function takes 0.3 ms.

    Args:
        replayer: the replayer; its calls can be made here, too.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self, replayer: Replayer) -> None:
        self._replayer = replayer.twin()
        self._edges = self._replayer.count_edges()
        self._log = self._replayer.log_accesses()
        self._most_code = MOST_CODE

    def limit(self, longest: int) -> None:
        """Let calls execute no more than some times the code of the longest recorded one."""
        self._most_code = max(_SHORTEST, _LONGER * longest)

    def observe(
        self, moment: Moment, changed: ByteChanges, junk: int = 0, deeper: int = 0
    ) -> Observation:
        """Make a call.

        Args:
            moment: the recorded call.
            changed: what is changed before it.
            junk: 0 or 1; see `Replayer.run`.
            deeper: see there, too.
        """
        entry, most_code = moment.call.entry, self._most_code
        outcome = run(self._replayer, moment, entry, changed, most_code, junk=junk, deeper=deeper)
        is_full = self._log.is_full
        accesses = self._log.take()
        try:
            records = self._edges.edges()
        except MacproofError:
            is_full, records = True, np.zeros(0, dtype=EDGE)
        if is_full:
            reason = "it accesses more than can be logged"
            outcome = ReplayOutcome(TOO_LONG, reason, outcome.registers, 0.0, {})
        return Observation(
            outcome,
            accesses,
            _steps(records),
            frozenset() if is_full else frozenset(self._edges.blocks()),
        )


def _steps(edges: NDArray[np.void]) -> frozenset[tuple[int, int, int]]:
    often = np.minimum(np.frexp(edges["count"])[1], _MOST_OFTEN)
    return frozenset(
        zip(edges["previous"].tolist(), edges["address"].tolist(), often.tolist(), strict=True)
    )


def run(
    replayer: Replayer,
    moment: Moment,
    entry: int,
    changed: ByteChanges,
    most_code: int,
    *,
    junk: int = 0,
    deeper: int = 0,
) -> ReplayOutcome:
    """Make a changed call of any function.

    Args:
        replayer: where it is made.
        moment: the recorded call.
        entry: the address of the function.
        changed: what is changed.
        most_code: how many bytes of code it may execute.
        junk: 0 or 1; see `Replayer.run`.
        deeper: see there, too.
    """
    terms = repeated(moment, changed)
    return replayer.run(
        moment.call,
        entry,
        junk=junk,
        deeper=deeper,
        most_code=most_code,
        changed=terms.changed,
        registers=terms.registers,
    )


def repeated(moment: Moment, changed: ByteChanges) -> RepeatedCall:
    """A changed call, to be made once more."""
    return RepeatedCall(
        moment.call,
        {at: bytes([byte]) for (kind, at), byte in changed.items() if kind == MEMORY},
        {at: value for (kind, at), value in changed.items() if kind == REGISTER},
    )
