"""Apple events and those who handle them.

A program whose 'SIZE' resource says that it understands high-level events gets "open application"
(oapp) when it starts, as from the Finder, or documents (`FinderDocuments`). There is no other
program, so an event that it sends reaches itself or nobody.
Sources: Inside Macintosh: Interapplication Communication, chapters 4 and 5; Macintosh Toolbox
Essentials, chapter 2 (high-level events in event records, the 'SIZE' resource).
"""

from __future__ import annotations

from collections import deque

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.apple_events.data import AppleEventData, event_of
from emu.toolbox.managers.apple_events.descriptors import (
    EVENT,
    LIST,
    NULL,
    WILD,
    Container,
    Descriptor,
    Item,
    find,
)
from emu.toolbox.managers.events.event import HIGH_LEVEL
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.processes.processes import ProcessManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import AEDesc, EventRecord

_VERSION = 0x01018000
"""Version 1.0.1, as a NumVersion."""
_SIZE_FLAGS_AWARE = 0x40
"""isHighLevelEventAware."""
_HANDLER = "FUNCTION Handler (theAppleEvent: Ptr; reply: Ptr; handlerRefcon: LONGINT): OSErr"
_INTERACT_WITH_SELF = 0
_OPEN_DOCUMENTS = b"odoc"
_STANDARD_DISPATCH = 0xFFFFFFFF
"""kAEUseStandardDispatch."""


