"""The Desk Manager: this system has no desk accessories, so there is little to do."""

from __future__ import annotations

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager


class DeskManager(Manager):
    """Desk accessories, of which there are none, and giving time to the system."""

    title = "Desk Manager"

    @routine("PROCEDURE SystemTask", trap=0xA9B4, moves_memory=True)
    def system_task(self) -> None:
        """No desk accessory needs time."""

    @routine(
        "PROCEDURE SystemClick (VAR theEvent: EventRecord; theWindow: WindowPtr)",
        trap=0xA9B3,
        moves_memory=True,
    )
    def system_click(self, event: int, window: int) -> None:
        """A click in a window of the system's; there is none."""

    @routine("FUNCTION SystemEvent (VAR theEvent: EventRecord): BOOLEAN", trap=0xA9B2)
    def system_event(self, event: int) -> bool:
        """Whether the system handles an event: it does not."""
        return False

    @routine("FUNCTION SystemEdit (editCmd: INTEGER): BOOLEAN", trap=0xA9C2, moves_memory=True)
    def system_edit(self, command: int) -> bool:
        """Whether a desk accessory has taken an Edit command: there is none."""
        return False

    @routine("PROCEDURE SystemMenu (menuResult: LONGINT)", trap=0xA9B5)
    def system_menu(self, choice: int) -> None:
        """A choice from a desk accessory's menu; there is none."""

    @routine("FUNCTION OpenDeskAcc (theAcc: Str255): INTEGER", trap=0xA9B6, moves_memory=True)
    def open_desk_acc(self, name: int) -> int:
        """Open a desk accessory; 0, since there is none of any name."""
        return 0

    @routine("PROCEDURE CloseDeskAcc (refNum: INTEGER)", trap=0xA9B7, moves_memory=True)
    def close_desk_acc(self, reference: int) -> None:
        """Close a desk accessory; there is none."""
