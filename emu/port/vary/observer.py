"""Makes calls of the old function, and sees what they access and where they go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.machine.engine.watch.edges import EDGE, Block
from emu.port.replay.callees import RepeatedCall
from emu.port.replay.replayer import TOO_LONG, Replayer, ReplayOutcome
from emu.port.vary.inputs import MEMORY, REGISTER, ByteChanges, Moment

_MOST_CODE = 40_000_000
"""Bytes of code that a call may execute before anything is known of the function."""
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
        code: the bytes of code that it executed.
    """

    outcome: ReplayOutcome
    accesses: NDArray[np.void]
    steps: frozenset[tuple[int, int, int]]
    blocks: frozenset[Block]
    code: float


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
        engine = self._replayer.session.mac.engine
        self._edges, _ = engine.count_edges()
        self._edges.expect_prices(np.inf, 1.0)
        self._edges.limit = _MOST_CODE
        self._log = engine.log_accesses()

    def limit(self, longest: float) -> None:
        """Let calls execute no more than some times the code of the longest recorded one."""
        self._edges.limit = max(_SHORTEST, _LONGER * longest)

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
        self._edges.clear()
        outcome = run(self._replayer, moment, moment.call.entry, changed, junk, deeper)
        is_full = self._log.is_full
        accesses = self._log.take()
        code = self._edges.cycles if not is_full else 0.0
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
            code,
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
    junk: int = 0,
    deeper: int = 0,
) -> ReplayOutcome:
    """Make a changed call of any function.

    Args:
        replayer: where it is made.
        moment: the recorded call.
        entry: the address of the function.
        changed: what is changed.
        junk: 0 or 1; see `Replayer.run`.
        deeper: see there, too.
    """
    terms = repeated(moment, changed)
    return replayer.run(
        moment.call,
        entry,
        junk=junk,
        deeper=deeper,
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
