"""Fits the cost of each event of an algorithm to the cycles of calls.

For example, a routine visits sectors, inserts objects and tests pairs. If each event always takes
the same time, a call takes ``a * visits + b * insertions + c * pairs`` cycles. The numbers of
events are counted exactly, and the costs ``a``, ``b`` and ``c`` are fitted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

EventCounts = Mapping[str, float]
"""The number of events in a call, by the event's name."""


@dataclass(frozen=True, slots=True)
class EventFit:
    """The fitted cost of each event.

    Attributes:
        costs: the cycles of one event, by its name; empty if there is no fit.
        errors: fitted cycles / given cycles - 1, by number of objects.
        problem: why there is no fit; "" if there is one.
    """

    costs: Mapping[str, float]
    errors: Mapping[int, float]
    problem: str = ""

    @property
    def worst(self) -> float:
        """The largest absolute relative error; 0 if there is no fit."""
        return max((abs(error) for error in self.errors.values()), default=0.0)

    @property
    def spare(self) -> int:
        """The number of figures minus the number of costs. If it is 0, any figures fit exactly."""
        return len(self.errors) - len(self.costs)


def fit_events(events: Mapping[int, EventCounts], cycles: Mapping[int, float]) -> EventFit:
    """Fit the cost of each event by least squares of the relative errors.

    Args:
        events: the number of each event in a call, by number of objects. All must have the same
            event names.
        cycles: the cycles of a call, by number of objects. Numbers of objects that are not in
            ``events`` are left out.
    """
    sizes = [size for size in cycles if size in events]
    names = list(events[sizes[0]]) if sizes else []
    if not names:
        return EventFit({}, {}, "no events were counted for these numbers of objects")
    if len(sizes) < len(names):
        return EventFit(
            {}, {}, f"{len(sizes)} numbers of objects are too few to fit {len(names)} costs"
        )
    counts = np.array([[events[size][name] for name in names] for size in sizes], dtype=float)
    wanted = np.array([cycles[size] for size in sizes], dtype=float)
    relative = counts / wanted[:, np.newaxis]
    # Columns are scaled to equal length, so that rare events are fitted as well as frequent ones.
    lengths = np.linalg.norm(relative, axis=0)
    if not lengths.all():
        idle = ", ".join(np.array(names)[lengths == 0])
        return EventFit({}, {}, f"there are no {idle} with these numbers of objects")
    scaled, _, rank, _ = np.linalg.lstsq(relative / lengths, np.ones(len(sizes)), rcond=1e-9)
    if rank < len(names):
        return EventFit(
            {}, {}, "the proportions of the events are the same for all numbers of objects"
        )
    costs = scaled / lengths
    errors = relative @ costs - 1
    return EventFit(
        {name: float(cost) for name, cost in zip(names, costs, strict=True)},
        {size: float(error) for size, error in zip(sizes, errors, strict=True)},
    )
