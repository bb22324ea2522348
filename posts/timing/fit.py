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
class EventCosts:
    """The fitted cost of each event, in cycles.

    Attributes:
        cycles_of_one: the cycles of one event, by its name; empty if there is no fit.
        errors: fitted cycles / given cycles - 1, by number of objects.
        worst: the largest absolute error; 0 if there is no fit.
        spare_figures: the number of figures minus the number of costs. If it is 0, any figures fit.
        problem: why there is no fit; None if there is one.
    """

    cycles_of_one: Mapping[str, float]
    errors: Mapping[int, float]
    worst: float
    spare_figures: int
    problem: str | None = None

    @classmethod
    def absent(cls, problem: str) -> EventCosts:
        """No costs, and why there are none."""
        return cls({}, {}, 0.0, 0, problem)


def fit_events(events: Mapping[int, EventCounts], cycles: Mapping[int, float]) -> EventCosts:
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
        return EventCosts.absent("no events were counted for these numbers of objects")
    if len(sizes) < len(names):
        return EventCosts.absent(
            f"{len(sizes)} numbers of objects are too few to fit {len(names)} costs"
        )
    counts = np.array([[events[size][name] for name in names] for size in sizes], dtype=float)
    wanted = np.array([cycles[size] for size in sizes], dtype=float)
    relative = counts / wanted[:, np.newaxis]
    # Columns are scaled to equal length, so that rare events are fitted as well as frequent ones.
    lengths = np.linalg.norm(relative, axis=0)
    if not lengths.all():
        idle = ", ".join(np.array(names)[lengths == 0])
        return EventCosts.absent(f"there are no {idle} with these numbers of objects")
    scaled, _, rank, _ = np.linalg.lstsq(relative / lengths, np.ones(len(sizes)), rcond=1e-9)
    if rank < len(names):
        return EventCosts.absent(
            "the proportions of the events are the same for all numbers of objects"
        )
    costs = scaled / lengths
    errors = relative @ costs - 1
    return EventCosts(
        {name: float(cost) for name, cost in zip(names, costs, strict=True)},
        {size: float(error) for size, error in zip(sizes, errors, strict=True)},
        float(abs(errors).max()),
        len(sizes) - len(names),
    )
