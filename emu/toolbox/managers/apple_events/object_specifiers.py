"""Object specifiers: descriptions of what an event is about, such as the second word of a text.

Sources: Inside Macintosh: Interapplication Communication, chapter 6 (what the records contain);
Apple's AEObjects.h and AEPackObject.h (four-character codes, parameters).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.apple_events.data import AppleEventData
from emu.toolbox.managers.apple_events.descriptors import NULL, Container, Descriptor, Item, find

OBJECT, COMPARISON, LOGICAL, RANGE = "obj ", "cmpd", "logi", "rang"
EXAMINED, CURRENT_CONTAINER = "exmn", "ccnt"
"""What stands in a test for the object that is tested, and in a range for what it is part of."""


@dataclass(frozen=True, slots=True)
class ObjectSpecifier:
    """The parts of an object specifier.

    Attributes:
        desired: the class of the object.
        container: what the object is in: another specifier, or null for the program itself.
        form: how the data choose it among its like: by index, by name, by a test.
        data: an index, a name, a test.
    """

    desired: str
    container: Descriptor
    form: str
    data: Descriptor

    @classmethod
    def of(cls, value: Descriptor) -> ObjectSpecifier | None:
        """The parts of a descriptor; None if it is no object specifier."""
        items = parts_of(value, OBJECT)
        desired, form = code_in(items, "want"), code_in(items, "form")
        container, data = find(items, "from"), find(items, "seld")
        if not desired or not form or container is None or data is None:
            return None
        return cls(desired, container, form, data)


def parts_of(value: Descriptor, kind: str) -> list[Item]:
    """The items of a record of a kind; none if it is another one, or damaged."""
    if value.type != kind:
        return []
    try:
        return Container.of(value.data).items
    except ValueError:
        return []


def code_in(items: list[Item], keyword: str) -> str:
    """The four characters under a keyword; "" if there are none."""
    value = find(items, keyword)
    return value.data.decode("mac_roman") if value is not None and len(value.data) == 4 else ""


def _code(kind: str, code: str) -> Descriptor:
    return Descriptor(kind, code.encode("mac_roman"))


class ObjectSpecifiers(Manager):
    """Makes object specifiers and their parts from descriptors."""

    _data: AppleEventData

    def _make(
        self, result: int, kind: str, dispose: bool, parts: dict[str, Descriptor | int]
    ) -> int:
        """Store a record; its parts are descriptors, or addresses of such, which may be freed."""
        items = []
        for keyword, part in parts.items():
            value = part if isinstance(part, Descriptor) else self._value(part)
            items.append(Item(keyword, value))
        if dispose:
            for part in parts.values():
                if isinstance(part, int) and part:
                    self._data.dispose(part)
        return self._data.store(result, Descriptor(kind, Container(items=items).data()))

    def _value(self, place: int) -> Descriptor:
        return self._data.value(place) if place else Descriptor(NULL)

    @routine(
        "FUNCTION CreateOffsetDescriptor (theOffset: LONGINT; VAR theDescriptor: AEDesc): OSErr"
    )
    def create_offset(self, offset: int, result: int) -> int:
        """Make a descriptor of an index."""
        return self._data.store(result, Descriptor("long", offset.to_bytes(4, "big", signed=True)))

    @routine(
        "FUNCTION CreateObjSpecifier (desiredClass: DescType; VAR theContainer: AEDesc; "
        "keyForm: DescType; VAR keyData: AEDesc; disposeInputs: BOOLEAN; "
        "VAR objSpecifier: AEDesc): OSErr"
    )
    def create_specifier(
        self, desired: str, container: int, form: str, data: int, dispose: bool, result: int
    ) -> int:
        """Make an object specifier."""
        parts: dict[str, Descriptor | int] = {
            "want": _code("type", desired),
            "from": container,
            "form": _code("enum", form),
            "seld": data,
        }
        return self._make(result, OBJECT, dispose, parts)

    @routine(
        "FUNCTION CreateCompDescriptor (comparisonOperator: DescType; VAR operand1: AEDesc; "
        "VAR operand2: AEDesc; disposeInputs: BOOLEAN; VAR theDescriptor: AEDesc): OSErr"
    )
    def create_comparison(
        self, operator: str, first: int, second: int, dispose: bool, result: int
    ) -> int:
        """Make a test that compares two things."""
        parts: dict[str, Descriptor | int] = {
            "relo": _code("enum", operator),
            "obj1": first,
            "obj2": second,
        }
        return self._make(result, COMPARISON, dispose, parts)

    @routine(
        "FUNCTION CreateLogicalDescriptor (VAR theLogicalTerms: AEDesc; "
        "theLogicOperator: DescType; disposeInputs: BOOLEAN; VAR theDescriptor: AEDesc): OSErr"
    )
    def create_logical(self, terms: int, operator: str, dispose: bool, result: int) -> int:
        """Make a test of a list of tests."""
        parts: dict[str, Descriptor | int] = {"logc": _code("enum", operator), "term": terms}
        return self._make(result, LOGICAL, dispose, parts)

    @routine(
        "FUNCTION CreateRangeDescriptor (VAR rangeStart: AEDesc; VAR rangeStop: AEDesc; "
        "disposeInputs: BOOLEAN; VAR theDescriptor: AEDesc): OSErr"
    )
    def create_range(self, start: int, stop: int, dispose: bool, result: int) -> int:
        """Make the data of a range: its first and its last object."""
        return self._make(result, RANGE, dispose, {"star": start, "stop": stop})
