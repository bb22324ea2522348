"""Names the function, old or new, that calls the Toolbox."""

from __future__ import annotations

from bisect import bisect_right

from emu.port.hybrid.placement import HybridPlacement
from emu.port.original.session import Session
from emu.program.functions.model import OWN, ProgramFunctions

_GLUE = 96
"""The most bytes of stack that glue takes, with the arguments that it passes on."""


class Callers:
    """Names the function that calls the Toolbox.

    Args:
        session: the program.
        functions: its functions.
        placement: the new functions in it; None for the old program alone.
    """

    def __init__(
        self, session: Session, functions: ProgramFunctions, placement: HybridPlacement | None
    ) -> None:
        self._session, self._placement = session, placement
        own = (function for function in functions.functions if function.kind == OWN)
        self._own = sorted(own, key=lambda function: function.extent.start)
        self._starts = [function.extent.start for function in self._own]

    def caller(self) -> str:
        """The function that makes the call of the Toolbox which is under way; "" if unknown.

        Glue calls the Toolbox for others. Then it is the function of the first word on the stack
        that leads into one.
        """
        mac = self._session.mac
        name = self._function(mac.host.called_from)
        if name:
            return name
        start = self._session.frames.stack_pointer
        end = min(start + _GLUE, mac.layout.stack_top)
        words = (mac.guest.u32(place) for place in range(start, end - 3, 2))
        # An argument may be the address of a function; a return address is behind that.
        return next((name for word in words if (name := self._function(word - 1))), "")

    def _function(self, address: int) -> str:
        place = self._placement.locate(address) if self._placement is not None else None
        if place is not None:
            return f"{place.symbol} ({place.file}, line {place.line})"
        in_file = self._session.address_in_file(address)
        if in_file is None:
            return ""
        index = bisect_right(self._starts, in_file) - 1
        if index < 0 or not self._starts[index] < in_file < self._own[index].extent.end:
            return ""
        return f"{self._own[index].label} of the original"
