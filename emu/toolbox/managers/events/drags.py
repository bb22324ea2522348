"""The Drag Manager, whose drags nobody takes: it came with System 7.5, as the library DragLib.

Gestalt says that it is not there, as in System 7.1, and what a program imports weakly from DragLib
is nil. A program that cannot start without DragLib, or 68K code that calls the trap without asking,
finds what is needed to install its handlers and to begin a drag. A drag follows the mouse until its
button is let go, and is given up.
Source: Apple's "Drag Manager Programmer's Guide", 1995, and the header Drag.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.records.results import ResultCode

_Method = TypeVar("_Method", bound=Callable[..., Any])
_SLOP = 2
"""Pixels that the mouse may move before something is dragged."""


def _drag(heading: str, selector: int) -> Callable[[_Method], _Method]:
    """Declare a routine of DragDispatch."""
    return routine(heading, trap=0xABED, selector=("D0", selector))


class DragManager(Manager):
    """Handlers that are never called, and drags that are given up."""

    _tracking: WindowTracking

    def __post_init__(self) -> None:
        self._handlers: set[tuple[str, int, int]] = set()
        self._drags: set[int] = set()
        self._last = 0

    # -- handlers ----------------------------------------------------------------------------------

    def _install(self, kind: str, handler: int, window: int) -> int:
        if (kind, handler, window) in self._handlers:
            return ResultCode.duplicateHandlerErr
        self._handlers.add((kind, handler, window))
        return 0

    def _remove(self, kind: str, handler: int, window: int) -> int:
        if (kind, handler, window) not in self._handlers:
            return ResultCode.handlerNotFoundErr
        self._handlers.remove((kind, handler, window))
        return 0

    @_drag(
        "FUNCTION InstallTrackingHandler (handler: ProcPtr; window: WindowPtr; data: Ptr): OSErr",
        0x01,
    )
    def install_tracking_handler(self, handler: int, window: int, data: int) -> int:
        """Say what to call while something is dragged over a window; nil for all windows."""
        return self._install("tracking", handler, window)

    @_drag(
        "FUNCTION InstallReceiveHandler (handler: ProcPtr; window: WindowPtr; data: Ptr): OSErr",
        0x02,
    )
    def install_receive_handler(self, handler: int, window: int, data: int) -> int:
        """Say what to call when something is dropped on a window; nil for all windows."""
        return self._install("receive", handler, window)

    @_drag(
        "FUNCTION RemoveTrackingHandler (handler: ProcPtr; window: WindowPtr): OSErr",
        0x03,
    )
    def remove_tracking_handler(self, handler: int, window: int) -> int:
        """Take such a handler away."""
        return self._remove("tracking", handler, window)

    @_drag(
        "FUNCTION RemoveReceiveHandler (handler: ProcPtr; window: WindowPtr): OSErr",
        0x04,
    )
    def remove_receive_handler(self, handler: int, window: int) -> int:
        """Take such a handler away."""
        return self._remove("receive", handler, window)

    # -- drags -------------------------------------------------------------------------------------

    def _answer(self, drag: int) -> int:
        return 0 if drag in self._drags else ResultCode.badDragRefErr

    @_drag("FUNCTION NewDrag (drag: Ptr): OSErr", 0x05)
    def new_drag(self, drag: int) -> int:
        """The number of a new drag."""
        self._last += 1
        self._drags.add(self._last)
        self.guest.put32(drag, self._last)
        return 0

    @_drag("FUNCTION DisposeDrag (drag: UInt32): OSErr", 0x06)
    def dispose_drag(self, drag: int) -> int:
        """Forget a drag."""
        answer = self._answer(drag)
        self._drags.discard(drag)
        return answer

    @_drag(
        "FUNCTION AddDragItemFlavor (drag: UInt32; item: UInt32; flavor: OSType; data: Ptr; "
        "size: Size; flags: UInt32): OSErr",
        0x07,
    )
    def add_flavor(
        self, drag: int, item: int, flavor: str, data: int, size: int, flags: int
    ) -> int:
        """Add what a drag carries; nobody will ask for it."""
        return self._answer(drag)

    @_drag(
        "FUNCTION SetDragItemBounds (drag: UInt32; item: UInt32; bounds: Rect): OSErr",
        0x16,
    )
    def set_item_bounds(self, drag: int, item: int, bounds: int) -> int:
        """Say where an item is."""
        return self._answer(drag)

    @_drag(
        "FUNCTION TrackDrag (drag: UInt32; event: Ptr; region: RgnHandle): OSErr",
        0x0D,
    )
    def track_drag(self, drag: int, event: int, region: int) -> int:
        """Follow the mouse until its button is let go; the drag is given up."""
        if drag not in self._drags:
            return ResultCode.badDragRefErr
        for _ in self._tracking.while_mouse_is_down():
            pass
        return ResultCode.userCanceledErr

    @_drag("FUNCTION WaitMouseMoved (start: Point): BOOLEAN", 0x23)
    def wait_mouse_moved(self, start: Point) -> bool:
        """Whether the mouse leaves a place before its button is let go."""
        return any(
            max(abs(place.h - start.h), abs(place.v - start.v)) > _SLOP
            for place in self._tracking.while_mouse_is_down()
        )
