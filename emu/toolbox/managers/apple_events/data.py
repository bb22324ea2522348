"""Apple event descriptors in guest memory: making, reading and taking them apart.

Source: Inside Macintosh: Interapplication Communication, chapters 3 to 5.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.apple_events.descriptors import (
    CONTAINERS,
    EVENT,
    NULL,
    Container,
    Descriptor,
    Item,
    coerced,
    find,
    put,
)
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import AEDesc


class AppleEventData(Manager):
    """Descriptors, and the parameters and attributes of events."""

    _memory: MemoryManager

    # -- for other managers ------------------------------------------------------------------------

    def value(self, place: int) -> Descriptor:
        """The descriptor at an address; of type null if it has no data."""
        record = AEDesc(self.guest, place)
        kind, handle = record.descriptorType.decode("mac_roman"), record.dataHandle
        return Descriptor(kind, self._memory.contents(handle) if handle else b"")

    def store(self, place: int, value: Descriptor) -> int:
        """Make the descriptor at an address this value, in a new handle; an error code."""
        record = AEDesc(self.guest, place)
        record.descriptorType = value.type.encode("mac_roman")
        empty = not value.data and value.type == NULL
        record.dataHandle = 0 if empty else self._memory.handle_from(value.data)
        return 0

    def dispose(self, place: int) -> int:
        """Free the data of the descriptor at an address, which becomes one of type null."""
        record = AEDesc(self.guest, place)
        if record.dataHandle:
            self._memory.dispose_handle(record.dataHandle)
        record.dataHandle, record.descriptorType = 0, NULL.encode("ascii")
        return 0

    def container(self, place: int) -> Container | None:
        """What the list, record or event at an address contains; None if it is none of them."""
        value = self.value(place)
        try:
            return Container.of(value.data) if value.type in CONTAINERS else None
        except ValueError as error:
            raise self.host.stopped(f"the Apple event at 0x{place:08x}: {error}") from error

    def change(self, place: int, container: Container) -> int:
        """Store what a list, record or event contains now; an error code."""
        self._memory.set_contents(AEDesc(self.guest, place).dataHandle, container.data())
        return 0

    def _item(self, place: int, keyword: str, *, attribute: bool = False) -> Descriptor | None:
        container = self.container(place)
        if container is None:
            return None
        return find(container.attributes if attribute else container.items, keyword)

    def give(self, value: Descriptor | None, wanted: str, result: int) -> int:
        """Store a value as a descriptor of the type that is wanted."""
        if value is None:
            return ResultCode.errAEDescNotFound
        got = coerced(value, wanted)
        return ResultCode.errAECoercionFail if got is None else self.store(result, got)

    def give_bytes(
        self, value: Descriptor | None, wanted: str, kind: int, place: int, most: int, size: int
    ) -> int:
        """Store the data of a value in a buffer."""
        if value is None:
            return ResultCode.errAEDescNotFound
        got = coerced(value, wanted)
        if got is None:
            return ResultCode.errAECoercionFail
        self.guest.write(kind, got.type.encode("mac_roman"))
        self.guest.write(place, got.data[: max(most, 0)])
        self.guest.put32(size, len(got.data))
        return 0

    def give_size(self, value: Descriptor | None, kind: int, size: int) -> int:
        """Store the type and the size of a value."""
        if value is None:
            return ResultCode.errAEDescNotFound
        self.guest.write(kind, value.type.encode("mac_roman"))
        self.guest.put32(size, len(value.data))
        return 0

    def _put(self, place: int, keyword: str, value: Descriptor, *, attribute: bool = False) -> int:
        container = self.container(place)
        if container is None:
            return ResultCode.errAEWrongDataType
        put(container.attributes if attribute else container.items, keyword, value)
        return self.change(place, container)

    def bytes_at(self, kind: str, place: int, size: int) -> Descriptor:
        """Make a value of data in guest memory."""
        return Descriptor(kind, self.guest.read(place, size) if size > 0 else b"")

    # -- descriptors -------------------------------------------------------------------------------

    @routine(
        "FUNCTION AECreateDesc (typeCode: DescType; dataPtr: Ptr; dataSize: Size; "
        "VAR result: AEDesc): OSErr"
    )
    def create(self, kind: str, place: int, size: int, result: int) -> int:
        """Make a descriptor of a copy of data."""
        return self.store(result, self.bytes_at(kind, place, size))

    @routine("FUNCTION AEDisposeDesc (VAR theAEDesc: AEDesc): OSErr")
    def dispose_descriptor(self, place: int) -> int:
        """Free the data of a descriptor."""
        return self.dispose(place)

    @routine("FUNCTION AEDuplicateDesc (theAEDesc: AEDesc; VAR result: AEDesc): OSErr")
    def duplicate(self, place: int, result: int) -> int:
        """Copy a descriptor and its data."""
        return self.store(result, self.value(place))

    @routine(
        "FUNCTION AECoerceDesc (theAEDesc: AEDesc; toType: DescType; VAR result: AEDesc): OSErr"
    )
    def coerce(self, place: int, wanted: str, result: int) -> int:
        """Make a descriptor of another type."""
        return self.give(self.value(place), wanted, result)

    @routine(
        "FUNCTION AECoercePtr (typeCode: DescType; dataPtr: Ptr; dataSize: Size; "
        "toType: DescType; VAR result: AEDesc): OSErr"
    )
    def coerce_bytes(self, kind: str, place: int, size: int, wanted: str, result: int) -> int:
        """Make a descriptor of another type than data have."""
        return self.give(self.bytes_at(kind, place, size), wanted, result)

    # -- parameters and attributes -----------------------------------------------------------------

    @routine(
        "FUNCTION AEPutParamPtr (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "typeCode: DescType; dataPtr: Ptr; dataSize: Size): OSErr"
    )
    def put_parameter_bytes(self, event: int, keyword: str, kind: str, data: int, size: int) -> int:
        """Give an event or a record a parameter."""
        return self._put(event, keyword, self.bytes_at(kind, data, size))

    @routine(
        "FUNCTION AEPutParamDesc (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "theAEDesc: AEDesc): OSErr"
    )
    def put_parameter(self, event: int, keyword: str, value: int) -> int:
        """The same, from a descriptor."""
        return self._put(event, keyword, self.value(value))

    @routine(
        "FUNCTION AEGetParamPtr (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "desiredType: DescType; VAR typeCode: DescType; dataPtr: Ptr; maximumSize: Size; "
        "VAR actualSize: Size): OSErr"
    )
    def get_parameter_bytes(
        self, event: int, keyword: str, wanted: str, kind: int, data: int, most: int, size: int
    ) -> int:
        """Read a parameter into a buffer; errAEDescNotFound if the event does not have it."""
        return self.give_bytes(self._item(event, keyword), wanted, kind, data, most, size)

    @routine(
        "FUNCTION AEGetParamDesc (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "desiredType: DescType; VAR result: AEDesc): OSErr"
    )
    def get_parameter(self, event: int, keyword: str, wanted: str, result: int) -> int:
        """Copy a parameter into a descriptor."""
        return self.give(self._item(event, keyword), wanted, result)

    @routine(
        "FUNCTION AESizeOfParam (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "VAR typeCode: DescType; VAR dataSize: Size): OSErr"
    )
    def size_of_parameter(self, event: int, keyword: str, kind: int, size: int) -> int:
        """Type and size of a parameter."""
        return self.give_size(self._item(event, keyword), kind, size)

    @routine("FUNCTION AEDeleteParam (theAppleEvent: AEDesc; theAEKeyword: AEKeyword): OSErr")
    def delete_parameter(self, event: int, keyword: str) -> int:
        """Take a parameter away."""
        container = self.container(event)
        if container is None or find(container.items, keyword) is None:
            return ResultCode.errAEDescNotFound
        container.items[:] = [item for item in container.items if item.keyword != keyword]
        return self.change(event, container)

    @routine(
        "FUNCTION AEGetAttributePtr (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "desiredType: DescType; VAR typeCode: DescType; dataPtr: Ptr; maximumSize: Size; "
        "VAR actualSize: Size): OSErr"
    )
    def get_attribute_bytes(
        self, event: int, keyword: str, wanted: str, kind: int, data: int, most: int, size: int
    ) -> int:
        """Read an attribute into a buffer; errAEDescNotFound for one that is not there.

        For 'miss', a parameter that was required and not read, that means: there is none.
        """
        value = self._item(event, keyword, attribute=True)
        return self.give_bytes(value, wanted, kind, data, most, size)

    @routine(
        "FUNCTION AEGetAttributeDesc (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "desiredType: DescType; VAR result: AEDesc): OSErr"
    )
    def get_attribute(self, event: int, keyword: str, wanted: str, result: int) -> int:
        """Copy an attribute into a descriptor."""
        return self.give(self._item(event, keyword, attribute=True), wanted, result)

    @routine(
        "FUNCTION AEPutAttributePtr (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "typeCode: DescType; dataPtr: Ptr; dataSize: Size): OSErr"
    )
    def put_attribute_bytes(self, event: int, keyword: str, kind: str, data: int, size: int) -> int:
        """Give an event an attribute."""
        return self._put(event, keyword, self.bytes_at(kind, data, size), attribute=True)

    @routine(
        "FUNCTION AEPutAttributeDesc (theAppleEvent: AEDesc; theAEKeyword: AEKeyword; "
        "theAEDesc: AEDesc): OSErr"
    )
    def put_attribute(self, event: int, keyword: str, value: int) -> int:
        """The same, from a descriptor."""
        return self._put(event, keyword, self.value(value), attribute=True)

    @routine(
        "FUNCTION AECreateAppleEvent (theAEEventClass: AEEventClass; theAEEventID: AEEventID; "
        "target: AEDesc; returnID: INTEGER; transactionID: LONGINT; VAR result: AEDesc): OSErr"
    )
    def create_event(
        self, kind: str, number: str, target: int, answer: int, transaction: int, result: int
    ) -> int:
        """Make an event without parameters."""
        address = self.value(target) if target else Descriptor(NULL)
        return self.store(result, event_of(kind, number, address, answer, transaction))


def event_of(
    kind: str, number: str, target: Descriptor, answer: int = 0, transaction: int = 0
) -> Descriptor:
    """An event of a class and an ID, without parameters."""
    attributes = {
        "evcl": Descriptor("type", kind.encode("mac_roman")),
        "evid": Descriptor("type", number.encode("mac_roman")),
        "addr": target,
        "rtid": Descriptor("long", (answer & 0xFFFFFFFF).to_bytes(4, "big")),
        "tran": Descriptor("long", (transaction & 0xFFFFFFFF).to_bytes(4, "big")),
        "timo": Descriptor("long", bytes(4)),
        "inte": Descriptor("long", bytes(4)),
        "esrc": Descriptor("shor", b"\0\4"),
    }
    items = [Item(keyword, value) for keyword, value in attributes.items()]
    return Descriptor(EVENT, Container(attributes=items).data())
