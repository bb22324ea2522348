"""Reads the symbols of an XCOFF object as a compiler has just made it, so that none is doubted.

Source: AIX Files Reference, "XCOFF Object File Format". A function has two symbols: ``Run`` is its
descriptor (transition vector), ``.Run`` its code.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

CONSTRUCTOR = "._GLOBAL__I_"
"""How the function is called that constructs a unit's global objects; its priority follows."""

_HEADER = struct.Struct(">HHiIiHH")
_SYMBOL = struct.Struct(">8sIhHBB")
_SIZE = 18
_BINDINGS = {2: "global", 107: "local", 111: "weak"}  # storage classes of symbols that name memory
_CODE = {0, 6}  # mapping classes: PR program code, GL glue
_DATA = {1, 5, 9, 11}  # RO constants, RW data, BS zeroed data, UC common


def symbols_of(content: bytes) -> Iterator[tuple[str, str, str, int]]:
    """The functions and variables of an object.

    Yields:
        The name as C has it, the binding ("global", "weak" or "local"), the kind ("function",
        "object" or "other"), and the number of the section: 0 if another object defines it.
    """
    for name, storage, section, mapping in _symbols(content):
        if not section:
            yield name.removeprefix("."), _BINDINGS[storage], "other", 0
        elif mapping in _CODE and name[:1] == "." and name != ".text":
            yield name[1:], _BINDINGS[storage], "function", section
        elif mapping in _DATA:
            yield name, _BINDINGS[storage], "object", section


def shown_names(content: bytes) -> list[str]:
    """The names, as the linker knows them, that an object defines for others, in its order."""
    found = _symbols(content)
    return [
        name for name, storage, section, _ in found if section and _BINDINGS[storage] != "local"
    ]


def _symbols(content: bytes) -> Iterator[tuple[str, int, int, int]]:
    """Name, storage class, section and mapping class of each symbol that names memory."""
    _, _, _, start, count, _, _ = _HEADER.unpack_from(content)
    texts = start + count * _SIZE
    row = 0
    while row < count:
        place = start + row * _SIZE
        name, _, section, _, storage, auxiliaries = _SYMBOL.unpack_from(content, place)
        row += 1 + auxiliaries
        if storage not in _BINDINGS or section < 0 or not auxiliaries:
            continue
        if name[:4] == bytes(4):
            begin = texts + int.from_bytes(name[4:], "big")
            name = content[begin : content.index(b"\0", begin)]
        # The mapping class is in the last of the symbol's further entries.
        mapping = content[place + _SIZE * auxiliaries + 11]
        yield name.rstrip(b"\0").decode("utf-8", "replace"), storage, section, mapping
