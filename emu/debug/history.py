"""The snapshots of a program that is debugged, the fewer the longer ago."""

from __future__ import annotations

from collections.abc import Iterator

from emu.runner.snapshots.snapshot import Snapshot

_MOST = 24
"""How many snapshots are kept. Each is a process that shares most of its memory with the others."""


class History:
    """Snapshots in the order of their moments, which are numbers of executed instructions.

    The first is the beginning, and is kept. So are those after a change that the user has made,
    since no run from before it leads there.
    """

    def __init__(self) -> None:
        self._snapshots: list[Snapshot] = []
        self._changes: list[int] = []

    def __iter__(self) -> Iterator[Snapshot]:
        return iter(self._snapshots)

    def __len__(self) -> int:
        return len(self._snapshots)

    def add(self, snapshot: Snapshot) -> None:
        """Add a snapshot, unless there is one of that moment; one too many is given up."""
        moments = [each.moment for each in self._snapshots]
        if snapshot.moment in moments:
            snapshot.close()
            return
        place = sum(moment < snapshot.moment for moment in moments)
        self._snapshots.insert(place, snapshot)
        if len(self._snapshots) > _MOST:
            self._thin()

    def _thin(self) -> None:
        """Give up the snapshot whose neighbours are closest together for how long ago it is."""
        snapshots = self._snapshots
        now = snapshots[-1].moment

        def loss(place: int) -> float:
            gap = snapshots[place + 1].moment - snapshots[place - 1].moment
            return gap / (now - snapshots[place].moment + 1)

        places = [
            place
            for place in range(1, len(snapshots) - 1)
            if snapshots[place].moment not in self._changes
        ]
        if places:
            snapshots.pop(min(places, key=loss)).close()

    def before(self, moment: int) -> Snapshot | None:
        """The last snapshot of a moment or before it; None if there is none."""
        snapshots = [each for each in self._snapshots if each.moment <= moment]
        return snapshots[-1] if snapshots else None

    def change_at(self, moment: int) -> None:
        """Forget what came at a moment and later: the user changes the program then.

        The next snapshot is of that moment, after the change.
        """
        kept = [each for each in self._snapshots if each.moment < moment]
        for snapshot in self._snapshots[len(kept) :]:
            snapshot.close()
        self._snapshots = kept
        self._changes = [*(each for each in self._changes if each < moment), moment]

    def next_change(self, moment: int) -> int | None:
        """The moment of the first change of the user after a moment; None if there is none."""
        return next((each for each in self._changes if each > moment), None)

    def close(self) -> None:
        """Give up all snapshots."""
        for snapshot in self._snapshots:
            snapshot.close()
        self._snapshots.clear()
