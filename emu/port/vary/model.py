"""What changed calls need of an old and a new function, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emu.port.recording.store import RecordedCall
from emu.port.replay.blame import CalleeBlame
from emu.port.replay.comparison import ReplayComparison, ReplayDivergence
from emu.port.vary.coverage import Coverage
from emu.port.vary.floats import FloatAt
from emu.port.vary.old_function import OldFunction


@dataclass(frozen=True, slots=True)
class VariedFunction:
    """An old and a new function whose calls are changed.

    Attributes:
        old: facts of the old function.
        new: the address of the new one, which is in the replayer's memory.
        comparison: compares what they leave.
        callee_bytes: the bytes from the stack pointer on that belong to the function.
        objects: addresses of the variables that the port knows.
        scratch: registers that the function need not preserve.
        blame: tells of a recorded call whether old functions that it calls have a difference.
        float_at: tells which floats there are at addresses of a call; None if nothing does.
    """

    old: OldFunction
    new: int
    comparison: ReplayComparison
    callee_bytes: int
    objects: tuple[range, ...] = ()
    scratch: frozenset[str] = frozenset()
    blame: Callable[[RecordedCall], CalleeBlame] | None = None
    float_at: FloatAt | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Other bytes than in a recorded call.

    Attributes:
        address: their address; the number of the register if it is one.
        before: the bytes that were recorded.
        after: those in their place.
        register: the name of the register; "" for memory.
    """

    address: int
    before: bytes
    after: bytes
    register: str = ""


@dataclass(frozen=True, slots=True)
class VariedDifference:
    """A changed call that the new function answers otherwise, as small as could be made.

    Attributes:
        call: the recorded call.
        changes: what is changed in it, by address.
        divergence: what then differs.
        number: how many changed calls had been compared, with this one.
    """

    call: RecordedCall
    changes: tuple[Change, ...]
    divergence: ReplayDivergence
    number: int


@dataclass(frozen=True, slots=True)
class Variations:
    """What changed calls have shown.

    Attributes:
        compared: how many were compared.
        dropped: how many were not, by the reason in words: "the old function ...".
        coverage: which blocks of the old function were reached.
        refutation: the first difference; None if there is none.
        remark: why less was compared than was asked for; "" if it was not.
    """

    compared: int
    dropped: Mapping[str, int]
    coverage: Coverage
    refutation: VariedDifference | None = None
    remark: str = ""
