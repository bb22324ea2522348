"""What a user sees and could do: windows, buttons, menus and dialog items, also as script steps."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from emu.base.yaml_document import did_you_mean, nearest
from emu.toolbox.managers.controls.looks import INACTIVE, SCROLL_BAR
from emu.toolbox.managers.dialogs.items import (
    EDIT_TEXT,
    ICON_ITEM,
    PICTURE_ITEM,
    STATIC_TEXT,
    ItemListEntry,
)
from emu.toolbox.managers.windows.record import global_rectangle

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_APPLE = b"\x14"
_DIVIDER = b"-"
_MOST_ITEMS = 60
_MOST_TEXT = 60
_KINDS = {
    STATIC_TEXT: "text",
    EDIT_TEXT: "edit text",
    ICON_ITEM: "icon",
    PICTURE_ITEM: "picture",
}


@dataclass(frozen=True, slots=True)
class VisibleMenu:
    """A menu in the menu bar.

    Attributes:
        title: its title; "Apple" for the apple.
        items: the texts of the items that can be chosen, from the top.
        dimmed: the texts of those that cannot; what could be done is the same without them.
    """

    title: str
    items: tuple[str, ...]
    dimmed: tuple[str, ...] = field(default=(), compare=False)

    @property
    def contents(self) -> str:
        """What it holds, in words."""
        parts = []
        if self.items:
            parts.append(f"these can be chosen: {_listed(self.items)}")
        if self.dimmed:
            parts.append(f"these are disabled: {_listed(self.dimmed)}")
        return "; ".join(parts) or "it has no items"


@dataclass(frozen=True, slots=True)
class VisibleItem:
    """An enabled item of the dialog in front.

    Attributes:
        number: its number.
        what: what it is, such as 'button "OK"'.
    """

    number: int
    what: str


@dataclass(frozen=True, slots=True)
class Situation:
    """What a user sees.

    Attributes:
        windows: the titles of the visible windows, from the front.
        size: width and height of the front window's content in pixels; (0, 0) without a window.
        closable: whether the front window shows a close box.
        buttons: titles of buttons and boxes that can be pressed in the front window.
        items: enabled items of the front window, if it is a dialog.
        menus: menus with items; none while a modal dialog waits.
    """

    windows: tuple[str, ...]
    size: tuple[int, int]
    closable: bool
    buttons: tuple[str, ...]
    items: tuple[VisibleItem, ...]
    menus: tuple[VisibleMenu, ...]

    def steps(self) -> list[str]:
        """What the user could do, as lines of YAML for the ``steps`` of a script."""
        return [f"  - {line}" for line in self._steps()]

    def _steps(self) -> Iterator[str]:
        if self.windows:
            yield f"wait: {{window: {_quoted(self.windows[0])}}}"
        for button in self.buttons:
            yield f"click: {{button: {_quoted(button)}}}"
        for item in self.items:
            yield f"click: {{item: {item.number}}}  # {item.what}"
        if self.closable:
            yield "click: {close: true}"
        if self.windows:
            width, height = self.size
            yield f"click: {{window: [{width // 2}, {height // 2}]}}  # its middle"
        for menu in self.menus:
            for text in menu.items[:_MOST_ITEMS]:
                yield f"menu: [{_quoted(menu.title)}, {_quoted(text)}]"
            if len(menu.items) > _MOST_ITEMS:
                yield f"# and {len(menu.items) - _MOST_ITEMS} items more"
        yield "key: return"


def look_at(mac: Macintosh) -> Situation:
    """What a user of a Macintosh sees now.

    Raises:
        GuestError: the program has damaged a window, a menu or an item list.
    """
    visible = mac.windows.list.visible()
    front = visible[0] if visible else 0
    content = global_rectangle(mac.guest, front) if front else None
    routine = mac.host.routine
    is_modal = routine is not None and routine.name == "ModalDialog"
    return Situation(
        windows=tuple(mac.windows.title_of(window).decode("mac_roman") for window in visible),
        size=(content.width, content.height) if content else (0, 0),
        closable=bool(front) and mac.windows.close_box(front) is not None,
        buttons=tuple(_buttons(mac, front)) if front else (),
        items=tuple(_items(mac, front)) if front and mac.dialogs.is_dialog(front) else (),
        menus=(*_popups(mac, front), *(() if is_modal else _menus(mac))),
    )


def lacking_item(seen: Situation, title: str, item: str) -> str:
    """What is wrong with a menu's title or an item's text that a step names; "" if nothing is."""
    menus = {menu.title: menu for menu in seen.menus}
    if title not in menus:
        return f"no menu {title!r} has items to choose{did_you_mean(title, menus)}"
    menu = menus[title]
    if item not in menu.items:
        meant = nearest(item, (*menu.items, *menu.dimmed)) or ";"
        return f"the menu {title!r} has no item {item!r}{meant} {menu.contents}"
    return ""


def disabled_item(seen: Situation, title: str, item: str) -> str:
    """What to say of a menu item that is there, but is dimmed."""
    menu = next((menu for menu in seen.menus if menu.title == title), VisibleMenu(title, ()))
    return (
        f"the item {item!r} of the menu {title!r} is disabled, so it cannot be chosen; "
        f"{menu.contents}"
    )


def _listed(items: Iterable[str]) -> str:
    return ", ".join(map(repr, items))


def _buttons(mac: Macintosh, window: int) -> Iterator[str]:
    for control in reversed(list(mac.controls.of(window))):
        look = mac.controls.look(control)
        usable = mac.controls.is_visible(control) and look.highlight not in INACTIVE
        is_button = look.kind != SCROLL_BAR and not mac.controls.is_popup(control)
        if usable and is_button and look.title:
            yield look.title.decode("mac_roman")


def _items(mac: Macintosh, dialog: int) -> Iterator[VisibleItem]:
    for item in mac.dialogs.items(dialog):
        place = mac.dialogs.item_place(dialog, item.number)
        if item.enabled and place is not None:
            yield VisibleItem(item.number, _what(mac, item))


def _what(mac: Macintosh, item: ItemListEntry) -> str:
    if item.is_control and mac.controls.is_control(item.handle):
        return f"control {_quoted(mac.controls.look(item.handle).title.decode('mac_roman'))}"
    kind = _KINDS.get(item.kind, "item drawn by the program")
    if item.kind in (STATIC_TEXT, EDIT_TEXT):
        text = mac.memory.contents(item.handle)[:_MOST_TEXT].decode("mac_roman")
        return f"{kind} {_quoted(text)}"
    return kind


def _menus(mac: Macintosh) -> Iterator[VisibleMenu]:
    for handle, _ in mac.menus.titles():
        menu = mac.menus.menu(handle)
        items, dimmed = (
            tuple(
                item.text.decode("mac_roman")
                for number, item in enumerate(menu.items, 1)
                if menu.is_enabled(number) == wanted
                and not item.submenu
                and not item.text.startswith(_DIVIDER)
            )
            for wanted in (True, False)
        )
        if items or dimmed:
            title = "Apple" if menu.title == _APPLE else menu.title.decode("mac_roman")
            yield VisibleMenu(title, items, dimmed)


def _popups(mac: Macintosh, window: int) -> Iterator[VisibleMenu]:
    """Pop-up menu controls, whose items are chosen as those of menus are."""
    for control in reversed(list(mac.controls.of(window))) if window else ():
        items = mac.controls.popup_items(control) if mac.controls.is_visible(control) else ()
        if items:
            title = mac.controls.look(control).title.decode("mac_roman")
            yield VisibleMenu(title, tuple(item.decode("mac_roman") for item in items))


def _quoted(text: str) -> str:
    """A text in YAML, which takes JSON's double quotes and escapes."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
