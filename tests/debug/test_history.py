"""Snapshots are thinned: the longer ago, the fewer; the beginning and changes are kept."""

from __future__ import annotations

from itertools import pairwise

from emu.debug.history import History
from emu.runner.snapshots.channel import channel_pair
from emu.runner.snapshots.snapshot import Snapshot


def snapshot(moment: int) -> Snapshot:
    here, _ = channel_pair()
    return Snapshot(moment, here)


def moments(history: History) -> list[int]:
    return [each.moment for each in history]


def test_old_snapshots_are_given_up_first() -> None:
    history = History()
    for moment in range(0, 100_000, 100):
        history.add(snapshot(moment))
    kept = moments(history)
    assert len(kept) == 24
    assert kept[0] == 0
    assert kept[-3:] == [99_700, 99_800, 99_900]
    gaps = [later - earlier for earlier, later in pairwise(kept)]
    assert sum(gaps[:8]) > 3 * sum(gaps[-8:])
    assert max(gaps) < 50_000
    history.close()
    assert len(history) == 0


def test_the_last_snapshot_before_a_moment_is_found() -> None:
    history = History()
    assert history.before(5) is None
    for moment in (10, 30, 20, 30):
        history.add(snapshot(moment))
    assert moments(history) == [10, 20, 30]
    assert history.before(9) is None
    for moment, found in ((10, 10), (29, 20), (30, 30), (99, 30)):
        before = history.before(moment)
        assert before is not None
        assert before.moment == found
    history.close()


def test_a_change_forgets_what_came_later_and_is_kept() -> None:
    history = History()
    for moment in range(0, 1000, 100):
        history.add(snapshot(moment))
    history.change_at(300)
    assert moments(history) == [0, 100, 200]
    history.add(snapshot(300))
    for moment in range(310, 50_000, 10):
        history.add(snapshot(moment))
    assert {0, 300} <= set(moments(history))
    assert (history.next_change(299), history.next_change(300)) == (300, None)
    history.change_at(100)
    assert history.next_change(0) == 100
    assert history.next_change(100) is None
    history.close()
