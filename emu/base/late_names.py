"""Names of a package whose modules are loaded when somebody asks for them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping


def late_names(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """What a package has as its ``__getattr__``.

    A package that imports all that it offers makes each user of one name load everything.

    Args:
        package: the package's name.
        homes: the names that come from each module; "elf.elf" is a module in the package.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def find(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(importlib.import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