class AppleEventManager(Manager):
    """Handlers, and the events that reach them."""

    _memory: MemoryManager
    _events: EventManager
    _data: AppleEventData
    _processes: ProcessManager

    def __post_init__(self) -> None:
        self._handlers: dict[tuple[str, str], tuple[int, int]] = {}
        self._current = 0
        self._suspended: set[int] = set()
        self._documents: deque[list[bytes]] = deque()
        self._interaction = _INTERACT_WITH_SELF

    def start(self) -> None:
        """Queue "open application", if no documents follow, for a program that understands it."""
        if self.are_understood and not self.host.settings.documents:
            self._post(b"oapp")

    # -- for other managers ------------------------------------------------------------------------

    @property
    def are_understood(self) -> bool:
        """Whether the program's 'SIZE' resource says that it understands high-level events."""
        resources = self.host.application.resources
        size = resources.find("SIZE", 0) or resources.find("SIZE", -1)
        return bool(size and len(size.data) > 1 and size.data[1] & _SIZE_FLAGS_AWARE)

    def open_documents(self, specs: list[bytes]) -> None:
        """Queue "open documents", with an FSSpec for each of them."""
        self._documents.append(specs)
        self._post(_OPEN_DOCUMENTS)

    def _post(self, number: bytes) -> None:
        kind, code = (int.from_bytes(text, "big") for text in (b"aevt", number))
        self._events.post(HIGH_LEVEL, kind, Point(code >> 16, code & 0xFFFF))

    # -- handlers ----------------------------------------------------------------------------------

    @routine(
        "FUNCTION AEInstallEventHandler (theAEEventClass: AEEventClass; "
        "theAEEventID: AEEventID; handler: ProcPtr; handlerRefcon: LONGINT; "
        "isSysHandler: BOOLEAN): OSErr"
    )
    def install(self, kind: str, number: str, handler: int, reference: int, system: bool) -> int:
        """Say who handles the events of a class and an ID."""
        self._handlers[kind, number] = handler, reference
        return 0

    @routine(
        "FUNCTION AERemoveEventHandler (theAEEventClass: AEEventClass; "
        "theAEEventID: AEEventID; handler: ProcPtr; isSysHandler: BOOLEAN): OSErr"
    )
    def remove(self, kind: str, number: str, handler: int, system: bool) -> int:
        """Take a handler away."""
        return 0 if self._handlers.pop((kind, number), None) else ResultCode.errAEHandlerNotFound

    @routine(
        "FUNCTION AEGetEventHandler (theAEEventClass: AEEventClass; theAEEventID: AEEventID; "
        "VAR handler: ProcPtr; VAR handlerRefcon: LONGINT; isSysHandler: BOOLEAN): OSErr"
    )
    def handler_of(self, kind: str, number: str, handler: int, reference: int, system: bool) -> int:
        """Who handles the events of a class and an ID."""
        entry = self._handlers.get((kind, number))
        if entry is None:
            return ResultCode.errAEHandlerNotFound
        self.guest.put32(handler, entry[0])
        self.guest.put32(reference, entry[1])
        return 0

    @routine("FUNCTION AEManagerInfo (keyWord: AEKeyword; VAR result: LONGINT): OSErr")
    def information(self, keyword: str, result: int) -> int:
        """The Apple Event Manager's version (vers), or how many record events (recr): nobody."""
        answer = {"vers": _VERSION, "recr": 0}.get(keyword)
        if answer is None:
            return ResultCode.paramErr
        self.guest.put32(result, answer)
        return 0

    # -- events ------------------------------------------------------------------------------------

    @routine("FUNCTION AEProcessAppleEvent (theEventRecord: Ptr): OSErr")
    def process(self, record: int) -> int:
        """Hand a high-level event to its handler; the handler's error code."""
        event = EventRecord(self.guest, record)
        place = event.where
        codes = (event.message, (place.v & 0xFFFF) << 16 | place.h & 0xFFFF)
        kind, number = (code.to_bytes(4, "big").decode("mac_roman") for code in codes)
        happening = event_of(kind, number, Descriptor(NULL))
        if number.encode("mac_roman") == _OPEN_DOCUMENTS and self._documents:
            happening = self._with_documents(happening, self._documents.popleft())
        return self._handle(happening, 0)

    def _with_documents(self, event: Descriptor, specs: list[bytes]) -> Descriptor:
        """An event whose direct parameter is a list of files."""
        items = [Item("\0" * 4, Descriptor("fss ", spec)) for spec in specs]
        container = Container.of(event.data)
        container.items.append(Item("----", Descriptor(LIST, Container(items=items).data())))
        return Descriptor(EVENT, container.data())

    def _handler_for(self, event: Descriptor) -> tuple[int, int] | None:
        """The address and the number of the handler that fits an event best."""
        attributes = Container.of(event.data).attributes
        codes = (find(attributes, "evcl"), find(attributes, "evid"))
        kind, number = (code.data.decode("mac_roman") if code else WILD for code in codes)
        names = ((kind, number), (kind, WILD), (WILD, number), (WILD, WILD))
        return next((self._handlers[name] for name in names if name in self._handlers), None)

    def _handle(self, event: Descriptor, reply: int) -> int:
        """Call the handler of an event; its reply goes to a descriptor, or is dropped for 0."""
        handler = self._handler_for(event)
        if handler is None:
            return ResultCode.errAEEventNotHandled
        place = self._memory.new_pointer(2 * AEDesc.size, clear=True)
        answer = reply or place + AEDesc.size
        self._data.store(place, event)
        self._data.store(answer, event_of("aevt", "ansr", Descriptor(NULL)))
        outer, self._current = self._current, place
        error = int(self.host.call_guest(handler[0], _HANDLER, place, answer, handler[1]))
        self._current = outer
        if AEDesc(self.guest, place).dataHandle not in self._suspended:
            self._data.dispose(place)
            if not reply:
                self._data.dispose(answer)
        self._memory.dispose_pointer(place)
        return error

    @routine(
        "FUNCTION AESend (theAppleEvent: AEDesc; VAR reply: AEDesc; sendMode: LONGINT; "
        "sendPriority: INTEGER; timeOutInTicks: LONGINT; idleProc: ProcPtr; "
        "filterProc: ProcPtr): OSErr"
    )
    def send(
        self, event: int, reply: int, mode: int, priority: int, ticks: int, idle: int, choose: int
    ) -> int:
        """Send an event: to the program itself it is handled at once; there is nobody else."""
        if reply:
            self._data.store(reply, Descriptor(NULL))
        container = self._data.container(event)
        target = find(container.attributes, "addr") if container is not None else None
        if target is None or not self._is_self(target):
            return ResultCode.procNotFound
        return self._handle(Descriptor(EVENT, self._data.value(event).data), reply)

    def _is_self(self, target: Descriptor) -> bool:
        if target.type == "psn ":
            place = self._memory.new_pointer(8)
            self.guest.write(place, target.data[:8].ljust(8, b"\0"))
            ours = self._processes.is_ours(place)
            self._memory.dispose_pointer(place)
            return ours
        creator = self.host.application.creator.encode("mac_roman", "replace")
        return target.type == "sign" and target.data == creator

    @routine(
        "FUNCTION AEInteractWithUser (timeOutInTicks: LONGINT; nmReqPtr: Ptr; "
        "idleProc: ProcPtr): OSErr"
    )
    def interact(self, ticks: int, request: int, idle: int) -> int:
        """Ask to talk with the user: the program is in front already."""
        return 0

    @routine("FUNCTION AESetInteractionAllowed (level: SignedByte): OSErr")
    def set_interaction(self, level: int) -> int:
        """Say whose events may talk with the user."""
        self._interaction = level & 0xFF
        return 0

    @routine("FUNCTION AEGetInteractionAllowed (VAR level: SignedByte): OSErr")
    def get_interaction(self, level: int) -> int:
        """Whose events may."""
        self.guest.put8(level, self._interaction)
        return 0

    @routine("FUNCTION AEGetTheCurrentEvent (VAR theAppleEvent: AEDesc): OSErr")
    def current(self, result: int) -> int:
        """The event that is being handled."""
        empty = AEDesc.copied(b"null").read()
        data = self.guest.read(self._current, AEDesc.size) if self._current else empty
        self.guest.write(result, data)
        return 0

    @routine("FUNCTION AEResetTimer (reply: AEDesc): OSErr")
    def reset_timer(self, reply: int) -> int:
        """Ask the sender for more time: it waits as long as needed."""
        return 0

    @routine("FUNCTION AESetTheCurrentEvent (theAppleEvent: AEDesc): OSErr")
    def set_current(self, event: int) -> int:
        """Say which event is being handled."""
        self._current = event
        return 0

    # -- events that wait --------------------------------------------------------------------------

    @routine("FUNCTION AESuspendTheCurrentEvent (theAppleEvent: AEDesc): OSErr")
    def suspend(self, event: int) -> int:
        """Keep an event and its reply when their handler returns, to be handled later."""
        self._suspended.add(AEDesc(self.guest, event).dataHandle)
        return 0

    @routine(
        "FUNCTION AEResumeTheCurrentEvent (theAppleEvent: AEDesc; reply: AEDesc; "
        "dispatcher: ProcPtr; handlerRefcon: LONGINT): OSErr"
    )
    def resume(self, event: int, reply: int, dispatcher: int, reference: int) -> int:
        """Handle a kept event by a routine, by its handler, or not at all, and forget it."""
        handle = AEDesc(self.guest, event).dataHandle
        if handle not in self._suspended:
            return ResultCode.paramErr
        error = 0
        if dispatcher == _STANDARD_DISPATCH:
            handler = self._handler_for(self._data.value(event))
            dispatcher, reference = handler or (0, 0)
            error = 0 if handler else ResultCode.errAEEventNotHandled
        if dispatcher:
            outer, self._current = self._current, event
            error = int(self.host.call_guest(dispatcher, _HANDLER, event, reply, reference))
            self._current = outer
        self._suspended.discard(handle)
        self._data.dispose(event)
        self._data.dispose(reply)
        return error
