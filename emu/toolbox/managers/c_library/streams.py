"""The streams of StdCLib, which a PowerPC program takes from its variable ``_iob`` or opens.

The second and the third, ``stdout`` and ``stderr``, come to the console. Nothing can be read from
the first, ``stdin``. The others are files. There is no buffer: all macros of stdio.h call the
library for each character, since the counts in the records are 0.
Source: the C standard of 1989; MPW's stdio.h for ``_flsbuf``, ``_filbuf`` and the records.
"""

from __future__ import annotations

from emu.program.fragments.system_variables import STREAM_SIZE, STREAMS
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.c_library.descriptors import (
    APPEND,
    CREATE,
    FIRST_FILE,
    FROM_MARK,
    FROM_START,
    READ_AND_WRITE,
    TRUNCATE,
    WRITE_ONLY,
    CFiles,
)
from emu.toolbox.managers.c_library.formats import FormatError
from emu.toolbox.managers.c_library.routines import StandardC
from emu.toolbox.managers.c_library.scanning import scan_text
from emu.toolbox.managers.c_library.strings import CStrings, c_routine
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.processes.fragments import Fragments

_END_OF_FILE = -1
_FLAGS = 18
"""Where a record has its flags."""
_READS, _WRITES, _AT_END, _ERROR, _BOTH = 0x01, 0x02, 0x10, 0x20, 0x80
_MODES = {
    b"r": 0,
    b"w": WRITE_ONLY | CREATE | TRUNCATE,
    b"a": WRITE_ONLY | CREATE | APPEND,
}
_RETURN = b"\r"
_LONGEST_TEXT = 1 << 20


