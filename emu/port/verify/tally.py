"""What the calls of one function of a port have shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from emu.cycles.comparison import FunctionCycles
from emu.port.graft.graft import Graft, GraftedFunction
from emu.port.replay.blame import Culprit
from emu.port.replay.callees import RepeatedCall
from emu.port.replay.comparison import ReplayDivergence
from emu.port.replay.replayer import TOO_LONG, ReplayOutcome


@dataclass(frozen=True, slots=True)
class RefutedCall:
    """A call that a new function answers otherwise than the old one.

    Attributes:
        number: which recorded call of the function it is, from 1.
        terms: the call, with what is changed in it.
        function: the new function.
        graft: what it is part of.
        old: what the old function left.
        new: what the new one left.
        found: what differs.
        changes: what is changed, in words; "" if nothing is.
    """

    number: int
    terms: RepeatedCall
    function: GraftedFunction
    graft: Graft
    old: ReplayOutcome
    new: ReplayOutcome
    found: ReplayDivergence
    changes: str = ""


@dataclass(slots=True)
class CallTally:
    """What the calls of one function have shown.

    Attributes:
        compared: how many were compared.
        skipped: how many were not, by the reason.
        first: the first that differs.
        idle: in how many of them the old function works and leaves nothing that could be compared.
        refuted: how many differ.
        endless: in how many of these the new function does not come back.
        doubtful: the calls that differ, in which the new function leaves something else with other
            junk.
        own_constants: the calls that differ only in old data that no mark names, while the new
            function changes constants of its own; of each its number and the first such place.
        unsure: names of what the original itself leaves differently.
        excused: how many differ by the original's own fault.
        culprits: the old functions with that fault.
        cycles: what the calls that do not differ cost in both, if that was asked for.
        unpriced: why that is not known, although it was asked for; "" if it is.
    """

    compared: int = 0
    idle: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    first: RefutedCall | None = None
    refuted: int = 0
    endless: int = 0
    doubtful: list[RefutedCall] = field(default_factory=list)
    own_constants: list[tuple[int, str]] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    excused: int = 0
    culprits: tuple[Culprit, ...] = ()
    cycles: FunctionCycles | None = None
    unpriced: str = ""

    def refute(self, refuted: RefutedCall) -> None:
        """Count a call that refutes the function."""
        self.refuted += 1
        self.endless += refuted.new.end == TOO_LONG
        if self.first is None or refuted.number < self.first.number:
            self.first = refuted

    def settle(self, place: str) -> None:
        """Decide on the doubtful calls, when all calls have been made.

        Where the original itself goes by what nobody wrote, and the new function, too, neither
        shows what is right.

        Args:
            place: where the old function lies.
        """
        if self.doubtful and any(culprit.place == place for culprit in self.culprits):
            count = len(self.doubtful)
            self.compared -= count
            self.skipped["both go by what nobody wrote"] += count
        else:
            for one in self.doubtful:
                self.refute(one)
        self.doubtful.clear()
