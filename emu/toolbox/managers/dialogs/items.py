"""Item lists of dialogs, as they lie in guest memory and in DITL resources.

Source: Inside Macintosh I, p. I-427 (format) and p. I-421 (types).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import Rectangle
from emu.toolbox.records.windows import DialogItem

USER_ITEM = 0
HELP_ITEM = 1
CONTROL_ITEM = 4
RESOURCE_CONTROL = 7
STATIC_TEXT = 8
EDIT_TEXT = 16
ICON_ITEM = 32
PICTURE_ITEM = 64
DISABLED = 128

HIDDEN = 16384
"""How far to the right a hidden item is moved; pixels."""

_KNOWN = (
    USER_ITEM,
    HELP_ITEM,
    CONTROL_ITEM,
    CONTROL_ITEM + 1,
    CONTROL_ITEM + 2,
    RESOURCE_CONTROL,
    STATIC_TEXT,
    EDIT_TEXT,
    ICON_ITEM,
    PICTURE_ITEM,
)
_FIXED_PART = DialogItem.size


class ItemListError(ValueError):
    """An item list is damaged; the text says how.

    Attributes:
        offset: where the damage begins.
        items: the items before it.
    """

    def __init__(self, offset: int, problem: str, items: list[ItemListEntry]) -> None:
        self.offset = offset
        self.items = items
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class ItemListEntry:
    """An item of a dialog.

    Attributes:
        number: its place in the list; the first has the number 1.
        offset: where it begins in the list's data.
        handle: its handle, or the procedure of a user item.
        r: its rectangle, in the dialog's coordinates.
        type: its type, with 128 added if it is disabled.
        data: its text, or the number of its resource.
    """

    number: int
    offset: int
    handle: int
    r: Rectangle
    type: int
    data: bytes

    @property
    def end(self) -> int:
        """Where it ends in the list's data, with the byte that makes its length even."""
        return self.offset + _FIXED_PART + len(self.data) + len(self.data) % 2

    @property
    def kind(self) -> int:
        """The type without the sign of being disabled."""
        return self.type & 0x7F

    @property
    def enabled(self) -> bool:
        """Whether the program is told of a click in it."""
        return not self.type & DISABLED

    @property
    def is_known(self) -> bool:
        """Whether the type is one of those that a Macintosh draws or leaves to the program."""
        return self.kind in _KNOWN

    @property
    def is_control(self) -> bool:
        """Whether it is a button, check box, radio button or another control."""
        return CONTROL_ITEM <= self.kind <= RESOURCE_CONTROL

    @property
    def is_text(self) -> bool:
        """Whether its handle holds text."""
        return self.kind in (STATIC_TEXT, EDIT_TEXT)

    @property
    def is_hidden(self) -> bool:
        """Whether HideDialogItem has moved it out of sight."""
        return self.r.left >= HIDDEN // 2

    @property
    def resource(self) -> int:
        """The number of its resource; 0 if the list has none, which a Mac does not mind."""
        return int.from_bytes(self.data[:2], "big", signed=True)


def parse_items(data: bytes) -> list[ItemListEntry]:
    """The items of a list.

    Raises:
        ItemListError: it is cut off.
    """
    items: list[ItemListEntry] = []
    if len(data) < 2:
        raise ItemListError(0, "it has no count of items", items)
    count = int.from_bytes(data[:2], "big", signed=True) + 1
    at = 2
    for number in range(1, count + 1):
        if at + _FIXED_PART > len(data):
            raise ItemListError(at, f"item {number} of {count} is cut off", items)
        record = DialogItem.copied(data[at : at + _FIXED_PART])
        length = record.dataLength
        end = at + _FIXED_PART + length
        if end > len(data):
            raise ItemListError(at, f"the data of item {number} is cut off", items)
        items.append(
            ItemListEntry(
                number=number,
                offset=at,
                handle=record.placeholder,
                r=record.displayRect,
                type=record.itemType,
                data=data[at + _FIXED_PART : end],
            )
        )
        at = end + length % 2
    return items


def shown_to_user(text: bytes, parameters: list[bytes]) -> bytes:
    """A static text with ^0 to ^3 replaced by the texts that ParamText has set."""
    for number, parameter in enumerate(parameters):
        text = text.replace(b"^%d" % number, parameter)
    return text
