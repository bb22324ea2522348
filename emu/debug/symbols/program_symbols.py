"""Files with symbols of a program that is debugged, and where they lie now.

A debugger knows a file by its name, and that it was moved only if it has another name. So each
arrangement of the segments in memory gets a folder of its own, with links to the files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from emu.debug.symbols.loadable_file import LoadableFile, segment_key
from emu.debug.symbols.placed_file import PlacedFile
from emu.debug.symbols.unloaded import UnloadedCode
from emu.debug.timeline import Timeline


class ProgramSymbols:
    """The files.

    Args:
        timeline: the program.
        folder: an empty folder for links.
        executable: the file that stands for the Macintosh itself; its addresses are right.
        files: files with symbols of the program.

    Attributes:
        executable: that file.
        unloaded: code that is not in memory yet.
    """

    def __init__(
        self,
        timeline: Timeline,
        folder: Path,
        executable: Path,
        files: Sequence[LoadableFile] = (),
    ) -> None:
        self._timeline = timeline
        self._folder = folder
        self._files = tuple(files)
        self._arrangements: dict[tuple[tuple[int, ...], ...], int] = {}
        self.executable = executable
        self.unloaded = UnloadedCode(part for file in files for part in file.unloaded())

    def _segments(self) -> Mapping[str, int]:
        return {segment_key(segment.name): segment.address for segment in self._timeline.segments()}

    def files(self) -> tuple[PlacedFile, ...]:
        """The files where they lie now."""
        segments = self._segments()
        distances = tuple(
            tuple(section.distance(segments) for section in file.sections) for file in self._files
        )
        number = self._arrangements.setdefault(distances, len(self._arrangements))
        return tuple(
            PlacedFile(self._linked(file.path, number), place)
            for file, place in zip(self._files, distances, strict=True)
        )

    def _linked(self, path: Path, number: int) -> Path:
        link = self._folder / str(number) / path.name
        if not link.is_symlink():
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(path.absolute())
        return link

    def find(self, name: str) -> int | None:
        """Where a routine of the program lies now; None if there is none of that name."""
        segments = self._segments()
        places = (file.find(name, segments) for file in self._files)
        return next((place for place in places if place is not None), None)

    def names(self) -> set[str]:
        """The names of all routines of the program that have one."""
        return {name for file in self._files for name in file.routines}

    def offsets(self) -> tuple[int, int]:
        """How far code and data lie from where the first file says, modulo 2**32.

        Raises:
            LookupError: there is no such file.
        """
        segments = self._segments()
        for file in self._files:
            code = [s.distance(segments) for s in file.sections if s.is_code]
            data = [s.distance(segments) for s in file.sections if not s.is_code]
            if code:
                return code[0] & 0xFFFF_FFFF, (data or code)[0] & 0xFFFF_FFFF
        raise LookupError("there are no symbols")

    def lines(self) -> str:
        """Commands for GDB that add the files by hand."""
        segments = self._segments()
        lines = []
        for file in self._files:
            places = "".join(f" -s {s.name} {s.place(segments):#x}" for s in file.sections)
            lines.append(f"add-symbol-file {file.path}{places}\n")
        return "".join(lines) or "there are no symbols beside the program, and no names in it\n"
