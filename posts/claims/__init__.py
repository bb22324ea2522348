"""Measures the numeric claims of the four posts, on the references and by geometry.

Each function of :mod:`~posts.claims.post_001` to :mod:`~posts.claims.post_004` measures one claim
or a few, and returns figures: numbers by name. Whether the claim holds is decided by its rule in
``posts/claims``.

* :mod:`~posts.claims.shifts`: shifted grids, by trying every case
* :mod:`~posts.claims.work`: tests made by every system on the same scenes
* :mod:`~posts.claims.growth`: the series that plots are drawn from
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Figures: TypeAlias = Mapping[str, float]
"""Named numbers; words of a name are joined by underscores."""

Series: TypeAlias = Mapping[str, Mapping[int, float]]
"""Lines of a plot or groups of bars by name: values by the number of objects or another number."""
