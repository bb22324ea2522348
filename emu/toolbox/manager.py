"""The base class of the Toolbox's managers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh


class Manager:
    """A manager: methods that do routines (see `declaration.routine`), and their state.

    Attributes:
        title: its name in Inside Macintosh.
        plumbing: whether its calls are left out of the normalised log, because compilers' run-time
            libraries make them rather than the program (memory, segments, traps).
        mac: the Macintosh it belongs to; other managers are its attributes.
        guest: guest memory.
    """

    title: ClassVar[str]
    plumbing: ClassVar[bool] = False

    def __init__(self, mac: Macintosh) -> None:
        self.mac = mac
        self.guest = mac.guest

    def start(self) -> None:
        """Prepare the manager; called when all managers exist and before the program is loaded."""

    def finish(self) -> None:
        """Report what the program left wrong; called when it has ended."""

    def also_return(self, register: str, value: int) -> None:
        """Return a second result in a 68K register, such as "a0"."""
        engine = self.mac.engine
        engine.registers[engine.index[register]] = value & 0xFFFFFFFF
