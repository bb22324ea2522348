"""What every manager of the Toolbox is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh


class Manager:
    """A manager: methods that do routines (see `declaration.routine`), and their state.

    Attributes:
        title: its name in Inside Macintosh.
        plumbing: whether its calls are left out of the normalised log, since compilers' run-time
            libraries make them and not the program (memory, segments, traps).
        mac: the Macintosh it belongs to; other managers are its attributes.
        guest: guest memory.
    """

    title: ClassVar[str]
    plumbing: ClassVar[bool] = False

    def __init__(self, mac: Macintosh) -> None:
        self.mac = mac
        self.guest = mac.guest

    def start(self) -> None:
        """Prepare, when every manager exists and before the program is loaded."""

    def finish(self) -> None:
        """Look back when the program has ended; report what it left wrong."""

    def also_return(self, register: str, value: int) -> None:
        """Give a second result in a 68K register, such as "a0"."""
        engine = self.mac.engine
        engine.registers[engine.index[register]] = value & 0xFFFFFFFF
