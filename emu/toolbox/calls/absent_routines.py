"""Routines that headers declare and the Toolbox lacks: a call of one names its manager.

Each file of ``emu/toolbox/absent`` belongs to the header of its name: ``Drag.txt`` to ``Drag.h``. A
line ``manager: NAME`` says what the prototypes below it belong to, one prototype a line; ``#``
begins a comment::

    manager: Drag Manager
    OSErr TrackDrag(DragReference drag, const EventRecord *event, RgnHandle region);
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

_PROTOTYPE = re.compile(r"[A-Za-z_][\w \t]*[ *]+(?P<name>[A-Za-z_]\w*) ?\([^;]*\);")
_MANAGER = "manager:"


@dataclass(frozen=True, slots=True)
class AbsentRoutine:
    """A routine that programs can call and that ends the run.

    Attributes:
        name: its name in C.
        manager: what it belongs to, such as "Drag Manager".
        header: the header that declares it, such as "Drag.h".
        prototype: its declaration in C, without ``extern`` and ``pascal``.
    """

    name: str
    manager: str
    header: str
    prototype: str

    @property
    def description(self) -> str:
        """What a message calls it: "TrackDrag of the Drag Manager"."""
        return f"{self.name} of the {self.manager}"


@functools.cache
def absent_routines() -> Mapping[str, AbsentRoutine]:
    """All such routines by their names, in the order of headers and lines.

    Raises:
        ValueError: a line is no prototype, has no manager, or a routine stands there twice.
    """
    folder = resources.files("emu.toolbox").joinpath("absent")
    files = sorted((path for path in folder.iterdir()), key=lambda path: path.name)
    found: dict[str, AbsentRoutine] = {}
    for path in files:
        if path.name.endswith(".txt"):
            header = f"{path.name.removesuffix('.txt')}.h"
            for routine in read_absent(path.read_text(encoding="utf-8"), header):
                if routine.name in found:
                    raise ValueError(f"{path.name}: {routine.name} is in two lines")
                found[routine.name] = routine
    return found


def read_absent(text: str, header: str) -> Iterator[AbsentRoutine]:
    """Read the lines of a file.

    Raises:
        ValueError: a line is no prototype, or none before it names a manager.
    """
    manager = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith(_MANAGER):
            manager = line.removeprefix(_MANAGER).strip()
            continue
        match = _PROTOTYPE.fullmatch(line)
        if match is None or not manager:
            why = "not a prototype" if match is None else "no line `manager: NAME` stands above"
            raise ValueError(f"{header}, line {number}: {why}: {line}")
        yield AbsentRoutine(match["name"], manager, header, line)
