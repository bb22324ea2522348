"""What predicted cycles rest on, and whether what a call touches fits the caches."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.cycles.model import KINDS, Source
from emu.cycles.tables import Table, load
from emu.timing.predict import Prediction

_CACHES = Path(__file__).with_name("caches.yaml")


@dataclass(frozen=True, slots=True)
class Footprint:
    """How much memory the calls of a program need, and how much cache there is for it.

    Attributes:
        code_bytes: code executed at all, at any size.
        data_bytes: all data of the program, which is more than is touched of it.
        stack_bytes: the deepest stack.
        fits: whether all of it is in the caches at once; None where there is no cache.
        caches: the caches, in words, with where that is from.
    """

    code_bytes: int
    data_bytes: int
    stack_bytes: int
    fits: bool | None
    caches: str


def shares(prediction: Prediction) -> dict[Source, float]:
    """The part of the cycles that rests on each source: the mean over the sizes, largest first."""
    total: dict[Source, float] = {}
    for size in prediction.sizes.values():
        for source, cycles in size.by_source.items():
            part = cycles / size.cycles / len(prediction.sizes)
            total[source] = total.get(source, 0.0) + part
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0].title)))


def shares_by_kind(parts: Mapping[Source, float]) -> dict[str, float]:
    """The same by kinds of sources, the firmest first, all kinds of them."""
    return {
        kind: sum(part for source, part in parts.items() if source.kind == kind) for kind in KINDS
    }


def all_shares(predictions: Sequence[Prediction]) -> dict[Source, float]:
    """The part of all predictions' cycles that rests on each source, each prediction alike."""
    total: dict[Source, float] = {}
    for prediction in predictions:
        for source, part in shares(prediction).items():
            total[source] = total.get(source, 0.0) + part / len(predictions)
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0].title)))


def footprint(prediction: Prediction) -> Footprint:
    """What the calls of a program need, and whether the processor's caches hold it."""
    code = max(size.code_bytes for size in prediction.sizes.values())
    stack = max(size.stack_bytes for size in prediction.sizes.values())
    data = prediction.data_bytes + stack
    cell = _caches().cells.get(prediction.cpu)
    if cell is None:
        return Footprint(code, prediction.data_bytes, stack, None, "nothing known of its caches")
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
def _caches() -> Table:
    return load(_CACHES)
