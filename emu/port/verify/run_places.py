"""Where places of the old program were in a run from which calls were kept."""

from __future__ import annotations

from collections.abc import Mapping

from emu.port.original.session import Session


class RunPlaces:
    """Tells addresses of a recorded run.

    Args:
        session: the program in memory, which has not been run.
        segments: where its segments were in the run, by the place of their first byte.
    """

    def __init__(self, session: Session, segments: Mapping[str, int]) -> None:
        self._session = session
        self._segments = {place.rpartition("+")[0]: at for place, at in segments.items()}

    def address_of(self, place: str) -> int | None:
        """Where a place was; None if its segment was not in memory at the end of the run.

        Raises:
            ProgramError: there is no such place.
        """
        segment, _, offset = place.rpartition("+")
        if segment in self._segments:
            return self._segments[segment] + int(offset, 0)
        return self._session.address_of(place)
