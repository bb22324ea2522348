"""Handlers that are not of events: coercions, and procedures for other purposes.

They are kept for the program, which may ask for them. None is called: only the System's coercions
are done here. A program that calls AEObjectInit contains a
library for object specifiers, which keeps tables of handlers by four routines that Inside Macintosh
does not describe.
Sources: Inside Macintosh: Interapplication Communication, chapters 4 and 6; for the tables the
multiversal interfaces (names, selectors and parameters; some parameters have no name there).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode

_EVENT_RECORDS = (0x154, 0x17C)  # the places of two handles in what ExpandMem points to


class AppleEventHandlers(Manager):
    """Keeps coercions and special procedures."""

    def __post_init__(self) -> None:
        self._special: dict[tuple[str, bool], int] = {}
        self._coercions: dict[tuple[str, str, bool], tuple[int, int, bool]] = {}

    # -- special purposes --------------------------------------------------------------------------

    @routine(
        "FUNCTION AEInstallSpecialHandler (functionClass: AEKeyword; handler: ProcPtr; "
        "isSysHandler: BOOLEAN): OSErr"
    )
    def install_special(self, kind: str, handler: int, system: bool) -> int:
        """Take note of a procedure for special purposes; nothing here calls one."""
        self._special[kind, system] = handler
        return 0

    @routine(
        "FUNCTION AERemoveSpecialHandler (functionClass: AEKeyword; handler: ProcPtr; "
        "isSysHandler: BOOLEAN): OSErr"
    )
    def remove_special(self, kind: str, handler: int, system: bool) -> int:
        """Forget it."""
        return 0 if self._special.pop((kind, system), None) else ResultCode.errAEHandlerNotFound

    @routine(
        "FUNCTION AEGetSpecialHandler (functionClass: AEKeyword; VAR handler: ProcPtr; "
        "isSysHandler: BOOLEAN): OSErr"
    )
    def get_special(self, kind: str, handler: int, system: bool) -> int:
        """Tell it."""
        special = self._special.get((kind, system))
        if special is None:
            return ResultCode.errAEHandlerNotFound
        self.guest.put32(handler, special)
        return 0

    # -- coercions ---------------------------------------------------------------------------------

    @routine(
        "FUNCTION AEInstallCoercionHandler (fromType: DescType; toType: DescType; "
        "handler: ProcPtr; handlerRefcon: LONGINT; fromTypeIsDesc: BOOLEAN; "
        "isSysHandler: BOOLEAN): OSErr"
    )
    def install_coercion(
        self, source: str, target: str, handler: int, reference: int, whole: bool, system: bool
    ) -> int:
        """Take note of a coercion of the program's own; only the system's are done here."""
        self._coercions[source, target, system] = handler, reference, whole
        return 0

    @routine(
        "FUNCTION AERemoveCoercionHandler (fromType: DescType; toType: DescType; "
        "handler: ProcPtr; isSysHandler: BOOLEAN): OSErr"
    )
    def remove_coercion(self, source: str, target: str, handler: int, system: bool) -> int:
        """Forget a coercion; the handler may be nil, for whichever there is."""
        kept = self._coercions.get((source, target, system))
        if kept is None or handler not in (0, kept[0]):
            return ResultCode.errAEHandlerNotFound
        del self._coercions[source, target, system]
        return 0

    @routine(
        "FUNCTION AEGetCoercionHandler (fromType: DescType; toType: DescType; "
        "VAR handler: ProcPtr; VAR handlerRefcon: LONGINT; VAR fromTypeIsDesc: BOOLEAN; "
        "isSysHandler: BOOLEAN): OSErr"
    )
    def get_coercion(
        self, source: str, target: str, handler: int, reference: int, whole: int, system: bool
    ) -> int:
        """Tell a coercion of the program's."""
        kept = self._coercions.get((source, target, system))
        if kept is None:
            return ResultCode.errAEHandlerNotFound
        self.guest.put32(handler, kept[0])
        self.guest.put32(reference, kept[1])
        self.guest.put8(whole, kept[2])
        return 0


class AppleEventTables(Manager):
    """Tables of handlers, each found by two words."""

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._tables: dict[int, dict[bytes, bytes]] = {}

    def start(self) -> None:
        """Put the Apple Event Manager's two records behind ExpandMem, without tables yet.

        The library for object specifiers keeps the handles of its tables in them, at 8. Where it
        looks for them is read from the code of programs that contain it.
        """
        guest, expanded = self.guest, LowMemory.EXPANDED
        guest.put32(LowMemory.EXPANDED_MEMORY, expanded)
        for number, place in enumerate(_EVENT_RECORDS):
            master = LowMemory.EVENT_RECORD_MASTERS + 4 * number
            guest.put32(expanded + place, master)
            record = LowMemory.EVENT_RECORDS + LowMemory.EVENT_RECORD_SIZE * number
            guest.put32(master, record)

    @routine(
        "FUNCTION _AE_hdlr_table_alloc (unknown1,unknown2,unknown3: LONGINT; "
        "unknown4: SignedByte; VAR table: Handle): OSErr"
    )
    def allocate(self, first: int, second: int, third: int, fourth: int, result: int) -> int:
        """Make an empty table."""
        handle = self._memory.new_handle(4, clear=True)
        if not handle:
            return ResultCode.memFullErr
        self._tables[handle] = {}
        self.guest.put32(result, handle)
        return 0

    @routine(
        "FUNCTION _AE_hdlr_install (table: Handle; unknown: LONGINT; selector: Ptr; "
        "handler: Ptr): OSErr"
    )
    @routine(
        "FUNCTION _AE_hdlr_insert (table: Handle; unknown: LONGINT; selector: Ptr; "
        "handler: Ptr): OSErr",
        trap=0xA816,
        selector=("D0", 0x830),
        architecture="m68k",
    )
    def install(self, table: int, unknown: int, key: int, handler: int) -> int:
        """Store a handler, which is an address and a word, under two words.

        Executor has the first form. The second is that of the library in RightWord and the
        installer of TextToHTML, which store with it what an empty table is to have.
        """
        if table not in self._tables:
            return ResultCode.paramErr
        self._tables[table][self.guest.read(key, 8)] = self.guest.read(handler, 8)
        return 0

    @routine(
        "FUNCTION _AE_hdlr_lookup (table: Handle; unknown: LONGINT; selector: Ptr; "
        "VAR handler: Ptr): OSErr"
    )
    def look_up(self, table: int, unknown: int, key: int, result: int) -> int:
        """The handler under two words."""
        tables = self._tables.get(table, {}).get(self.guest.read(key, 8))
        if tables is None:
            return ResultCode.errAEHandlerNotFound
        self.guest.write(result, tables)
        return 0

    @routine("FUNCTION _AE_hdlr_delete (table: Handle; unknown: LONGINT; selector: Ptr): OSErr")
    def delete(self, table: int, unknown: int, key: int) -> int:
        """Take a handler away."""
        pop = self._tables.get(table, {}).pop(self.guest.read(key, 8), None)
        return 0 if pop is not None else ResultCode.errAEHandlerNotFound
