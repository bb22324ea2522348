"""What the four posts claim in numbers, measured on the references and on geometry itself.

Each function of :mod:`~pyref.claims.post_001` to :mod:`~pyref.claims.post_004` answers for one
claim or a few with named figures, plain numbers each. What a figure makes of a claim is not said
here: the rules stand with the claims in ``mac_src/claims``.

* :mod:`~pyref.claims.shifts`: shifted grids, exhaustively
* :mod:`~pyref.claims.work`: tests made by every system on the same scenes
* :mod:`~pyref.claims.growth`: exponents of growth, and the series that plots are drawn from
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

__all__ = ["Figures", "Series"]

Figures: TypeAlias = Mapping[str, float]
"""Named numbers; words of a name are joined by underscores."""

Series: TypeAlias = Mapping[str, Mapping[int, float]]
"""Lines of a plot, or groups of bars, by name: values by number of objects or whatever counts."""
