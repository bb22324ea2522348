"""The dialogs of the Printing Manager in which a program has a say.

A program has PrDlgMain call its own routine, which gets a dialog of PrStlInit or PrJobInit, puts
items of its own behind those that are there, and takes the place of the routine for the items. Then
the dialog is used like any other: a script or the user who is there presses its buttons. What the
printer could be told in it is not there.
Sources: Inside Macintosh: Imaging With QuickDraw, chapter 9 (PrDlgMain, the TPrDlg record); Apple's
Technical Note PR 08, "Adding Items to the Print Dialogs" (what programs do to it).
"""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.dialogs.events import DialogEvents
from emu.toolbox.managers.dialogs.manager import DialogManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.printing.manager import PrintingManager
from emu.toolbox.managers.windows.manager import WindowManager
from emu.toolbox.records.printing import TPrDlg
from emu.toolbox.system_file.dialogs import JOB_ITEMS, STYLE_ITEMS

_ITEM_TRAP = 0xABFC
"""A trap word that no routine of a Macintosh has."""
_BOUNDS = Rectangle(60, 60, 180, 460)
_DIALOG_BOX, _IN_FRONT = 1, 0xFFFFFFFF
_OK, _CANCEL = 1, 2
_INIT = "FUNCTION Init (hPrint: Handle): Ptr"
_ITEM = "PROCEDURE Item (theDialog: DialogPtr; itemNo: INTEGER)"


class PrintDialogs(Manager):
    """Shows dialogs that a program has changed."""

    _dispatcher: Dispatcher
    _memory: MemoryManager
    _printing: PrintingManager
    _window_manager: WindowManager
    _dialog_manager: DialogManager
    _dialog_events: DialogEvents

    @routine("FUNCTION PrStlInit (hPrint: Handle): Ptr")
    def style_dialog(self, handle: int) -> int:
        """A dialog for the paper, still hidden; nil if memory is full."""
        return self._make(handle, STYLE_ITEMS)

    @routine("FUNCTION PrJobInit (hPrint: Handle): Ptr")
    def job_dialog(self, handle: int) -> int:
        """A dialog for the pages to be printed, likewise."""
        return self._make(handle, JOB_ITEMS)

    def _make(self, handle: int, items: bytes) -> int:
        self._printing.pr_validate(handle)
        memory = self._memory
        storage = memory.new_pointer(TPrDlg.size, clear=True)
        scratch = memory.new_pointer(8 + 2, clear=True)
        listed = memory.handle_from(items)
        if not storage or not scratch or not listed:
            return 0
        self.guest.put_rect(scratch, *_BOUNDS)
        window = (scratch, scratch + 8, False, _DIALOG_BOX, _IN_FRONT, False, 0)
        self._dialog_manager.new_dialog(storage, *window, listed)
        memory.dispose_pointer(scratch)
        record = TPrDlg(self.guest, storage)
        record.hPrintUsr = handle
        record.pItemProc = self._dispatcher.procedure_pointer("PrintDialogItem", _ITEM_TRAP)
        return storage

    @routine("PROCEDURE PrintDialogItem (theDialog: DialogPtr; itemNo: INTEGER)", trap=_ITEM_TRAP)
    def hit(self, dialog: int, number: int) -> None:
        """Do what an item of the dialog means: accept it, or cancel."""
        record = TPrDlg(self.guest, dialog)
        if number in (_OK, _CANCEL):
            record.fDone, record.fDoIt = True, number == _OK

    @routine("FUNCTION PrDlgMain (hPrint: Handle; pDlgInit: ProcPtr): BOOLEAN")
    def use(self, handle: int, begin: int) -> bool:
        """Let the program change a dialog, and show it until one of its routines is done."""
        dialog = int(self.host.call_guest(begin, _INIT, handle)) & 0xFFFFFFFF
        if not dialog:
            return False
        record = TPrDlg(self.guest, dialog)
        self._window_manager.select_window(dialog)
        self._window_manager.show_window(dialog)
        while not record.fDone:
            number = self._dialog_events.wait_for_item(record.pFltrProc)
            self.host.call_guest(record.pItemProc, _ITEM, dialog, number)
        accepted, items = bool(record.fDoIt), record.Dlg.items
        self._dialog_manager.close_dialog(dialog)
        self._memory.dispose_handle(items)
        self._memory.dispose_pointer(dialog)
        return accepted
