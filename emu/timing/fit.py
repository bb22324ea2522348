"""Cycles taken apart by events, with no compiler in it.

A routine visits sectors, inserts objects and tests pairs. If each of these costs what it costs
whenever it happens, the cycles of a call are ``a * visits + b * insertions + c * pairs``. The
events are the algorithm's, known exactly; the costs are fitted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

EventCounts = Mapping[str, float]
"""How often each event happens in a call, by what it is called."""


@dataclass(frozen=True, slots=True)
class EventFit:
    """What each event costs.

    Attributes:
        costs: cycles of one event, by its name; empty if they cannot be told.
        errors: fitted cycles over given cycles, less 1, by number of objects.
        problem: why there is no fit; "" if there is one.
    """

    costs: Mapping[str, float]
    errors: Mapping[int, float]
    problem: str = ""

    @property
    def worst(self) -> float:
        """The largest relative error, without its sign; 0 if there is no fit."""
        return max((abs(error) for error in self.errors.values()), default=0.0)

    @property
    def spare(self) -> int:
        """How many more figures there are than costs: with none, any figures are met exactly."""
        return len(self.errors) - len(self.costs)


def fit_events(events: Mapping[int, EventCounts], cycles: Mapping[int, float]) -> EventFit:
    """Fit the cost of each event, so that the relative errors' squares are least.

    Args:
        events: counts for a call, by number of objects; all with the same names.
        cycles: of a call, by number of objects. Sizes without events are left out.
    """
    sizes = [size for size in cycles if size in events]
    names = list(events[sizes[0]]) if sizes else []
    if not names:
        return EventFit({}, {}, "no events are counted at these sizes")
    if len(sizes) < len(names):
        return EventFit({}, {}, f"{len(sizes)} sizes are too few for the costs of {len(names)}")
    counts = np.array([[events[size][name] for name in names] for size in sizes], dtype=float)
    wanted = np.array([cycles[size] for size in sizes], dtype=float)
    relative = counts / wanted[:, np.newaxis]
    # Columns of one length: counts in the thousands and in the ones are told apart alike.
    lengths = np.linalg.norm(relative, axis=0)
    if not lengths.all():
        idle = ", ".join(np.array(names)[lengths == 0])
        return EventFit({}, {}, f"there are no {idle} at these sizes")
    scaled, _, rank, _ = np.linalg.lstsq(relative / lengths, np.ones(len(sizes)), rcond=1e-9)
    if rank < len(names):
        return EventFit({}, {}, "the events happen in the same proportions at all sizes")
    costs = scaled / lengths
    errors = relative @ costs - 1
    return EventFit(
        {name: float(cost) for name, cost in zip(names, costs, strict=True)},
        {size: float(error) for size, error in zip(sizes, errors, strict=True)},
    )
