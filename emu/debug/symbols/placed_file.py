"""A file with symbols, and where its sections lie in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """A file with symbols.

    Attributes:
        path: the file.
        distances: of each section that takes memory, in the file's order: how far it lies from the
            address that the file gives.
    """

    path: Path
    distances: tuple[int, ...]
