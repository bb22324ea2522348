"""The power of its argument with which a series of values grows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def exponent(series: Mapping[int, float]) -> float:
    """The k for which values grow as n to the power of k, by least squares of logarithms.

    Raises:
        ValueError: there are fewer than two values, or one is not above 0.
    """
    sizes, values = np.array(list(series)), np.array(list(series.values()))
    if len(series) < 2 or (sizes <= 0).any() or (values <= 0).any():
        raise ValueError("growth takes two values or more, all above 0")
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
