"""The Text Services Manager of System 7.1, without any text service: what is typed needs no help.

A program that knows it says so, makes a document for each text, and hands it events first, which no
service takes. There is no input method, as for scripts other than those of East Asia.
Sources: Inside Macintosh: Text, chapter 7 "Text Services Manager"; the routines' numbers are those
of Apple's header TextServices.h of 1992, which is among the sources of the ROM of 1994.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.desktop import Desktop
from emu.toolbox.managers.windows.manager import WindowManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.windows import WindowRecord

_Method = TypeVar("_Method", bound=Callable[..., Any])
_INTERFACE = int.from_bytes(b"tsvc", "big")
_DOCUMENT_SIZE = 4
_ROMAN_ENGLISH = bytes(4)


def _service(heading: str, selector: int) -> Callable[[_Method], _Method]:
    """Declare a routine of TSMDispatch."""
    return routine(heading, trap=0xAA54, selector=("D0", selector))


class TextServices(Manager):
    """Keeps a program's documents."""

    _memory: MemoryManager
    _windows: WindowAccess
    _window_manager: WindowManager
    _desktop: Desktop

    def __post_init__(self) -> None:
        self._floating: set[int] = set()
        self._is_aware = False
        self._documents: dict[int, bool] = {}  # whether each is active

    @_service("FUNCTION InitTSMAwareApplication: OSErr", 20)
    def start_application(self) -> int:
        """Say that the program knows text services."""
        if self._is_aware:
            return ResultCode.tsmAlreadyRegisteredErr
        self._is_aware = True
        return 0

    @_service("FUNCTION CloseTSMAwareApplication: OSErr", 21)
    def end_application(self) -> int:
        """Say that it does not need them any more."""
        if not self._is_aware:
            return ResultCode.tsmNeverRegisteredErr
        if self._documents:
            return ResultCode.tsmDocumentOpenErr
        self._is_aware = False
        return 0

    # -- documents ---------------------------------------------------------------------------------

    @_service(
        "FUNCTION NewTSMDocument (numOfInterface: INTEGER; supportedInterfaceTypes: Ptr; "
        "VAR idocID: Handle; refcon: LONGINT): OSErr",
        0,
    )
    def new_document(self, count: int, kinds: int, result: int, constant: int) -> int:
        """Make a document, which becomes active when the program says so."""
        self.guest.put32(result, 0)
        if count != 1 or self.guest.u32(kinds) != _INTERFACE:
            return ResultCode.tsmUnsupportedTypeErr
        if not self._is_aware:
            return ResultCode.tsmNeverRegisteredErr
        document = self._memory.new_handle(_DOCUMENT_SIZE, clear=True)
        if not document:
            return ResultCode.memFullErr
        self._documents[document] = False
        self.guest.put32(result, document)
        return 0

    def _activate(self, document: int, active: bool) -> int:
        if document not in self._documents:
            return ResultCode.tsmInvalidDocIDErr
        self._documents[document] = active
        return 0

    @_service("FUNCTION DeleteTSMDocument (idocID: Handle): OSErr", 1)
    def delete_document(self, document: int) -> int:
        """Be done with a document."""
        if self._documents.pop(document, None) is None:
            return ResultCode.tsmInvalidDocIDErr
        self._memory.dispose_handle(document)
        return 0

    @_service("FUNCTION ActivateTSMDocument (idocID: Handle): OSErr", 2)
    def activate_document(self, document: int) -> int:
        """Say that its window is in front; the one that was active is not any more."""
        if document in self._documents:
            self._documents = dict.fromkeys(self._documents, False)
        return self._activate(document, True)

    @_service("FUNCTION DeactivateTSMDocument (idocID: Handle): OSErr", 3)
    def deactivate_document(self, document: int) -> int:
        """Say that it is not."""
        if self._documents.get(document) is False:
            return ResultCode.tsmDocNotActiveErr
        return self._activate(document, False)

    @_service("FUNCTION FixTSMDocument (idocID: Handle): OSErr", 7)
    def fix_document(self, document: int) -> int:
        """Have what is being typed accepted: nothing is."""
        if document not in self._documents:
            return ResultCode.tsmInvalidDocIDErr
        return 0 if self._documents[document] else ResultCode.tsmDocNotActiveErr

    @_service("FUNCTION UseInputWindow (idocID: Handle; useWindow: BOOLEAN): OSErr", 16)
    def use_input_window(self, document: int, window: bool) -> int:
        """Say whether typing appears in a window of its own, for one document or for all (nil)."""
        return 0 if not document or document in self._documents else ResultCode.paramErr

    # -- events ------------------------------------------------------------------------------------

    @_service("FUNCTION TSMEvent (event: Ptr): BOOLEAN", 4)
    def event(self, event: int) -> bool:
        """Whether a service has taken an event: there is none."""
        return False

    @_service("FUNCTION TSMMenuSelect (menuResult: LONGINT): BOOLEAN", 5)
    def menu_select(self, choice: int) -> bool:
        """Whether a service has taken a choice from a menu."""
        return False

    @_service("FUNCTION SetTSMCursor (mousePos: Point): BOOLEAN", 6)
    def set_cursor(self, place: Point) -> bool:
        """Whether a service has set the cursor."""
        return False

    # -- services ----------------------------------------------------------------------------------

    @_service(
        "FUNCTION OpenTextService (idocID: Handle; aComponent: Ptr; VAR aInstance: Ptr): OSErr", 9
    )
    def open_service(self, document: int, component: int, instance: int) -> int:
        """Open a service for a document: there is none."""
        self.guest.put32(instance, 0)
        known = document in self._documents
        return ResultCode.tsmCantOpenComponentErr if known else ResultCode.tsmInvalidDocIDErr

    @_service("FUNCTION CloseTextService (idocID: Handle; aInstance: Ptr): OSErr", 10)
    def close_service(self, document: int, instance: int) -> int:
        """Close one: none is open."""
        known = document in self._documents
        return ResultCode.tsmNoOpenTSErr if known else ResultCode.tsmInvalidDocIDErr

    @_service("FUNCTION SetDefaultInputMethod (ts: Ptr; slRecPtr: Ptr): OSErr", 12)
    @_service("FUNCTION GetDefaultInputMethod (ts: Ptr; slRecPtr: Ptr): OSErr", 13)
    def input_method(self, service: int, language: int) -> int:
        """The input method of a language: English has none, and no other is there."""
        return ResultCode.tsmScriptHasNoIMErr

    @_service("FUNCTION SetTextServiceLanguage (slRecPtr: Ptr): OSErr", 14)
    def set_language(self, language: int) -> int:
        """Choose the language of typing: only English in the Roman script is there."""
        is_known = self.guest.read(language, 4) == _ROMAN_ENGLISH
        return 0 if is_known else ResultCode.paramErr

    @_service("FUNCTION GetTextServiceLanguage (slRecPtr: Ptr): OSErr", 15)
    def language(self, language: int) -> int:
        """Script and language of typing."""
        self.guest.write(language, _ROMAN_ENGLISH)
        return 0

    # -- windows -----------------------------------------------------------------------------------

    @_service(
        "FUNCTION NewServiceWindow (wStorage: Ptr; boundsRect: Rect; title: Str255; "
        "visible: BOOLEAN; theProc: INTEGER; behind: WindowPtr; goAwayFlag: BOOLEAN; ts: Ptr; "
        "VAR window: WindowPtr): OSErr",
        17,
    )
    def new_window(self, storage: int, *parameters: int) -> int:
        """Make a window that floats; here it is among the program's other windows."""
        *described, result = parameters
        if not self._windows.ready:  # the Window Manager of the services' own layer is
            self._desktop.init_windows()
        window = self._window_manager.new_window(storage, *described)
        self.guest.put32(result, window)
        self._floating.add(window)
        return 0 if window else ResultCode.memFullErr

    @_service("FUNCTION CloseServiceWindow (window: WindowPtr): OSErr", 18)
    def close_window(self, window: int) -> int:
        """Take such a window from the screen."""
        if window not in self._floating:
            return ResultCode.paramErr
        self._floating.remove(window)
        self._window_manager.close_window(window)
        return 0

    @_service("FUNCTION GetFrontServiceWindow (VAR window: WindowPtr): OSErr", 19)
    def front_window(self, window: int) -> int:
        """The front one of these windows that can be seen, or nil."""
        seen = (w for w in self._windows.all() if WindowRecord(self.guest, w).visible)
        self.guest.put32(window, next((w for w in seen if w in self._floating), 0))
        return 0

    @_service("FUNCTION FindServiceWindow (thePoint: Point; VAR theWindow: WindowPtr): INTEGER", 23)
    def find_window(self, place: Point, result: int) -> int:
        """The part of such a window at a place; 0, the desk, with nil, if there is none."""
        part, window = self._windows.at(place)
        is_floating = window in self._floating
        self.guest.put32(result, window if is_floating else 0)
        return int(part) if is_floating else 0
