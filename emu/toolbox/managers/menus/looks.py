"""What the menu bar and menus look like, and where in them a point is.

Source of measures: pictures of System 7 in black and white.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emu.quickdraw import GRAY, Rectangle
from emu.toolbox.managers.menus.record import Menu, MenuItem
from emu.toolbox.managers.quickdraw.heart.painter import Painter

if TYPE_CHECKING:
    from emu.quickdraw.fonts import Font

BAR_HEIGHT = 20
FIRST_TITLE = 10
"""Where the first title begins, from the left of the screen; pixels."""

TITLE_MARGIN = 8
ITEM_HEIGHT = 16
MOST_ITEMS = 0x7FFF // ITEM_HEIGHT
"""More would make a menu higher than its record can say (menuHeight is an INTEGER)."""

MARK_WIDTH = 14
"""Pixels before an item's text, for the mark."""

_COMMAND_WIDTH = 30
_RIGHT_MARGIN = 8
_BASELINE = 12
_COMMAND_SIGN = b"\x11"
_SUBMENU_ARROW = ("#....", "##...", "###..", "####.", "###..", "##...", "#....")


def title_width(font: Font, title: bytes) -> int:
    """Pixels of the menu bar that a title takes."""
    return font.text_width(title) + 2 * TITLE_MARGIN


def menu_size(font: Font, menu: Menu) -> tuple[int, int]:
    """Width and height of a menu's items, without the lines around them."""
    widest = 0
    for item in menu.items:
        width = MARK_WIDTH + font.text_width(item.text, item.style) + _RIGHT_MARGIN
        if item.command:
            width += _COMMAND_WIDTH
        widest = max(widest, width)
    return widest, ITEM_HEIGHT * len(menu.items)


@dataclass(frozen=True, slots=True)
class OpenMenu:
    """A menu that is pulled down.

    Attributes:
        menu: its contents.
        r: where its items are, global; the lines around it lie outside.
        own: its handle, if a procedure of the program's own draws its items; 0 if not.
    """

    menu: Menu
    r: Rectangle
    own: int = 0

    @property
    def outside(self) -> Rectangle:
        """All pixels it covers, with lines and shadow."""
        r = self.r
        return Rectangle(r.top - 1, r.left - 1, r.bottom + 2, r.right + 2)

    def item_rectangle(self, item: int) -> Rectangle:
        """Where an item is; the first has the number 1."""
        top = self.r.top + ITEM_HEIGHT * (item - 1)
        return Rectangle(top, self.r.left, top + ITEM_HEIGHT, self.r.right)

    def item_at(self, h: int, v: int) -> int:
        """The item at a point; 0 if there is none."""
        return 1 + (v - self.r.top) // ITEM_HEIGHT if self.r.contains(h, v) else 0

    def draw(self, painter: Painter) -> None:
        """Draw it; of a menu that the program draws itself, only what lies around the items."""
        r = self.r
        frame = Rectangle(r.top - 1, r.left - 1, r.bottom + 1, r.right + 1)
        painter.fill(Rectangle(frame.top + 2, frame.left + 2, frame.bottom + 1, frame.right + 1))
        painter.erase(frame)
        painter.frame(frame)
        if not self.own:
            self.draw_items(painter)

    def draw_items(self, painter: Painter) -> None:
        """Draw its items."""
        for number, item in enumerate(self.menu.items, 1):
            self._draw_item(painter, self.item_rectangle(number), item, number)

    def _draw_item(self, painter: Painter, r: Rectangle, item: MenuItem, number: int) -> None:
        if item.is_line:
            painter.fill(Rectangle(r.top + 8, r.left, r.top + 9, r.right), GRAY)
            return
        baseline = r.top + _BASELINE
        if item.mark and not item.submenu:
            painter.text((r.left + 2, baseline), bytes([item.mark]))
        painter.text((r.left + MARK_WIDTH, baseline), item.text, item.style)
        if item.submenu:
            painter.picture((r.right - 12, r.top + 5), _SUBMENU_ARROW)
        elif item.key:
            keys = _COMMAND_SIGN + bytes([item.key])
            painter.text((r.right - _COMMAND_WIDTH, baseline), keys)
        if not self.menu.is_enabled(number):
            painter.dim(r)


def below(left: int, size: tuple[int, int], screen_width: int) -> Rectangle:
    """Where the items of a menu are under its title.

    Args:
        left: the title's left edge.
        size: the menu's width and height.
        screen_width: of the screen, in pixels like the others.
    """
    width, height = size
    left = max(1, min(left + 1, screen_width - width - 2))
    return Rectangle(BAR_HEIGHT, left, BAR_HEIGHT + height, left + width)


def beside(item: Rectangle, size: tuple[int, int], screen: Rectangle) -> Rectangle:
    """Where the items of a submenu are: at the right of its item, or left if there is no room."""
    width, height = size
    left = item.right + 1
    if left + width + 2 > screen.right:
        left = max(1, item.left - width - 1)
    top = max(BAR_HEIGHT, min(item.top, screen.bottom - height - 2))
    return Rectangle(top, left, top + height, left + width)


def draw_bar(
    painter: Painter, width: int, titles: list[tuple[Menu, int]], highlighted: int
) -> None:
    """Draw the menu bar.

    Args:
        painter: for the screen.
        width: of the screen.
        titles: the menus, each with its left edge.
        highlighted: the ID of the menu whose title is highlighted; 0 for none.
    """
    bar = Rectangle(0, 0, BAR_HEIGHT, width)
    painter = painter.within(bar)
    painter.erase(bar)
    painter.line((0, BAR_HEIGHT - 1), (width, BAR_HEIGHT - 1))
    for menu, left in titles:
        title = title_rectangle(painter.text_width, menu, left)
        painter.text((left + TITLE_MARGIN, 14), menu.title)
        if not menu.flags & 1:
            painter.within(title).dim(title)
        if menu.number == highlighted:
            painter.invert(title)


def title_rectangle(width: Callable[[bytes], int], menu: Menu, left: int) -> Rectangle:
    """Where a menu's title is in the bar."""
    return Rectangle(1, left, BAR_HEIGHT - 1, left + width(menu.title) + 2 * TITLE_MARGIN)
