"""Judges: functions that compute facts for findings which cannot be read from one variable.

Each function gets what compiled code left in memory, and returns facts by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyref.quadtree.linear_quadtree_measures import judge_neighbours


def words_and_expression(
    scenes: Sequence[object], seen: Sequence[Mapping[str, NDArray[Any]]]
) -> dict[str, int | bool]:
    """Whether the printed machine words and the compiled expression give different results."""
    words, expression = (
        np.concatenate([scene[name] for scene in seen]) for name in ("gWords", "gExpression")
    )
    differing = int((words != expression).sum())
    return {"codes": len(words), "compiler_changed_it": differing > 0}


def wrong_neighbours(codes: NDArray[np.integer]) -> dict[str, int | bool]:
    """How many neighbours are wrong, in lists for every code."""
    wrong = sum(judge_neighbours(codes).wrong)
    return {"neighbours": int(codes.size), "wrong_neighbours": wrong, "assembler_needed": wrong > 0}


def count_negative(codes: NDArray[np.integer]) -> dict[str, int]:
    """How many numbers are negative."""
    return {"negative": int((codes < 0).sum())}
