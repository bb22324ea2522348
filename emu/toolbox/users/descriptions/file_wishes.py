"""A dialog that asks for a file, in words and as steps of a script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from emu.toolbox.managers.dialogs.items import EDIT_TEXT, ItemListError, parse_items
from emu.toolbox.managers.file_dialogs.file_list import FileWish
from emu.toolbox.managers.files.nodes import File, Folder

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_MOST_FILES = 20
_ITEM_LIST = slice(18, 20)
"""Where a DLOG resource has the ID of its item list (Inside Macintosh I, p. I-425)."""


def file_dialog_words(mac: Macintosh, wish: FileWish) -> str:
    """What a dialog asks for, and what a dialog of the program's own has in it."""
    if wish.is_saving:
        what = f"a dialog asks where to save: {_text(wish.prompt)}"
    else:
        kinds = ", ".join(map(_text, wish.types))
        what = f"a dialog asks which file to open{f', of type {kinds}' if kinds else ''}"
    if not wish.own_dialog:
        return what
    items = ", ".join(_items(mac, wish.own_dialog))
    return (
        f"{what}; it is the program's own dialog {wish.own_dialog}{f' with {items}' * bool(items)}"
    )


def file_steps(mac: Macintosh, wish: FileWish) -> Iterator[str]:
    """The answers that a user could give, as lines of YAML for the ``steps`` of a script."""
    if wish.name is not None:
        yield f"  - file: {_text(wish.name or b'Untitled')}"
    else:
        paths = _paths(mac, wish)
        for path in islice(paths, _MOST_FILES):
            yield f"  - file: {_quoted(path)}"
        if next(paths, None) is not None:
            yield "  # and more files"
    yield "  - file: null  # cancels it"


def _items(mac: Macintosh, dialog: int) -> Iterator[str]:
    """The titles of the dialog's controls, and its texts, as its resources have them."""
    found = mac.resources.find("DLOG", dialog)
    number = int.from_bytes(found.data[_ITEM_LIST], "big", signed=True) if found else 0
    listed = mac.resources.find("DITL", number)
    try:
        items = parse_items(listed.data) if listed is not None else []
    except ItemListError:
        return
    for item in items:
        if item.data and (item.is_text or item.is_control):
            kind = "field" if item.kind == EDIT_TEXT else "text" if item.is_text else "control"
            yield f"{kind} {_text(item.data)}"


def _paths(mac: Macintosh, wish: FileWish) -> Iterator[str]:
    """The paths from the root of all files that may be opened; those of the root first."""
    folders = [mac.files.volume.root]
    for folder in folders:
        for node in folder.sorted():
            if isinstance(node, Folder):
                folders.append(node)
            elif isinstance(node, File) and _may_be_opened(mac, node, wish):
                yield node.path


def _may_be_opened(mac: Macintosh, file: File, wish: FileWish) -> bool:
    return not wish.types or mac.files.loaded(file).finder[:4] in wish.types


def _text(text: bytes) -> str:
    """MacRoman in YAML."""
    return _quoted(text.decode("mac_roman"))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
