"""Reads which numbers a program has compared that records them.

The program is one of `emu.toolchain.sanitizers.tracing_comparisons`. What it calls before each
comparison is in ``mac_src/runtime/comparisons``, and keeps the numbers in a global of the guest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ProgramError
from emu.machine import BareMachine
from emu.program import Program

_LOG = "macproof_comparisons"


@dataclass(frozen=True, slots=True)
class OperandPairs:
    """What one comparison of a program has compared in a call, as unsigned numbers of 32 bits.

    Attributes:
        code: where it is, the address behind the call that records it.
        nearest: how far the two numbers were apart that were nearest to each other.
        pairs: pairs of numbers that differed, each once.
    """

    code: int
    nearest: int
    pairs: tuple[tuple[int, int], ...]


def records_comparisons(program: Program) -> bool:
    """Whether a program has a log; one that compares nothing is linked without it."""
    try:
        program.variable(_LOG)
    except ProgramError:
        return False
    return True


class ComparisonLog:
    """The comparisons of one machine's program.

    Args:
        machine: the machine.

    Raises:
        ProgramError: its program does not record comparisons.
    """

    def __init__(self, machine: BareMachine) -> None:
        self._log = machine.program.variable(_LOG)
        self._start = machine.data.offset(self._log.address)

    def read(self, images: NDArray[np.uint8]) -> list[list[OperandPairs]]:
        """The comparisons of each of some calls, by the images (calls, image size) they have left.

        All logs are read at once: one after the other took a third of the time of
        ``fuzz examples/packbits``.
        """
        part = images[:, self._start : self._start + self._log.type.size]
        places = part.view(self._log.type.dtype)["places"][:, 0]
        is_used = places["code"] != 0
        compared: list[list[OperandPairs]] = [[] for _ in images]
        for row, pairs in zip(
            np.nonzero(is_used)[0].tolist(), _pairs_of(places[is_used]), strict=True
        ):
            compared[row].append(pairs)
        return compared


def _pairs_of(used: NDArray[np.void]) -> Iterator[OperandPairs]:
    """What places of logs hold, in their order."""
    last = used["last"]
    for code, near, count, ones, others in zip(
        used["code"].tolist(),
        used["nearest"].tolist(),
        used["pairs"].tolist(),
        last["one"].tolist(),
        last["other"].tolist(),
        strict=True,
    ):
        first, second = near
        operands = dict.fromkeys([near, *zip(ones[:count], others[:count], strict=True)])
        nearest = min((first - second) % 2**32, (second - first) % 2**32)
        yield OperandPairs(code, nearest, tuple(operands))
