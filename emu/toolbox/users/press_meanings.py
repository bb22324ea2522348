"""What the Toolbox made of a press: the menu item, control, dialog item or box that was meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.looks import IN_BUTTON, IN_CHECK_BOX, IN_THUMB
from emu.toolbox.managers.controls.popups import IN_MENU
from emu.toolbox.managers.dialogs.items import EDIT_TEXT, USER_ITEM
from emu.toolbox.users.gesture import Gesture

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_APPLE = b"\x14"


@dataclass(frozen=True, slots=True)
class PressMeaning:
    """What a routine of the Toolbox made of a press.

    Attributes:
        fits: whether a press may be the one that it answers.
        step: the step that means the same; None if only the places of the mouse say it.
        only_ends: whether only the first and the last place matter.
    """

    fits: Callable[[Gesture], bool]
    step: Callable[[Gesture], dict[str, Any] | None] = lambda gesture: None
    only_ends: bool = False


def meaning_of(
    mac: Macintosh, name: str, arguments: Sequence[Any], result: Any
) -> PressMeaning | None:
    """What a call has made of a press; None for routines that say nothing of it."""
    match name:
        case "MenuSelect":
            step = menu_step(mac, result)
            return PressMeaning(_began_at(arguments[0]), lambda _: step)
        case "TrackControl":
            return _control_meaning(mac, arguments[0], result)
        case "ModalDialog":
            return _item_meaning(mac, mac.guest.i16(arguments[1]))
        case "DialogSelect" if result:
            return _item_meaning(mac, mac.guest.i16(arguments[2]))
        case "Alert" | "StopAlert" | "NoteAlert" | "CautionAlert":
            return _item_meaning(mac, result)
        case "TrackGoAway" if result:
            return PressMeaning(_began_at(arguments[1]), _close_step)
        case "DragWindow" | "GrowWindow":
            return PressMeaning(_began_at(arguments[1]), only_ends=True)
    return None


def menu_step(mac: Macintosh, choice: int) -> dict[str, Any] | None:
    """The step that chooses what MenuSelect or MenuKey gave; None if no step finds that item."""
    number, item = choice >> 16 & 0xFFFF, choice & 0xFFFF
    if not number or not item:
        return None
    for handle, _ in mac.menus.titles():
        menu = mac.menus.menu(handle)
        if menu.number & 0xFFFF != number or item > len(menu.items):
            continue
        texts = [one.text for one in menu.items]
        same = [mac.menus.menu(one).title for one, _ in mac.menus.titles()].count(menu.title)
        if same == 1 and texts.index(texts[item - 1]) == item - 1:
            title = "Apple" if menu.title == _APPLE else menu.title.decode("mac_roman")
            return {"menu": [title, texts[item - 1].decode("mac_roman")]}
    return None


def _began_at(place: Point) -> Callable[[Gesture], bool]:
    return lambda gesture: gesture.path[0] == place


def _close_step(gesture: Gesture) -> dict[str, Any] | None:
    if gesture.target.title is None:
        return None
    return {"click": {"close": True, **gesture.in_window(), **gesture.modifier_keys()}}


def _control_meaning(mac: Macintosh, control: int, part: int) -> PressMeaning:
    chosen = _popup_step(mac, control) if part == IN_MENU else None

    def step(gesture: Gesture) -> dict[str, Any] | None:
        return chosen or (_button_step(gesture) if part in (IN_BUTTON, IN_CHECK_BOX) else None)

    return PressMeaning(
        lambda gesture: gesture.target.control == control, step, only_ends=part == IN_THUMB
    )


def _item_meaning(mac: Macintosh, item: int) -> PressMeaning:
    def step(gesture: Gesture) -> dict[str, Any] | None:
        target = gesture.target
        if target.control:
            return _popup_step(mac, target.control) or _button_step(gesture)
        is_open = mac.dialogs.is_dialog(target.window)  # an alert is closed by now
        entry = mac.dialogs.item(target.window, item) if is_open else None
        if entry is not None and entry.kind in (EDIT_TEXT, USER_ITEM):
            return None  # where it was hit matters there: an item may be a whole chess board
        return {"click": {"item": item, **gesture.in_window(), **gesture.modifier_keys()}}

    return PressMeaning(lambda gesture: 0 < item == gesture.target.item, step)


def _button_step(gesture: Gesture) -> dict[str, Any] | None:
    target = gesture.target
    if not target.button or target.title is None:
        return None
    return {"click": {"button": target.button, **gesture.in_window(), **gesture.modifier_keys()}}


def _popup_step(mac: Macintosh, control: int) -> dict[str, Any] | None:
    """The step that chooses what a pop-up menu control shows now; None of any other control."""
    if not mac.controls.is_control(control) or not mac.controls.is_popup(control):
        return None
    look = mac.controls.look(control)
    items = mac.controls.popup_items(control)
    if not 0 < look.value <= len(items) or not look.title:
        return None
    return {"menu": [look.title.decode("mac_roman"), items[look.value - 1].decode("mac_roman")]}
