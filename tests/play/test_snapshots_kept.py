"""Of many snapshots, those are kept that make going back quick: the older, the fewer."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass, field
from typing import Any, cast

from emu.play.player import MOST_SNAPSHOTS, Player
from emu.runner.snapshots.snapshot import Snapshot
from tests.play.play_kit import MENUS, request_for


@dataclass(slots=True)
class _Kept:
    """Stands for a snapshot."""

    moment: int
    closed: list[int] = field(repr=False)

    def close(self) -> None:
        self.closed.append(self.moment)


def test_the_older_snapshots_are_the_fewer_they_are() -> None:
    closed: list[int] = []

    async def keep() -> list[int]:
        player = Player(request_for(MENUS["68000"]), lambda message: None, lambda how: None)
        for moment in range(1, 30_001, 100):  # ten minutes
            player._keep(cast(Snapshot, _Kept(moment, closed)))
        moments = [kept.moment for kept in player.snapshots]
        assert player.nearest(0) == 0
        assert player.nearest(29_900) == 29_801
        player.forget_after(15_000)
        assert all(kept.moment <= 15_000 for kept in player.snapshots)
        player._keep(cast(Any, _Kept(1, closed)))  # the past is repeated: it is there already
        player.close()
        return moments

    moments = asyncio.run(keep())
    assert len(moments) == MOST_SNAPSHOTS
    assert (moments[0], moments[-1]) == (1, 29_901)
    gaps = [later - earlier for earlier, later in itertools.pairwise(moments)]
    assert gaps[-1] == 100
    assert max(gaps) <= 30_000 // 4
    assert sum(gaps[:8]) > 4 * sum(gaps[-8:])
    assert sorted(closed) == sorted([1, *range(1, 30_001, 100)])
