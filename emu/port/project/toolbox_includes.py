"""Tells whether sources include headers of the Toolbox by themselves.

Projects of THINK C and CodeWarrior had these headers in a prefix, so that many of their sources
include none, or only a rare one, as of printing; without the prefix they cannot be compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from emu.base.errors import CaseError
from emu.base.files import read_at_most
from emu.port.project.marks import LARGEST_SOURCE
from emu.toolchain.mac_c.characters import decoded
from emu.toolchain.sources import mac_sources

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_OTHERS = frozenset({"siouxglobals", "sioux", "values"})
"""Headers beside those of the Toolbox that begin with a capital letter."""


def all_include_toolbox(sources: Iterable[Path]) -> bool:
    """Whether each of some sources, or a file that it includes from beside it, includes one.

    Raises:
        CaseError: a source cannot be read, or is too large.
    """
    known = _toolbox_headers()
    paths = list(sources)
    return bool(paths) and all(_includes_one(path, known) for path in paths)


def _includes_one(source: Path, known: frozenset[str]) -> bool:
    waiting, seen = [source], set()
    while waiting:
        path = waiting.pop().resolve()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        text = decoded(read_at_most(path, LARGEST_SOURCE, "a source", CaseError))
        for name in _INCLUDE.findall(text.replace("\r\n", "\n").replace("\r", "\n")):
            beside = path.parent / name
            if beside.is_file():
                waiting.append(beside)
            elif _stem(name) in known:
                return True
    return False


def _toolbox_headers() -> frozenset[str]:
    """The headers of macproof's Toolbox, without those of C, which begin with a small letter."""
    names = (path.name for path in (mac_sources() / "compat").glob("*.h"))
    return frozenset(_stem(name) for name in names if name[0].isupper()) - _OTHERS


def _stem(name: str) -> str:
    """The name of a header without folders, as no file system of the Mac told letters apart."""
    return re.split(r"[/:]", name)[-1].casefold().removesuffix(".h")
