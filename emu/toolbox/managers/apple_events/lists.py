"""Lists and records of Apple event descriptors.

Source: Inside Macintosh: Interapplication Communication, chapters 3 to 5.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.apple_events.data import AppleEventData
from emu.toolbox.managers.apple_events.descriptors import (
    LIST,
    RECORD,
    Container,
    Descriptor,
    Item,
)
from emu.toolbox.records.results import ResultCode

_NO_KEYWORD = "\0" * 4


class AppleEventLists(Manager):
    """Lists, whose items are counted from 1."""

    _data: AppleEventData

    def _nth(self, place: int, index: int) -> Item | None:
        container = self._data.container(place)
        items = container.items if container is not None else []
        return items[index - 1] if 1 <= index <= len(items) else None

    @routine(
        "FUNCTION AECreateList (factoringPtr: Ptr; factoredSize: Size; isRecord: BOOLEAN; "
        "VAR resultList: AEDesc): OSErr"
    )
    def create_list(self, prefix: int, size: int, is_record: bool, result: int) -> int:
        """Make an empty list or record; what its items begin with in common saves nothing here."""
        return self._data.store(
            result, Descriptor(RECORD if is_record else LIST, Container().data())
        )

    @routine("FUNCTION AECountItems (theAEDescList: AEDesc; VAR theCount: LONGINT): OSErr")
    def count(self, place: int, result: int) -> int:
        """How many items a list has."""
        container = self._data.container(place)
        if container is None:
            return ResultCode.errAEWrongDataType
        self.guest.put32(result, len(container.items))
        return 0

    def _put_nth(self, place: int, index: int, value: Descriptor) -> int:
        container = self._data.container(place)
        if container is None:
            return ResultCode.errAENotAEDesc
        if not 0 <= index <= len(container.items) + 1:
            return ResultCode.errAEIllegalIndex
        where = index - 1 if index else len(container.items)
        container.items[where : where + 1] = [Item(_NO_KEYWORD, value)]
        return self._data.change(place, container)

    @routine(
        "FUNCTION AEPutPtr (theAEDescList: AEDesc; index: LONGINT; typeCode: DescType; "
        "dataPtr: Ptr; dataSize: Size): OSErr"
    )
    def put_bytes(self, place: int, index: int, kind: str, data: int, size: int) -> int:
        """Put data into a list, at an index or, for 0, at its end."""
        return self._put_nth(place, index, self._data.bytes_at(kind, data, size))

    @routine("FUNCTION AEPutDesc (theAEDescList: AEDesc; index: LONGINT; theAEDesc: AEDesc): OSErr")
    def put_descriptor(self, place: int, index: int, value: int) -> int:
        """Put a descriptor into a list."""
        return self._put_nth(place, index, self._data.value(value))

    @routine(
        "FUNCTION AEGetNthPtr (theAEDescList: AEDesc; index: LONGINT; desiredType: DescType; "
        "VAR theAEKeyword: AEKeyword; VAR typeCode: DescType; dataPtr: Ptr; "
        "maximumSize: Size; VAR actualSize: Size): OSErr"
    )
    def get_nth_bytes(  # its heading has eight parameters
        self,
        place: int,
        index: int,
        wanted: str,
        keyword: int,
        kind: int,
        data: int,
        most: int,
        size: int,
    ) -> int:
        """Read an item of a list, counted from 1, into a buffer."""
        item = self._nth(place, index)
        if item is None:
            return ResultCode.errAEDescNotFound
        self.guest.write(keyword, item.keyword.encode("mac_roman"))
        return self._data.give_bytes(item.value, wanted, kind, data, most, size)

    @routine(
        "FUNCTION AEGetNthDesc (theAEDescList: AEDesc; index: LONGINT; desiredType: DescType; "
        "VAR theAEKeyword: AEKeyword; VAR result: AEDesc): OSErr"
    )
    def get_nth(self, place: int, index: int, wanted: str, keyword: int, result: int) -> int:
        """Copy an item of a list into a descriptor."""
        item = self._nth(place, index)
        if item is None:
            return ResultCode.errAEDescNotFound
        if keyword:
            self.guest.write(keyword, item.keyword.encode("mac_roman"))
        return self._data.give(item.value, wanted, result)

    @routine(
        "FUNCTION AESizeOfNthItem (theAEDescList: AEDesc; index: LONGINT; "
        "VAR typeCode: DescType; VAR dataSize: Size): OSErr"
    )
    def size_of_nth(self, place: int, index: int, kind: int, size: int) -> int:
        """Type and size of an item."""
        item = self._nth(place, index)
        return self._data.give_size(item.value if item is not None else None, kind, size)

    @routine("FUNCTION AEDeleteItem (theAEDescList: AEDesc; index: LONGINT): OSErr")
    def delete_item(self, place: int, index: int) -> int:
        """Take an item out of a list."""
        container = self._data.container(place)
        if container is None or not 1 <= index <= len(container.items):
            return ResultCode.errAEDescNotFound
        del container.items[index - 1]
        return self._data.change(place, container)
