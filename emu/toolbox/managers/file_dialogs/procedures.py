"""The procedures that a program brings to a file dialog: hook, filters and activation.

The calls of 1984 and 1986 have no pointer to data of the program's; CustomGetFile and CustomPutFile
pass one to each procedure.
Source: Inside Macintosh: Files, chapter 3, "Writing ... Functions"; Inside Macintosh I and IV, "The
Standard File Package", for the older calls.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.files.catalog import FileCatalog
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE
from emu.toolbox.managers.files.nodes import Folder, Node
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.files import HFileInfo

_HOOK = "FUNCTION DialogHook (item: INTEGER; theDialog: DialogPtr{data}): INTEGER"
_EVENTS = (
    "FUNCTION ModalFilter (theDialog: DialogPtr; VAR theEvent: EventRecord; "
    "VAR itemHit: INTEGER{data}): BOOLEAN"
)
_FILTER = "FUNCTION FileFilter (pb: Ptr{data}): BOOLEAN"
_ACTIVATE = (
    "PROCEDURE ActivateItem (theDialog: DialogPtr; itemNo: INTEGER; activating: BOOLEAN{data})"
)
_LONGEST_NAME = 64
_CORNER = Point(0, 0)


@dataclass(frozen=True, slots=True)
class FileProcedures:
    """What a program brings to a file dialog; a procedure is 0 if there is none.

    Attributes:
        filter: says of a file whether it is left out of the list.
        hook: says what an item that was hit does.
        events: sees each event first.
        activate: is told which item keys go to.
        data: a pointer of the program's that its procedures get; None in calls without one.
        where: the dialog's top left corner, global.
    """

    filter: int = 0
    hook: int = 0
    events: int = 0
    activate: int = 0
    data: int | None = None
    where: Point = _CORNER

    @property
    def is_new(self) -> bool:
        """Whether the dialog is one of System 7, with other numbers of items."""
        return self.data is not None

    @property
    def use_dialog(self) -> bool:
        """Whether a procedure has to do with the dialog, so that a real one is needed."""
        return bool(self.hook or self.events or self.activate)


class FileProcedureCalls(Manager):
    """Calls such procedures."""

    _memory: MemoryManager
    _catalog: FileCatalog

    def _call(self, procedures: FileProcedures, address: int, heading: str, *values: int) -> int:
        is_new = procedures.data is not None
        more = (procedures.data,) if is_new else ()
        text = heading.format(data="; yourDataPtr: Ptr" if is_new else "")
        return int(self.host.call_guest(address, text, *values, *more) or 0)

    def hooked(self, procedures: FileProcedures, item: int, dialog: int) -> int:
        """What the hook makes of an item's number; without one the same."""
        if not procedures.hook:
            return item
        return self._call(procedures, procedures.hook, _HOOK, item, dialog)

    def takes_event(
        self, procedures: FileProcedures, dialog: int, event: int, number_at: int
    ) -> bool:
        """Whether the filter of events has handled one, with the number of an item."""
        return bool(self._call(procedures, procedures.events, _EVENTS, dialog, event, number_at))

    def activate(self, procedures: FileProcedures, dialog: int, item: int) -> None:
        """Tell the program that keys go to an item."""
        if procedures.activate:
            self._call(procedures, procedures.activate, _ACTIVATE, dialog, item, 1)

    def hides(self, procedures: FileProcedures, node: Node) -> bool:
        """Whether the program leaves a file out; folders are asked for by the newer calls only."""
        if not procedures.filter or (isinstance(node, Folder) and not procedures.is_new):
            return False
        address = self._memory.new_pointer(HFileInfo.size + _LONGEST_NAME, clear=True)
        try:
            block = HFileInfo(self.guest, address)
            block.ioNamePtr, block.ioVRefNum = address + HFileInfo.size, VOLUME_REFERENCE
            self.guest.put_pascal_string(block.ioNamePtr, node.name)
            self._catalog.describe(block, node)
            return bool(self._call(procedures, procedures.filter, _FILTER, address))
        finally:
            self._memory.dispose_pointer(address)
