"""Finds out whether macproof's packages are its own.

An environment has one folder for each name of a package, whoever owns the name: pip lets two
distributions write into the same one. For example, PyPI has another ``pyref``, which overwrites
macproof's, or is overwritten by it. Such an installation must not give a verdict.

The check is made at each start. So it only compares the uppermost entries of the packages with the
list of files that the installer has kept; only if they differ are other distributions looked at.
"""

from __future__ import annotations

import functools
import re
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("emu", "macproof", "posts", "pyref")
"""The names that macproof takes among the packages of an environment."""

HOME = Path(__file__).resolve().parents[1]
"""The folder that has these packages."""

_REMEDY = "Install macproof in a virtual environment of its own: python3 -m venv FOLDER"
_RECORDED = re.compile(r"^(\w+)/([^/,\n]+)(?:/|,[^,\n]*,(\d+)$)", re.MULTILINE)


@functools.cache
def conflict(home: Path = HOME) -> str:
    """What is wrong with an installation, in a sentence or two; "" if nothing is.

    Args:
        home: the folder that has macproof's packages.
    """
    for name in PACKAGES:
        own = home / name / "__init__.py"
        if not own.is_file():
            return _lost(own.parent, [own.name])
        spec = find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        if origin not in (own, None):
            return (
                f"the package {name} is {origin.parent}, not that of macproof in {home}. {_REMEDY}"
            )
    return next(filter(None, (_change(home, *names) for names in _recorded(home).items())), "")


def _recorded(home: Path) -> dict[str, dict[str, int | None]]:
    """The uppermost entries of each package as installed; of a checkout, none.

    Each entry is a name with a size in bytes, or with None for a folder.
    """
    recorded: dict[str, dict[str, int | None]] = {}
    for path in home.glob("macproof-*.dist-info/RECORD"):
        for package, entry, size in _RECORDED.findall(path.read_text(encoding="utf-8")):
            if package in PACKAGES:
                recorded.setdefault(package, {})[entry] = int(size) if size else None
    return recorded


def _change(home: Path, package: str, recorded: dict[str, int | None]) -> str:
    """Who has changed a package, in a sentence, or what is missing of it."""
    found = {
        path.name: None if path.is_dir() else path.stat().st_size
        for path in (home / package).iterdir()
    }
    recorded.pop("__pycache__", None)
    found.pop("__pycache__", None)
    if found == recorded:
        return ""
    from importlib.metadata import packages_distributions  # it takes longer than all else here

    owners = sorted({*packages_distributions().get(package, ())} - {"macproof"})
    if owners:
        return (
            f"the package {package} in {home} is macproof's and also that of {', '.join(owners)}, "
            f"so one has overwritten the other. {_REMEDY}"
        )
    return _lost(home / package, sorted(recorded.keys() - found.keys()))


def _lost(place: Path, names: list[str]) -> str:
    """What to do about files of a package that another one has taken along when it was removed."""
    return f"{place} has lost {', '.join(names)}. Install macproof again" if names else ""
