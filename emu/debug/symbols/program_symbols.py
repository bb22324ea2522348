"""Files with symbols of a program that is debugged, where its segments lie now.

A debugger knows a file by its name, and that it was moved only if it has another name. So each
arrangement of the segments in memory gets a folder of its own with files made for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from emu.base.files import write_whole
from emu.debug.symbols.loadable_file import FIXED, LoadableFile, segment_key
from emu.debug.symbols.moved_elf import moved_elf
from emu.debug.symbols.moved_file import MovedFile
from emu.debug.symbols.rom_file import write_rom_file
from emu.debug.symbols.unloaded_code import UnloadedCode
from emu.debug.timeline import Timeline
from emu.machine.cpu import CPUS
from emu.toolbox.guest.layout import ROM_START


class ProgramSymbols:
    """The files.

    Args:
        timeline: the program.
        folder: an empty folder for what is made.
        files: files with symbols of the program.

    Attributes:
        offsets: how far GDB moves code and data of the file that it takes for the program. If the
            user has given it the program's own file, of one segment, its symbols are right then.
        executable: the file that stands for the Macintosh itself, which is right after that, too.
        unloaded: code that is not in memory yet.
    """

    def __init__(
        self,
        timeline: Timeline,
        folder: Path,
        files: Sequence[LoadableFile] = (),
    ) -> None:
        self._timeline = timeline
        self._folder = folder
        self._files = tuple(files)
        self._arrangements: dict[tuple[tuple[int, ...], ...], tuple[MovedFile, ...]] = {}
        self.offsets = self._offsets()
        architecture = CPUS[timeline.cpu].architecture
        regions = timeline.regions()
        self.executable = write_rom_file(architecture, folder, self.offsets[0], regions)
        self.unloaded = UnloadedCode(part for file in files for part in file.unloaded())

    def _segments(self) -> Mapping[str, int]:
        loaded = {segment_key(one.name): one.address for one in self._timeline.segments()}
        return {**loaded, FIXED: 0}

    def files(self) -> tuple[MovedFile, ...]:
        """The files as if they had been linked for where the segments lie now."""
        segments = self._segments()
        distances = tuple(
            tuple(section.distance(segments) for section in file.sections) for file in self._files
        )
        made = self._arrangements.get(distances)
        if made is None:
            folder = self._folder / str(len(self._arrangements))
            if self._files:
                folder.mkdir()
            made = tuple(
                _write_moved(file, moves, folder)
                for file, moves in zip(self._files, distances, strict=True)
            )
            self._arrangements[distances] = made
        return made

    def find(self, name: str) -> int | None:
        """Where a routine of the program lies now; None if there is none of that name."""
        segments = self._segments()
        places = (file.find(name, segments) for file in self._files)
        return next((place for place in places if place is not None), None)

    def names(self) -> set[str]:
        """The names of all routines of the program that have one."""
        return {name for file in self._files for name in file.routines}

    def _offsets(self) -> tuple[int, int]:
        segments = self._segments()
        for file in self._files:
            code = {s.distance(segments) for s in file.sections if s.is_code}
            data = [s.distance(segments) for s in file.sections if not s.is_code]
            if len(code) == 1 and max(code) < ROM_START:
                (text,) = code
                return text, (data or [text])[0]
        return 0, 0  # its code lies in pieces, or is not loaded

    def lines(self) -> str:
        """Where the sections lie, and the command that reads the symbols by hand."""
        segments = self._segments()
        lines = []
        for file, made in zip(self._files, self.files(), strict=True):
            lines.append(f"{file.path}\n")
            lines += [f"  {s.name} at 0x{s.place(segments):08x}\n" for s in file.sections]
            lines.append(f"  for GDB: add-symbol-file {made.path}\n")
        return "".join(lines) or "there are no symbols beside the program, and no names in it\n"


def _write_moved(file: LoadableFile, distances: Sequence[int], folder: Path) -> MovedFile:
    path = folder / file.path.name
    write_whole(path, moved_elf(file.image, distances, file.path))
    return MovedFile(path, len(distances))
