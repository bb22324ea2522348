"""A file with symbols whose addresses are right for where a program's segments lie now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class MovedFile:
    """A file with symbols.

    Attributes:
        path: the file.
        sections: how many of its sections take memory.
    """

    path: Path
    sections: int
