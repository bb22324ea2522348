"""A debugger's connection. Others who would like to connect meanwhile are refused in words."""

from __future__ import annotations

import contextlib
import select
import socket
from collections import deque

from emu.debug.gdb.packets import Packet, PacketReader, Sign, encoded

_AT_ONCE = 1 << 16
_REFUSAL = b"E.another debugger is connected to this program"
_REFUSED_READS = 4
_MOST_WAITING = 256
"""Packets that wait while the program runs. GDB sends none; others are not to fill memory."""
_SECONDS = 10.0
"""A client that does not take its answers for so long is given up."""


class ClientGoneError(Exception):
    """The debugger has closed its connection."""


class Connection:
    """One debugger's connection.

    Args:
        listener: where others would connect.
        client: the connection.
    """

    def __init__(self, listener: socket.socket, client: socket.socket) -> None:
        self._listener = listener
        self._client = client
        self._reader = PacketReader()
        self._packets: deque[bytes] = deque()
        self._interrupted = False
        self._last = b""
        self._is_gone = False
        self.acknowledges = True
        client.settimeout(_SECONDS)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def next_packet(self) -> bytes:
        """Wait for the next packet; its data.

        Raises:
            ClientGoneError: the debugger is gone.
        """
        while not self._packets:
            self._look(None)
        return self._packets.popleft()

    def wants_stop(self) -> bool:
        """Whether the debugger has sent Ctrl-C since the last time, or is gone."""
        with contextlib.suppress(ClientGoneError):
            self._look(0)
        interrupted, self._interrupted = self._interrupted, False
        return interrupted or self._is_gone

    def send(self, data: bytes) -> None:
        """Send a packet.

        Raises:
            ClientGoneError: the debugger is gone.
        """
        self._last = encoded(data)
        self._send(self._last)

    def _send(self, data: bytes) -> None:
        try:
            self._client.sendall(data)
        except OSError as error:
            self._is_gone = True
            raise ClientGoneError from error

    def _look(self, timeout: float | None) -> None:
        """Take what has come, and wait for it if nothing has."""
        if self._is_gone:
            raise ClientGoneError
        ready, _, _ = select.select([self._listener, self._client], [], [], timeout)
        if self._client in ready:  # first: it may be gone, and the next one come in its place
            try:
                received = self._client.recv(_AT_ONCE)
            except OSError:
                received = b""
            if not received:
                self._is_gone = True
                raise ClientGoneError
            for event in self._reader.feed(received):
                self._take(event)
        elif self._listener in ready:
            refuse(self._listener)

    def _take(self, event: Packet | Sign) -> None:
        if isinstance(event, Packet):
            if self.acknowledges:
                self._send(b"+")
            self._interrupted = False  # Ctrl-C that came before was for what ran before
            if len(self._packets) < _MOST_WAITING:
                self._packets.append(event.data)
        elif event is Sign.INTERRUPT:
            self._interrupted = True
        elif event is Sign.DAMAGED and self.acknowledges:
            self._send(b"-")
        elif event is Sign.REFUSED and self.acknowledges and self._last:
            self._send(self._last)


def refuse(listener: socket.socket) -> None:
    """Tell the next one who connects that another debugger is connected, and end that."""
    with contextlib.suppress(OSError):
        other, _ = listener.accept()
        with other:
            other.settimeout(0.2)
            other.sendall(encoded(_REFUSAL))
            other.shutdown(socket.SHUT_WR)
            # What it has sent is read, or closing would reset the connection and lose the refusal.
            for _ in range(_REFUSED_READS):
                if not other.recv(_AT_ONCE):
                    break
