"""A connection between two processes that carries objects, and descriptors of open files."""

from __future__ import annotations

import array
import pickle
import select
import socket
import struct
from typing import Any

_HEADER = struct.Struct("<I")


class ChannelClosedError(Exception):
    """The process at the other end is gone, or has closed the channel."""


def packed(message: object) -> memoryview:
    """A message as it is sent."""
    data = pickle.dumps(message)
    return memoryview(_HEADER.pack(len(data)) + data)


class Channel:
    """One end of a connection; both processes are macproof's own.

    Args:
        sock: a connected stream socket of this computer, which can carry descriptors.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock

    def fileno(self) -> int:
        """The descriptor, to wait for messages with others."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close this end."""
        self._socket.close()

    def send(self, message: object, descriptor: int | None = None) -> None:
        """Send an object, and perhaps an open file, which stays open here, too.

        Raises:
            ChannelClosedError: nobody is at the other end.
        """
        data = packed(message)
        try:
            if descriptor is not None:
                sent = socket.send_fds(self._socket, [data], [descriptor])
                data = data[sent:]
            self._socket.sendall(data)
        except OSError as error:
            raise ChannelClosedError from error

    def send_some(self, data: memoryview) -> memoryview:
        """Send as much of a message by `packed` as there is room for; the rest of it.

        Raises:
            ChannelClosedError: nobody is at the other end.
        """
        try:
            while data:
                data = data[self._socket.send(data, socket.MSG_DONTWAIT) :]
        except BlockingIOError:
            pass
        except OSError as error:
            raise ChannelClosedError from error
        return data

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether a message has come, or the channel was closed, within some seconds.

        Args:
            timeout: None waits as long as it takes.
        """
        return bool(select.select([self._socket], [], [], timeout)[0])

    def receive(self) -> Any:
        """Wait for the next object.

        Raises:
            ChannelClosedError: nobody is at the other end.
        """
        return self.receive_with_socket()[0]

    def receive_with_socket(self) -> tuple[Any, socket.socket | None]:
        """Wait for the next object; also a socket, if one came with it.

        Raises:
            ChannelClosedError: nobody is at the other end.
        """
        header, descriptors = self._read_header()
        sock = socket.socket(fileno=descriptors[0]) if descriptors else None
        (size,) = _HEADER.unpack(header)
        return pickle.loads(self._read(size)), sock

    def _read_header(self) -> tuple[bytes, list[int]]:
        room = socket.CMSG_LEN(array.array("i").itemsize)
        try:
            data, extra, _, _ = self._socket.recvmsg(_HEADER.size, room)
        except OSError as error:
            raise ChannelClosedError from error
        descriptors = array.array("i")
        for level, kind, content in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                descriptors.frombytes(content[: len(content) // 4 * 4])
        if not data:
            raise ChannelClosedError
        return data + self._read(_HEADER.size - len(data)), list(descriptors)

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            try:
                part = self._socket.recv(min(size, 1 << 20))
            except OSError as error:
                raise ChannelClosedError from error
            if not part:
                raise ChannelClosedError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def channel_pair() -> tuple[Channel, Channel]:
    """The two ends of a new connection."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    return Channel(one), Channel(other)
