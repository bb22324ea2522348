"""The fewest changes that still show a difference."""

from __future__ import annotations

from collections.abc import Mapping

from emu.port.vary.reduction import reduce_changes


def test_only_what_is_needed_is_left() -> None:
    tries = []

    def shows(changes: Mapping[int, int]) -> bool:
        tries.append(len(changes))
        return {3, 70} <= changes.keys()

    assert reduce_changes(dict.fromkeys(range(100), 1), shows) == {3: 1, 70: 1}
    assert len(tries) < 60


def test_one_change_is_left_alone() -> None:
    assert reduce_changes({1: 2}, lambda changes: False) == {1: 2}


def test_it_ends_where_nothing_can_be_left_out() -> None:
    changes = dict.fromkeys(range(2000), 1)
    assert reduce_changes(changes, lambda fewer: len(fewer) == 2000) == changes
