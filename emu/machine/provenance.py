"""What a result rests on besides its data: the command, and the versions of the software."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from emu import __version__
from emu.machine.engine.base.models import describe_engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The command that makes a report again, and the versions of the software that made it.

    Versions are those of the running software unless others are given.

    Attributes:
        command: the command line, beginning with "macproof".
        seconds: how long the work took.
        macproof: the version of macproof.
        python: the version of Python.
        numpy: the version of NumPy.
        engine: the name and version of the engine that executed the programs.
    """

    command: Sequence[str]
    seconds: float
    macproof: str = __version__
    python: str = field(default_factory=platform.python_version)
    numpy: str = np.__version__
    engine: str = field(default_factory=describe_engine)
