"""The sources of predicted cycles, and whether the caches hold the code and data of a call."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.cycles.base.model import KINDS, Source
from emu.cycles.base.tables import CellTable, load
from emu.timing.predict import Prediction

_CACHES = Path(__file__).with_name("caches.yaml")


@dataclass(frozen=True, slots=True)
class Footprint:
    """The memory that the calls of a program use, and the caches of its processor.

    Attributes:
        code_bytes: the size of all code that was executed, in bytes.
        data_bytes: the size of all data of the program, in bytes. A call uses a part of it.
        stack_bytes: the largest size of the stack, in bytes.
        fits: whether the caches hold all of it at once; None if there is no cache.
        caches: the caches and the source of their sizes, in words.
    """

    code_bytes: int
    data_bytes: int
    stack_bytes: int
    fits: bool | None
    caches: str


@dataclass(frozen=True, slots=True)
class SourceShare:
    """The share of predicted cycles that one source prices.

    Attributes:
        kind: the kind of source, such as "manual", "measurement" or "assumption".
        title: the title of the source.
        share: the share, from 0 to 1.
    """

    kind: str
    title: str
    share: float


def shares(prediction: Prediction) -> dict[Source, float]:
    """The share of the cycles that is priced by each source, from 0 to 1, largest first.

    A share is the mean over the numbers of objects.
    """
    total: dict[Source, float] = {}
    for size in prediction.sizes.values():
        for source, cycles in size.by_source.items():
            part = cycles / size.cycles / len(prediction.sizes)
            total[source] = total.get(source, 0.0) + part
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0].title)))


def shares_by_kind(parts: Mapping[Source, float]) -> dict[str, float]:
    """Sum shares by the kind of source; all kinds, the most reliable first."""
    return {
        kind: sum(part for source, part in parts.items() if source.kind == kind) for kind in KINDS
    }


def all_shares(predictions: Sequence[Prediction]) -> dict[Source, float]:
    """The mean over predictions of `shares`, largest first."""
    total: dict[Source, float] = {}
    for prediction in predictions:
        for source, part in shares(prediction).items():
            total[source] = total.get(source, 0.0) + part / len(predictions)
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0].title)))


def footprint(prediction: Prediction) -> Footprint:
    """The memory that the calls of a program use, and whether the caches hold it."""
    code = max(size.code_bytes for size in prediction.sizes.values())
    stack = max(size.stack_bytes for size in prediction.sizes.values())
    data = prediction.data_bytes + stack
    cell = _caches().cells.get(prediction.cpu)
    if cell is None:
        return Footprint(code, prediction.data_bytes, stack, None, "its caches are not known")
    instructions, separate, shared = (
        int(cell[name]) for name in ("instructions", "data", "shared")
    )
    if shared:
        fits, words = code + data <= shared, f"{shared:,} bytes for code and data"
    elif instructions:
        fits = code <= instructions and data <= separate
        words = f"{instructions:,} bytes for code, {separate:,} for data"
    else:
        return Footprint(code, prediction.data_bytes, stack, None, f"none ({cell.source.title})")
    return Footprint(code, prediction.data_bytes, stack, fits, f"{words} ({cell.source.title})")


@functools.cache
def _caches() -> CellTable:
    return load(_CACHES)
