"""Open files: each has a fork, a mark and a permission.

Source: Inside Macintosh: Files, chapter 2, "Low-Level File Access Routines" (PBRead, PBWrite,
PBSetEOF, PBSetFPos) and "File Access Permissions".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.nodes import File
from emu.toolbox.managers.files.volume import Volume
from emu.toolbox.records.results import ResultCode

AT_MARK, FROM_START, FROM_END, FROM_MARK = range(4)
NEWLINE_MODE = 0x80
"""The bit of a position mode that ends a read after the character in the mode's high byte."""

_CURRENT, _READ, _WRITE, _READ_WRITE, _SHARED = range(5)
_FIRST_REFERENCE, _REFERENCE_STEP = 2, 94
_MOST_OPEN = 340
REFERENCES_END = _FIRST_REFERENCE + _MOST_OPEN * _REFERENCE_STEP
"""The end of the control blocks, of which reference numbers are the offsets."""
SYSTEM_REFERENCE = REFERENCES_END - _REFERENCE_STEP
"""The last of them is the System file's, which programs look up by SysMap and can not open."""


@dataclass(slots=True, eq=False)
class OpenFile:
    """One open fork of a file.

    Attributes:
        reference: its reference number, which is the offset of its control block.
        file: the file.
        resource: whether it is the resource fork.
        writes: whether it may be written.
        shared: whether others may write at the same time.
        mark: where the next read or write begins.
        by_system: whether another manager opened it, so that the program need not close it.
    """

    reference: int
    file: File
    resource: bool
    writes: bool
    shared: bool
    mark: int = 0
    by_system: bool = False

    @property
    def fork(self) -> bytearray:
        """The bytes of the fork."""
        return self.file.resources if self.resource else self.file.data


