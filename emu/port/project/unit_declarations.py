"""Keeps what the sources of a port declare, by the digests of their objects.

A port is read at each step, and of all its objects but the one that was edited it is known.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from pathlib import Path, PurePosixPath

from emu.program.elf.declarations import ObjectDeclarations, SourceDeclaration, read_declarations
from emu.toolchain import build_cache

_MAKING = "declarations 1"
"""It becomes another word when other things are read of the same object, or kept otherwise."""


def unit_declarations(image: bytes, path: Path) -> ObjectDeclarations:
    """What an object file says of its source; see `read_declarations`.

    Raises:
        ProgramError: it is damaged, or no such object.
        InputError: the cache cannot be written.
    """
    key = build_cache.key_of(_MAKING, hashlib.sha256(image).hexdigest())
    kept = build_cache.find(key, ".json")
    if kept is not None:
        return _from_json(kept.path.read_bytes())
    found = read_declarations(image, path)
    build_cache.keep(key, ".json", _to_json(found), {})
    return found


def _to_json(found: ObjectDeclarations) -> bytes:
    rows = [astuple(one) for one in found.declarations]
    return json.dumps([sorted(found.outside), rows], default=str).encode()


def _from_json(content: bytes) -> ObjectDeclarations:
    outside, rows = json.loads(content)
    return ObjectDeclarations(
        tuple(
            SourceDeclaration(kind, name, symbol, PurePosixPath(file), *others)
            for kind, name, symbol, file, *others in rows
        ),
        frozenset(outside),
    )
