"""What a user may choose about a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from emu.program.mac_file.resource_fork import ResourceFork


@dataclass(frozen=True, slots=True)
class Settings:
    """Choices for one run.

    Attributes:
        screen: width and height in pixels.
        depth: bits for each pixel of the screen: 1, 2, 4, 8, 16 or 32; 0 for as many as the machine
            has.
        timeout: seconds of processor time that the guest and the Toolbox may take together, so
            that others who keep the computer busy end no run. A run that only waits for something
            of the computer's may do so for twenty times as long.
        scramble: whether to move unlocked relocatable blocks at each call that may move memory.
        keep_log: whether to record every call.
        folder: the host folder that stands for the volume; None for an empty one in memory.
        memory: bytes of the program's partition; 0 for what it asks for itself.
        stack: bytes of it that the heap leaves to the stack; 0 for the machine's usual ones.
        stops_at_findings: whether the first mistake that fails a run also ends it.
        allowed: the names of checks whose mistakes fail no run.
        machine: the name of the model that the program runs on, one of `MACHINES`; "" for the usual
            one of its processor.
        documents: the documents that the program is opened with, by their paths on its disk.
        idle_limit: how often in a row the program may look for an event in vain before the run
            stops.

    Example:
        >>> macproof.Settings(screen=(512, 342), timeout=30).screen
        (512, 342)
    """

    screen: tuple[int, int] = (640, 480)
    depth: int = 0
    timeout: float = 60.0
    scramble: bool = True
    keep_log: bool = False
    folder: Path | None = None
    memory: int = 0
    stack: int = 0
    stops_at_findings: bool = False
    allowed: tuple[str, ...] = ()
    machine: str = ""
    documents: tuple[str, ...] = ()
    idle_limit: int = 5000


@dataclass(frozen=True, slots=True)
class Application:
    """What managers need to know of the program that is run.

    Attributes:
        name: its file name on the Macintosh, MacRoman.
        resources: its resource fork.
        creator: its signature, four characters.
        data: its data fork.
        fork: the bytes of its resource fork, which a program may read as a file; b"" if it is to be
            made from the resources.
    """

    name: str = "Application"
    resources: ResourceFork = field(default_factory=lambda: ResourceFork(()))
    creator: str = "????"
    data: bytes = b""
    fork: bytes = b""