class OpenFiles:
    """The open files of a volume, by reference number.

    Attributes:
        on_change: called with each file that has been opened or closed, and whether it is open.
    """

    def __init__(self, volume: Volume) -> None:
        self._volume = volume
        self._open: dict[int, OpenFile] = {}
        self.on_change: Callable[[OpenFile, bool], None] | None = None

    def __iter__(self) -> Iterator[OpenFile]:
        return iter(sorted(self._open.values(), key=lambda file: file.reference))

    def find(self, reference: int) -> OpenFile:
        """The open file of a reference number.

        Raises:
            FileError: there is none.
        """
        file = self._open.get(reference)
        if file is None and reference < 0:
            raise FileError(ResultCode.badUnitErr, driver=reference)
        if file is None:
            raise FileError(ResultCode.rfNumErr)
        return file

    def of(self, file: File) -> list[OpenFile]:
        """All open forks of a file."""
        return [open_file for open_file in self._open.values() if open_file.file is file]

    def writer(self, file: File, resource: bool) -> OpenFile | None:
        """The open fork through which a fork may be written; None if there is none."""
        for open_file in self._open.values():
            if open_file.file is file and open_file.resource == resource and open_file.writes:
                return open_file
        return None

    def open(self, file: File, resource: bool, permission: int) -> OpenFile:
        """Open a fork.

        Args:
            file: the file.
            resource: whether to open the resource fork; otherwise the data fork.
            permission: 1 read, 2 write, 3 both, 4 both and shared, 0 whatever is possible.

        Raises:
            FileError: it cannot be opened in this way. `writer` tells which open fork prevents it.
        """
        if not 0 <= permission <= _SHARED:
            raise FileError(ResultCode.paramErr)
        writes = permission != _READ
        shared = permission == _SHARED
        writer = self.writer(file, resource)
        refusal = None
        if writes and file.locked:
            refusal = ResultCode.permErr
        elif writes and writer is not None and not (shared and writer.shared):
            refusal = ResultCode.opWrErr
        if refusal is not None:
            if permission != _CURRENT:
                raise FileError(refusal)
            writes = False
        for reference in range(_FIRST_REFERENCE, SYSTEM_REFERENCE, _REFERENCE_STEP):
            if reference not in self._open:
                break
        else:
            raise FileError(ResultCode.tmfoErr)
        self._volume.load(file)
        opened = OpenFile(reference, file, resource, writes, shared)
        self._open[reference] = opened
        self._tell(opened, True)
        return opened

    def _tell(self, opened: OpenFile, is_open: bool) -> None:
        if self.on_change is not None:
            self.on_change(opened, is_open)

    def close(self, reference: int) -> None:
        """Close a file, and store its changes on the host.

        Raises:
            FileError: it is not open, or the host cannot store it.
        """
        opened = self.find(reference)
        del self._open[reference]
        self._tell(opened, False)
        self._volume.flush(opened.file)

    def position(self, opened: OpenFile, mode: int, offset: int) -> int:
        """The position that a mode and an offset mean; it may lie after the end of the file.

        Raises:
            FileError: the position is before the beginning.
        """
        base = {
            AT_MARK: opened.mark,
            FROM_START: 0,
            FROM_END: len(opened.fork),
            FROM_MARK: opened.mark,
        }[mode & 3]
        place = base + (0 if mode & 3 == AT_MARK else offset)
        if place < 0:
            raise FileError(ResultCode.posErr)
        return place

    def set_mark(self, opened: OpenFile, mode: int, offset: int) -> None:
        """Move the mark.

        Raises:
            FileError: the position is before the beginning, which leaves the mark unchanged, or
                after the end, which moves the mark to the end.
        """
        place = self.position(opened, mode, offset)
        opened.mark = min(place, len(opened.fork))
        if place > len(opened.fork):
            raise FileError(ResultCode.eofErr)

    def read(self, opened: OpenFile, count: int, mode: int = 0, offset: int = 0) -> bytes:
        """Read up to so many bytes; fewer at the end of the file.

        Args:
            opened: the file; its mark moves behind what was read.
            count: how many bytes.
            mode: where to begin; with `NEWLINE_MODE`, also where to end.
            offset: the distance from there.

        Raises:
            FileError: the count is negative, or the position is not in the file.
        """
        if count < 0:
            raise FileError(ResultCode.paramErr)
        self.set_mark(opened, mode, offset)
        end = min(opened.mark + count, len(opened.fork))
        if mode & NEWLINE_MODE:
            newline = opened.fork.find(mode >> 8 & 0xFF, opened.mark, end)
            end = newline + 1 if newline >= 0 else end
        data = bytes(opened.fork[opened.mark : end])
        opened.mark = end
        return data

    def write(
        self, opened: OpenFile, data: bytes, now: int, mode: int = 0, offset: int = 0
    ) -> None:
        """Write bytes; the file grows as it must.

        Args:
            opened: the file; its mark moves behind what was written.
            data: the bytes.
            now: the date of the change.
            mode: where to begin.
            offset: the distance from there.

        Raises:
            FileError: it may not be written, or there is no room.
        """
        if not opened.writes:
            raise FileError(ResultCode.wrPermErr)
        place = self.position(opened, mode, offset)
        fork = opened.fork
        end = place + len(data)
        if end > len(fork):
            self._volume.require_room(end - len(fork))
            fork.extend(bytes(end - len(fork)))
        fork[place:end] = data
        opened.mark = end
        self._changed(opened, now)

    def set_end(self, opened: OpenFile, end: int, now: int) -> None:
        """Make the fork longer, with zeros, or shorter.

        Raises:
            FileError: it may not be written, or there is no room.
        """
        if not opened.writes:
            raise FileError(ResultCode.wrPermErr)
        if end < 0:
            raise FileError(ResultCode.paramErr)
        fork = opened.fork
        if end > len(fork):
            self._volume.require_room(end - len(fork))
            fork.extend(bytes(end - len(fork)))
        else:
            del fork[end:]
        for other in self.of(opened.file):
            if other.resource == opened.resource:
                other.mark = min(other.mark, end)
        self._changed(opened, now)

    def _changed(self, opened: OpenFile, now: int) -> None:
        file = opened.file
        file.modified, file.changed, file.written = now, True, True
        self._volume.account(file)
