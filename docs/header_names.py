"""Makes the headers that are only another name: of another time."""

from __future__ import annotations

_NAMES = {
    "Color.h": "ColorToolbox",
    "Fonts.h": "FontTypes",
    "Packages.h": "IntlPkg",
    "PictUtil.h": "PictUtils",
    "Picker.h": "ColorPicker",
    "Printing.h": "PrintTraps",
    "Script.h": "QuickdrawText",
    "Types.h": "MacTypes",
    "Windows.h": "MacWindows",
}
_TEXT = """/* {name}.h: another name of {header}. Made by docs/generate.py. */

#ifndef COMPAT_{guard}_H
#define COMPAT_{guard}_H

#include "{header}"

#endif
"""


def named_headers() -> dict[str, str]:
    """The text of every such header, by its name."""
    return {
        f"{name}.h": _TEXT.format(name=name, header=header, guard=name.upper())
        for header, names in _NAMES.items()
        for name in names.split()
    }
