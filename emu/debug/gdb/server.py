"""Listens for a debugger on this computer, one at a time.

Nobody from outside can connect: the address is 127.0.0.1.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

from emu.base.errors import UsageError
from emu.debug.gdb.connection import ClientGoneError, Connection
from emu.debug.gdb.session import DebuggerSession
from emu.debug.symbols.program_symbols import ProgramSymbols
from emu.debug.timeline import Timeline

_HOST = "127.0.0.1"


class DebugServer:
    """Where a debugger can connect.

    Args:
        port: the number of the port; 0 for any that is free.

    Attributes:
        port: the number of the port.

    Raises:
        UsageError: the port is taken, or may not be used.
    """

    def __init__(self, port: int) -> None:
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        # A port can be used again at once, though connections of the last server still end.
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind((_HOST, port))
            self._listener.listen()
        except OSError as error:
            self._listener.close()
            reason = (error.strerror or str(error)).lower()
            raise UsageError(
                f"port {port} cannot be used ({reason}); --port 0 takes any that is free"
            ) from error
        self.port = int(self._listener.getsockname()[1])

    def close(self) -> None:
        """Listen no longer."""
        self._listener.close()

    def serve(
        self,
        timeline: Timeline,
        symbols: ProgramSymbols,
        *,
        keeps: bool = False,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        """Serve one debugger until it ends the session or is gone.

        Args:
            timeline: the program.
            symbols: its files with symbols.
            keeps: whether to wait for the next debugger then.
            is_over: is asked each half second while nobody is connected; whether nobody will be.
        """
        self._listener.settimeout(0.5)
        while True:
            try:
                client, _ = self._listener.accept()
            except TimeoutError:
                if is_over():
                    return
                continue
            except OSError:  # it was gone before it was there
                continue
            self._serve_one(timeline, symbols, client)
            if not keeps:
                return

    def _serve_one(
        self, timeline: Timeline, symbols: ProgramSymbols, client: socket.socket
    ) -> None:
        connection = Connection(self._listener, client)
        try:
            DebuggerSession(timeline, symbols, connection).serve()
        except ClientGoneError:
            pass
        finally:
            timeline.is_interrupted = lambda: False
            connection.close()
