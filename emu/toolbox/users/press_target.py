"""What lies under the mouse when its button goes down: a window by its title, a control, an item.

No routine of the program is called to find that out, so that recording changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from emu.base.errors import GuestError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.windows.frames import IN_CONTENT, IN_DESK, IN_DRAG, IN_MENU_BAR

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_ORIGIN = Point(0, 0)


@dataclass(frozen=True, slots=True)
class PressTarget:
    """What a press hits.

    Attributes:
        part: the part code of FindWindow, as far as it is known without the program's help.
        window: the window's address; 0 for none.
        title: its title; None of a window that a title does not find.
        in_front: whether it is the window in front.
        corner: where its content begins on the screen.
        control: the handle of the control; 0 for none.
        button: the control's title, if a click by that title goes to this control; else "".
        item: the number of the dialog's item; 0 for none.
    """

    part: int = IN_DESK
    window: int = 0
    title: str | None = None
    in_front: bool = False
    corner: Point = _ORIGIN
    control: int = 0
    button: str = ""
    item: int = 0

    def local(self, place: Point) -> list[int]:
        """A point of the screen as scripts write it: from the corner of the window's content."""
        return [place.h - self.corner.h, place.v - self.corner.v]


def target_of(mac: Macintosh, place: Point) -> PressTarget:
    """What is at a point of the screen; the desktop if the program has damaged its windows."""
    try:
        return _target_of(mac, place)
    except GuestError:
        return PressTarget()


def _target_of(mac: Macintosh, place: Point) -> PressTarget:
    if place.v < mac.guest.u16(LowMemory.MENU_BAR_HEIGHT):
        return PressTarget(IN_MENU_BAR)
    if not mac.windows.ready:
        return PressTarget()
    visible = mac.windows.list.visible()
    for window in visible:
        if mac.windows.list.structure(window).contains(place.h, place.v):
            title = mac.windows.title_of(window)
            named = next(one for one in visible if mac.windows.title_of(one) == title)
            control, button = _control(mac, window, place)
            return PressTarget(
                part=_part(mac, window, place),
                window=window,
                title=title.decode("mac_roman") if named == window else None,
                in_front=window == visible[0],
                corner=mac.quickdraw.to_global(window, _ORIGIN),
                control=control,
                button=button,
                item=_item(mac, window, place),
            )
    return PressTarget()


def _part(mac: Macintosh, window: int, place: Point) -> int:
    """The part of a window; of one that its program draws, only the content or what is around."""
    windows = mac.windows.list
    if windows.opened[window].kind.is_known:
        return int(windows.part_at(window, place))
    return IN_CONTENT if windows.content(window).contains(place.h, place.v) else IN_DRAG


def _control(mac: Macintosh, window: int, place: Point) -> tuple[int, str]:
    """The control at a point and the title by which a click finds it."""
    local, controls = mac.quickdraw.to_local(window, place), mac.controls
    for control in controls.of(window):
        r = controls.record(control).contrlRect
        if controls.is_visible(control) and r.contains(local.h, local.v):
            title = controls.look(control).title.decode("mac_roman")
            at = controls.place(window, title) if title else None
            inside = at is not None and at == controls.middle(window, r)
            return control, title if inside and not controls.is_popup(control) else ""
    return 0, ""


def _item(mac: Macintosh, window: int, place: Point) -> int:
    if not mac.dialogs.is_dialog(window):
        return 0
    local = mac.quickdraw.to_local(window, place)
    inside = (
        item.number
        for item in mac.dialogs.items(window)
        if not item.is_hidden and item.r.contains(local.h, local.v)
    )
    return next(inside, 0)
