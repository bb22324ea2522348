"""What decides to which operations and native code instructions are translated, as a text."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path


@functools.cache
def lifter_version() -> str:
    """The version of all that decides what a program is translated to."""
    import importlib.metadata  # takes 9 ms, which a verdict on Unicorn does without

    folder = Path(__file__).parent
    # The lists of compared forms decide, too.
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".json"))
    sources = [path.read_bytes() for path in paths]
    digest = hashlib.sha256(b"\0".join(sources)).hexdigest()
    return f"{digest} {importlib.metadata.version('pypcode')}"
