"""Which Python packages are installed: those that everything needs, and those of extras."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterator

from emu.doctor.report import Facility, State

PACKAGES = "Python packages"

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?:>=(?P<least>[\d.]+))?[^;]*(?:;(?P<marker>.*))?")
_EXTRA = re.compile(r"extra\s*==\s*[\"']([\w-]+)[\"']")
# What an extra is for. Those of engines are looked for with the engines, and those that are not
# here are for the development of macproof itself.
_COSTS = {
    "cluster": "campaigns run on this computer only, not on a Dask cluster",
    "mcp": "macproof port mcp cannot serve a port to programs that drive it",
}


def examine_packages() -> Iterator[Facility]:
    """Compare the installed packages with what macproof says that it requires."""
    try:
        requirements = importlib.metadata.requires("macproof") or []
    except importlib.metadata.PackageNotFoundError:
        yield Facility(
            PACKAGES,
            "macproof",
            State.MISSING,
            "it runs from a folder and is not installed: pip install -e FOLDER",
            "the versions of the packages that it requires are not known",
        )
        return
    for text in requirements:
        requirement = _REQUIREMENT.match(text)
        assert requirement is not None
        extra = _EXTRA.search(requirement["marker"] or "")
        if extra is None or extra[1] in _COSTS:
            yield _package(requirement["name"], requirement["least"], extra[1] if extra else "")


def _package(name: str, least: str | None, extra: str) -> Facility:
    """Whether a package is installed in the version that is required."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        version = ""
    if version and (least is None or _numbers(version) >= _numbers(least)):
        return Facility(PACKAGES, name, State.PRESENT, version)
    problem = f"{version} is older than {least}" if version else "it is not installed"
    what = f"macproof[{extra}]" if extra else f"{name}>={least}"
    return Facility(
        PACKAGES,
        name,
        State.MISSING if extra else State.NEEDED,
        f"{problem}: pip install '{what}'",
        _COSTS.get(extra, "macproof verify cannot run"),
    )


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version up to the first that is none: 2.1.4.post1 is 2, 1, 4."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()
