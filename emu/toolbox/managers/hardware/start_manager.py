"""The Start Manager's choices for the next start, which parameter RAM keeps.

Sources: Inside Macintosh: Operating System Utilities, chapter 9 "Start Manager" (records and
registers); Apple's Start.h (trap words).
"""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager

_STARTUP, _VIDEO, _SYSTEM = bytes.fromhex("ffffffdf"), bytes(2), b"\0\1"
"""The internal disk's driver; the screen of slot 0, the machine's own; the Macintosh system."""


def _get(name: str, trap: int, choice: str) -> Callable[..., None]:
    def get(self: StartManager, block: int) -> None:
        self.guest.write(block, self.choices[choice])

    get.__doc__ = f"Tell the {choice} that was chosen for the next start."
    return routine(f"PROCEDURE {name} (paramBlock: Ptr)", trap=trap, registers="A0")(get)


def _set(name: str, trap: int, choice: str) -> Callable[..., None]:
    def put(self: StartManager, block: int) -> None:
        self.choices[choice] = self.guest.read(block, len(self.choices[choice]))

    put.__doc__ = f"Choose the {choice} for the next start, which there is not."
    return routine(f"PROCEDURE {name} (paramBlock: Ptr)", trap=trap, registers="A0")(put)


class StartManager(Manager):
    """Keeps what the user has chosen in control panels.

    Attributes:
        choices: the record of each, in the form of its parameter block.
    """

    plumbing = True

    def __post_init__(self) -> None:
        self.choices = {"disk": _STARTUP, "screen": _VIDEO, "operating system": _SYSTEM}

    get_startup = _get("GetDefaultStartup", 0xA07D, "disk")
    set_startup = _set("SetDefaultStartup", 0xA07E, "disk")
    get_video = _get("GetVideoDefault", 0xA080, "screen")
    set_video = _set("SetVideoDefault", 0xA081, "screen")
    get_system = _get("GetOSDefault", 0xA084, "operating system")
    set_system = _set("SetOSDefault", 0xA083, "operating system")
