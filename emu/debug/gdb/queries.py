"""Answers GDB's questions about the server and the program: packets that begin with ``q``.

Source: Debugging with GDB, appendix E "GDB Remote Serial Protocol", "General Query Packets".
"""

from __future__ import annotations

from emu.debug.gdb.documents import library_list, memory_map
from emu.debug.gdb.numbers import BadPacketError, numbers
from emu.debug.gdb.packets import LARGEST
from emu.debug.gdb.resumption import Resumption
from emu.debug.gdb.stop_reply import THREAD
from emu.debug.gdb.values import Values
from emu.debug.symbols.program_symbols import ProgramSymbols
from emu.debug.timeline import Timeline

_SUPPORTED = (
    f"PacketSize={LARGEST:x}",
    "QStartNoAckMode+",
    "qXfer:features:read+",
    "qXfer:memory-map:read+",
    "qXfer:libraries:read+",
    "qXfer:exec-file:read+",
    "ReverseStep+",
    "ReverseContinue+",
    "swbreak+",
    "hwbreak+",
    "vContSupported+",
)
_MOST_READ = LARGEST // 2 - 8


class Queries:
    """Answers the questions.

    Args:
        timeline: the program.
        symbols: its files with symbols.
        values: its registers.
        resumption: is told when GDB has read the list of files.
    """

    def __init__(
        self, timeline: Timeline, symbols: ProgramSymbols, values: Values, resumption: Resumption
    ) -> None:
        self._timeline = timeline
        self._symbols = symbols
        self._values = values
        self._resumption = resumption

    def answer(self, text: bytes) -> bytes:
        """The answer; empty for a question that is not known."""
        name, _, rest = text.partition(b":")
        if name == b"qSupported":
            return ";".join(_SUPPORTED).encode("ascii")
        if name == b"qXfer":
            return self._transfer(rest)
        if name == b"qOffsets":
            # GDB adds numbers of 64 bits, and a distance may be negative.
            code, data = (each & 0xFFFF_FFFF_FFFF_FFFF for each in self._symbols.offsets)
            return f"Text={code:x};Data={data:x};Bss={data:x}".encode("ascii")
        return _FIXED.get(name, b"")

    def _transfer(self, text: bytes) -> bytes:
        """A part of a document: ``features:read:target.xml:0,1000``."""
        parts = text.split(b":")
        if len(parts) != 4 or parts[1] != b"read":
            return b""
        start, size = numbers(parts[3], 2)
        document = self._document(parts[0], parts[2], is_first=not start)
        if document is None:
            return b""
        data = document.encode("utf-8")
        piece = data[start : start + min(size, _MOST_READ)]
        return (b"m" if start + len(piece) < len(data) else b"l") + piece

    def _document(self, kind: bytes, annex: bytes, *, is_first: bool) -> str | None:
        if kind == b"features":
            if annex != b"target.xml":
                raise BadPacketError("there is target.xml only")
            return self._values.description.xml()
        if kind == b"memory-map":
            return memory_map([*self._timeline.regions(), *self._symbols.unloaded.regions()])
        if kind == b"libraries":
            if is_first:
                self._resumption.files_were_read()
            return library_list(self._symbols.files())
        if kind == b"exec-file":
            return str(self._symbols.executable)
        return None


_FIXED = {
    b"qC": f"QC{THREAD:x}".encode("ascii"),
    b"qfThreadInfo": f"m{THREAD:x}".encode("ascii"),
    b"qsThreadInfo": b"l",
    b"qAttached": b"1",
    b"qSymbol": b"OK",
    b"qTStatus": b"",
    b"QNonStop": b"OK",
}
