"""What can be debugged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from emu.runner.runner import RunRequest


@dataclass(frozen=True, slots=True)
class DebuggedProgram:
    """A whole program.

    Attributes:
        request: the program, and how it is run. Its clock has to be "calls".
        keeps_snapshots: whether snapshots are kept, where the computer can do that. Without them
            the program runs again from its beginning for each way back.
    """

    request: RunRequest
    keeps_snapshots: bool = True


@dataclass(frozen=True, slots=True)
class DebuggedScene:
    """The routine of a case on one scene: from its first instruction to its return.

    Attributes:
        case: the case file, or the case's name.
        scene: the number of the scene.
        build: which build of the program.
        cpu: the processor's name.
    """

    case: Path
    scene: int
    build: str
    cpu: str
