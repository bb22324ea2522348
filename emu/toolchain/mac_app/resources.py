"""Makes the resources of an application from a YAML description beside its sources.

::

    creator: MOSS
    memory: 512                     # KiB; 1024 if not given
    resources:
      - {type: MENU, id: 128, title: File, items: [Open, "-", Quit/Q]}
      - {type: DLOG, id: 128, bounds: [40, 40, 140, 300], items: 128}
      - type: DITL
        id: 128
        items:
          - {button: OK, bounds: [70, 190, 90, 250]}
          - {text: Hello, bounds: [10, 10, 26, 250]}
      - {type: "STR ", id: 128, text: Hello}
      - {type: TEXT, id: 128, hex: 48656C6C6F}

Rectangles are top, left, bottom, right, as in the Toolbox.
Source of the formats: Inside Macintosh: Macintosh Toolbox Essentials and More Macintosh Toolbox,
"Resource Reference" of each chapter.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.yaml_document import YamlDocument, YamlPath
from emu.program.mac_file.resource_fork import Resource

_ITEM_KINDS = {
    "user": 0,
    "button": 4,
    "check_box": 5,
    "radio_button": 6,
    "text": 8,
    "edit": 16,
    "icon": 32,
    "picture": 64,
}
_DISABLED = 128
_KEY_CHARACTER = "/"
_MOST_MEMORY = 16 << 10


@dataclass(frozen=True, slots=True)
class Description:
    """An application without its code.

    Attributes:
        resources: the resources that the program uses.
        creator: the application's signature of four characters.
        memory: the memory that the application asks for, in bytes.
    """

    resources: tuple[Resource, ...] = ()
    creator: str = "????"
    memory: int = 1 << 20


def read_description(path: Path) -> Description:
    """Read a description of resources.

    Raises:
        CaseError: the file is wrong; the message names the line.
    """
    return _Reader(YamlDocument(path, "a description of resources")).read()


class _Reader:
    def __init__(self, document: YamlDocument) -> None:
        self._document = document
        self._encoders: dict[str, Callable[[dict[str, Any], YamlPath], bytes]] = {
            "MENU": self._menu,
            "MBAR": self._menu_bar,
            "WIND": self._window,
            "DLOG": self._dialog,
            "ALRT": self._alert,
            "DITL": self._items,
            "CNTL": self._control,
            "STR ": self._string,
            "STR#": self._strings,
        }

    def read(self) -> Description:
        data = self._document.data if self._document.data is not None else {}
        fields = self._fields(data, (), {"resources": list, "creator": str, "memory": int}, ())
        creator = fields.get("creator", "????")
        if len(creator.encode("mac_roman", "replace")) != 4:
            raise self._document.error(("creator",), "a creator has four characters")
        memory = fields.get("memory", 1024)
        if not 1 <= memory <= _MOST_MEMORY:
            raise self._document.error(
                ("memory",), f"memory is in KiB, at least 1 and at most {_MOST_MEMORY}"
            )
        resources = [
            self._resource(entry, ("resources", index))
            for index, entry in enumerate(fields.get("resources", []))
        ]
        if len({(r.type, r.id) for r in resources}) != len(resources):
            raise self._document.error(("resources",), "two resources have the same type and id")
        return Description(tuple(resources), creator, memory << 10)

    def _resource(self, entry: Any, place: YamlPath) -> Resource:
        if not isinstance(entry, dict):
            raise self._document.error(place, "a resource is written {type: ..., id: ...}")
        entry = dict(entry)
        head = {key: entry.pop(key) for key in ("type", "id", "name") if key in entry}
        self._fields(head, place, {"type": str, "id": int, "name": str}, ("type", "id"))
        kind = head["type"].ljust(4) if len(head["type"]) == 3 else head["type"]
        if "hex" in entry:
            fields = self._fields(entry, place, {"hex": (str, int)}, ("hex",))
            try:
                data = bytes.fromhex(str(fields["hex"]))
            except ValueError as error:
                raise self._document.error((*place, "hex"), "it is not hexadecimal") from error
        elif kind in self._encoders:
            try:
                data = self._encoders[kind](entry, place)
            except struct.error as error:
                raise self._document.error(place, f"a number does not fit: {error}") from error
        else:
            raise self._document.error(
                place,
                f"resources of type {kind!r} cannot be described in words",
                "Give the contents as hex.",
            )
        return Resource(kind, head["id"], head.get("name", ""), 0, data)

    # -- the types -------------------------------------------------------------------------------

    def _menu(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        fields = self._fields(
            entry, place, {"title": str, "items": list, "menu": int}, ("title", "items")
        )
        identifier = fields.get("menu", self._id_of(place))
        # Width and height are 0: the menu definition procedure computes them. All items are
        # enabled.
        data = struct.pack(">hhhhhI", identifier, 0, 0, 0, 0, 0xFFFFFFFF)
        data += self._pascal(fields["title"], place)
        for index, item in enumerate(fields["items"]):
            name, _, key = str(item).partition(_KEY_CHARACTER)
            data += self._pascal(name, (*place, "items", index))
            data += bytes([0, *(key[:1].encode("mac_roman") or b"\0"), 0, 0])
        return data + b"\0"

    def _menu_bar(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        menus = self._fields(entry, place, {"menus": list}, ("menus",))["menus"]
        return struct.pack(f">H{len(menus)}h", len(menus), *menus)

    def _window(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        fields = self._fields(entry, place, _WINDOW_FIELDS, ("bounds",))
        return self._window_head(fields, place, 0) + self._title(fields, place)

    def _dialog(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        fields = self._fields(entry, place, {**_WINDOW_FIELDS, "items": int}, ("bounds", "items"))
        head = self._window_head(fields, place, 1)
        return head + struct.pack(">h", fields["items"]) + self._title(fields, place)

    def _window_head(self, fields: dict[str, Any], place: YamlPath, usual: int) -> bytes:
        return struct.pack(
            ">8shBxBxi",
            self._rectangle(fields, place),
            fields.get("procedure", usual),
            fields.get("visible", True),
            fields.get("go_away", False),
            fields.get("reference", 0),
        )

    def _title(self, fields: dict[str, Any], place: YamlPath) -> bytes:
        return self._pascal(fields.get("title", ""), place)

    def _alert(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        fields = self._fields(entry, place, {"bounds": list, "items": int}, ("bounds", "items"))
        # The same in all four stages: the alert is drawn, one beep, item 1 is the default.
        return self._rectangle(fields, place) + struct.pack(">hH", fields["items"], 0x5555)

    def _items(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        items = self._fields(entry, place, {"items": list}, ("items",))["items"]
        data = struct.pack(">h", len(items) - 1)
        for index, item in enumerate(items):
            data += self._item(item, (*place, "items", index))
        return data

    def _item(self, item: Any, place: YamlPath) -> bytes:
        kinds = [kind for kind in _ITEM_KINDS if isinstance(item, dict) and kind in item]
        if len(kinds) != 1:
            raise self._document.error(place, f"an item is one of {', '.join(_ITEM_KINDS)}")
        kind = kinds[0]
        fields = self._fields(
            item,
            place,
            {kind: (str, int, type(None)), "bounds": list, "enabled": bool},
            (kind, "bounds"),
        )
        usual = kind not in ("text", "icon", "picture", "user")
        number = _ITEM_KINDS[kind] | (0 if fields.get("enabled", usual) else _DISABLED)
        if kind in ("icon", "picture"):
            contents = struct.pack(">Bh", 2, fields[kind])
        elif kind == "user":
            contents = b"\0"
        else:
            text = fields[kind]
            contents = self._pascal("" if text is None else str(text), place)
        # The head has 13 bytes, so an odd length here makes the whole item even.
        contents += bytes(1 - len(contents) % 2)
        head = struct.pack(">i8sB", 0, self._rectangle(fields, place), number)
        return head + contents

    def _control(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        numbers = {"value": int, "maximum": int, "minimum": int, "procedure": int}
        fields = self._fields(
            entry,
            place,
            {"bounds": list, "visible": bool, "title": str, "reference": int, **numbers},
            ("bounds",),
        )
        return struct.pack(
            ">8shBxhhhi",
            self._rectangle(fields, place),
            fields.get("value", 0),
            fields.get("visible", True),
            fields.get("maximum", 1),
            fields.get("minimum", 0),
            fields.get("procedure", 0),
            fields.get("reference", 0),
        ) + self._title(fields, place)

    def _string(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        return self._pascal(self._fields(entry, place, {"text": str}, ("text",))["text"], place)

    def _strings(self, entry: dict[str, Any], place: YamlPath) -> bytes:
        strings = self._fields(entry, place, {"strings": list}, ("strings",))["strings"]
        return struct.pack(">H", len(strings)) + b"".join(
            self._pascal(str(text), (*place, "strings", index))
            for index, text in enumerate(strings)
        )

    # -- values ------------------------------------------------------------------------------------

    def _id_of(self, place: YamlPath) -> int:
        entry = self._document.data
        for step in place:
            entry = entry[step]
        return int(entry["id"])

    def _rectangle(self, fields: dict[str, Any], place: YamlPath) -> bytes:
        bounds = fields["bounds"]
        numbers = [n for n in bounds if isinstance(n, int) and -32768 <= n <= 32767]
        if len(bounds) != 4 or len(numbers) != 4:
            raise self._document.error(
                (*place, "bounds"), "bounds are [top, left, bottom, right] in pixels"
            )
        return struct.pack(">4h", *numbers)

    def _pascal(self, text: str, place: YamlPath) -> bytes:
        try:
            raw = text.encode("mac_roman").replace(b"\n", b"\r")
        except UnicodeEncodeError as error:
            raise self._document.error(place, "the text has characters outside MacRoman") from error
        if len(raw) > 255:
            raise self._document.error(place, "a string has at most 255 characters")
        return bytes([len(raw)]) + raw

    def _fields(
        self,
        data: Any,
        place: YamlPath,
        fields: dict[str, Any],
        needed: tuple[str, ...],
    ) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise self._document.error(place, "a mapping of names to values is wanted")
        for key, value in data.items():
            if key not in fields:
                raise self._document.error(
                    (*place, key), f"{key} is unknown; known are {', '.join(fields)}"
                )
            kind = fields[key]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
                raise self._document.error((*place, key), f"{key} has a value of the wrong type")
        for key in needed:
            if key not in data:
                raise self._document.error(place, f"{key} is missing")
        return data


_WINDOW_FIELDS: dict[str, Any] = {
    "bounds": list,
    "procedure": int,
    "visible": bool,
    "go_away": bool,
    "reference": int,
    "title": str,
}