class CStreams(Manager):
    """Routines that write to a stream or read from one."""

    powerpc_only = True

    _c_strings: CStrings
    _fragments: Fragments
    _standard_c: StandardC
    _c_files: CFiles

    def __post_init__(self) -> None:
        self._open: dict[int, int] = {}  # descriptors by the numbers of streams

    def _record(self, number: int) -> int:
        return self._fragments.variable("_iob") + STREAM_SIZE * number

    def _descriptor(self, stream: int) -> int:
        """The descriptor of a stream; -1 if it is not open."""
        number, rest = divmod(stream - self._fragments.variable("_iob"), STREAM_SIZE)
        if rest or number < 0:
            return -1
        return number if number < FIRST_FILE else self._open.get(number, -1)

    def _set_flags(self, stream: int, flags: int, *, clear: int = 0) -> None:
        self.guest.put16(stream + _FLAGS, self.guest.u16(stream + _FLAGS) & ~clear | flags)

    def _write(self, stream: int, text: bytes) -> bool:
        """Write to a stream; whether it is one to write to."""
        try:
            self._c_files.write_to(self._descriptor(stream), text)
        except FileError as error:
            self._c_files.failed(error)
            return False
        return True

    def _read(self, stream: int, count: int) -> bytes:
        """Up to so many bytes of a stream; its record says whether it has ended."""
        try:
            data = self._c_files.read_from(self._descriptor(stream), count)
        except FileError as error:
            self._c_files.failed(error)
            return b""
        if len(data) < count:
            self._set_flags(stream, _AT_END)
        return data

    def _formatted(self, stream: int, text: bytes) -> int:
        return len(text) if self._write(stream, text) else _END_OF_FILE

    # -- files -------------------------------------------------------------------------------------

    @c_routine("FUNCTION fopen (path: Ptr; mode: Ptr): Ptr")
    def fopen(self, path: int, mode: int) -> int:
        """Open a file as a stream, or nil."""
        letters = self._c_strings.string(mode)
        number = next((n for n in range(FIRST_FILE, STREAMS) if n not in self._open), 0)
        if letters[:1] not in _MODES or not number:
            return 0
        flags = _MODES[letters[:1]]
        if b"+" in letters:
            flags = flags & ~WRITE_ONLY | READ_AND_WRITE
        try:
            self._open[number] = self._c_files.open_path(path, flags)
        except FileError as error:
            self._c_files.failed(error)
            return 0
        stream = self._record(number)
        allowed = _BOTH if b"+" in letters else _WRITES if flags else _READS
        self.guest.write(stream, bytes(STREAM_SIZE))
        self._set_flags(stream, allowed)
        return stream

    @c_routine("FUNCTION fclose (stream: Ptr): LONGINT")
    def fclose(self, stream: int) -> int:
        """Close a stream; 0, or -1."""
        number = (stream - self._fragments.variable("_iob")) // STREAM_SIZE
        if number not in self._open:
            return _END_OF_FILE
        self.guest.write(stream, bytes(STREAM_SIZE))
        return self._c_files.close(self._open.pop(number))

    @c_routine("FUNCTION fseek (stream: Ptr; offset: LONGINT; start: LONGINT): LONGINT")
    def fseek(self, stream: int, offset: int, start: int) -> int:
        """Go to a place in a stream: 0, or -1, as for the console."""
        if self._descriptor(stream) < FIRST_FILE:
            return _END_OF_FILE
        self._set_flags(stream, 0, clear=_AT_END)
        return min(self._c_files.lseek(self._descriptor(stream), offset, start), 0)

    @c_routine("PROCEDURE rewind (stream: Ptr)")
    def rewind(self, stream: int) -> None:
        """Go to the beginning."""
        self.fseek(stream, 0, FROM_START)

    @c_routine("FUNCTION ftell (stream: Ptr): LONGINT")
    def ftell(self, stream: int) -> int:
        """The place in a stream, or -1: the console has none."""
        descriptor = self._descriptor(stream)
        is_file = descriptor >= FIRST_FILE
        return self._c_files.lseek(descriptor, 0, FROM_MARK) if is_file else _END_OF_FILE

    @c_routine("PROCEDURE clearerr (stream: Ptr)")
    def clearerr(self, stream: int) -> None:
        """Forget that a stream has ended or failed."""
        self._set_flags(stream, 0, clear=_AT_END | _ERROR)

    # -- writing -----------------------------------------------------------------------------------

    @c_routine("FUNCTION fprintf (stream: Ptr; format: Ptr): LONGINT")
    def fprintf(self, stream: int, format_: int) -> int:
        """Write formatted text; how many bytes, or -1."""
        words = self._standard_c.words_after(2)
        return self._formatted(stream, self._standard_c.formatted(format_, words))

    @c_routine("FUNCTION vfprintf (stream: Ptr; format: Ptr; arguments: Ptr): LONGINT")
    def vfprintf(self, stream: int, format_: int, arguments: int) -> int:
        """Write formatted text; how many bytes, or -1."""
        words = self._standard_c.words_at(arguments)
        return self._formatted(stream, self._standard_c.formatted(format_, words))

    @c_routine("FUNCTION fputs (text: Ptr; stream: Ptr): LONGINT")
    def fputs(self, text: int, stream: int) -> int:
        """Write a string; 0, or -1."""
        return 0 if self._write(stream, self._c_strings.string(text)) else _END_OF_FILE

    @c_routine(
        "FUNCTION fputc (character: LONGINT; stream: Ptr): LONGINT", imports=("putc", "_flsbuf")
    )
    def fputc(self, character: int, stream: int) -> int:
        """Write a character; the character, or -1."""
        character &= 0xFF
        return character if self._write(stream, bytes([character])) else _END_OF_FILE

    @c_routine("FUNCTION fwrite (block: Ptr; size: UInt32; count: UInt32; stream: Ptr): UInt32")
    def fwrite(self, block: int, size: int, count: int, stream: int) -> int:
        """Write so many elements; how many were written."""
        data = self.guest.read(block, size * count) if size * count else b""
        return count if self._write(stream, data) else 0

    @c_routine("FUNCTION fflush (stream: Ptr): LONGINT")
    def fflush(self, stream: int) -> int:
        """Write what waits in a buffer; nothing does."""
        return 0

    # -- reading -----------------------------------------------------------------------------------

    @c_routine("FUNCTION fgetc (stream: Ptr): LONGINT", imports=("getc", "_filbuf"))
    def fgetc(self, stream: int) -> int:
        """Read a character, or -1."""
        data = self._read(stream, 1)
        return data[0] if data else _END_OF_FILE

    @c_routine("FUNCTION ungetc (character: LONGINT; stream: Ptr): LONGINT")
    def ungetc(self, character: int, stream: int) -> int:
        """Give the character back that was read last; -1 if there is none."""
        is_back = character >= 0 and self.fseek(stream, -1, FROM_MARK) == 0
        return character & 0xFF if is_back else _END_OF_FILE

    @c_routine("FUNCTION fgets (text: Ptr; count: LONGINT; stream: Ptr): Ptr")
    def fgets(self, text: int, count: int, stream: int) -> int:
        """Read a line with its return, or as much as there is room for; nil at the end."""
        room = min(count - 1, _LONGEST_TEXT)
        data = self._read(stream, room) if room > 0 else b""
        if not data:
            return 0
        line = data[: data.find(_RETURN) + 1] or data
        if len(line) < len(data):
            self.fseek(stream, len(line) - len(data), FROM_MARK)
        return self._c_strings.move(text, line + b"\0")

    @c_routine("FUNCTION fread (block: Ptr; size: UInt32; count: UInt32; stream: Ptr): UInt32")
    def fread(self, block: int, size: int, count: int, stream: int) -> int:
        """Read so many elements; how many were read in full."""
        data = self._read(stream, size * count) if size * count else b""
        self._c_strings.move(block, data)
        return len(data) // size if size else 0

    @c_routine("FUNCTION sscanf (text: Ptr; format: Ptr): LONGINT")
    def sscanf(self, text: int, format_: int) -> int:
        """Store the values that a string has; how many, or -1.

        Raises:
            GuestStopped: C has no such format.
        """
        words = self._standard_c.words_after(2)
        string, wanted = self._c_strings.string(text), self._c_strings.string(format_)
        try:
            return scan_text(self.guest, string, wanted, words)
        except FormatError as error:
            raise self.host.stopped(f"a format of the program: {error}") from error
