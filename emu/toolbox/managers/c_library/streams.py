"""The standard streams of StdCLib, which a PowerPC program takes from its variable ``_iob``.

The second and the third, ``stdout`` and ``stderr``, come to the console. Nothing can be read from
the first, ``stdin``. There are no others: no routine here opens a file as a stream.
Source: the C standard of 1989; MPW's stdio.h for ``_flsbuf`` and ``_filbuf``.
"""

from __future__ import annotations

from emu.program.fragments.system_variables import STREAM_SIZE
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.c_library.routines import StandardC
from emu.toolbox.managers.c_library.strings import CStrings, c_routine
from emu.toolbox.managers.processes.fragments import Fragments

_END_OF_FILE = -1


class CStreams(Manager):
    """Routines that write to a stream."""

    powerpc_only = True

    _c_strings: CStrings
    _fragments: Fragments
    _standard_c: StandardC

    def _write(self, stream: int, text: bytes) -> bool:
        """Write to a stream; whether it is one to write to."""
        streams = self._fragments.variable("_iob")
        is_output = stream - streams in (STREAM_SIZE, 2 * STREAM_SIZE)
        if is_output:
            self._standard_c.write(text)
        return is_output

    def _formatted(self, stream: int, text: bytes) -> int:
        return len(text) if self._write(stream, text) else _END_OF_FILE

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

    @c_routine("FUNCTION fgetc (stream: Ptr): LONGINT", imports=("getc", "_filbuf"))
    def fgetc(self, stream: int) -> int:
        """Read a character: -1, since there are none."""
        return _END_OF_FILE

    @c_routine("FUNCTION fgets (text: Ptr; count: LONGINT; stream: Ptr): Ptr")
    def fgets(self, text: int, count: int, stream: int) -> int:
        """Read a line: nil, since there is none."""
        return 0

    @c_routine("FUNCTION fread (block: Ptr; size: UInt32; count: UInt32; stream: Ptr): UInt32")
    def fread(self, block: int, size: int, count: int, stream: int) -> int:
        """Read so many elements: there are none."""
        return 0

    @c_routine("FUNCTION fseek (stream: Ptr; offset: LONGINT; start: LONGINT): LONGINT")
    def fseek(self, stream: int, offset: int, start: int) -> int:
        """Go to a place in a stream: the console has none."""
        return _END_OF_FILE

    @c_routine("FUNCTION ftell (stream: Ptr): LONGINT")
    def ftell(self, stream: int) -> int:
        """The place in a stream: the console has none."""
        return _END_OF_FILE
