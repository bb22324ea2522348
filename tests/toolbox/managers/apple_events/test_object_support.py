"""Object specifiers: what they describe is found by routines of the program, step by step."""

from __future__ import annotations

from typing import Any

import pytest

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.apple_events.descriptors import Container, Descriptor, Item
from emu.toolbox.records.system import AEDesc
from tests.toolbox.conftest import do, run_code

NO_ACCESSOR, NO_LOGICAL, BAD_TEST, NO_SPECIFIER, NO_OBJECT = -1723, -1725, -1726, -1727, -1728
ACCESSOR, COMPARE, COUNT, DISPOSE = 0x1001, 0x1003, 0x1005, 0x1007
TEXT = b"one three five eleven"


def parts(record: Descriptor) -> list[Item]:
    return Container.of(record.data).items


class Words:
    """A program that has one text, whose words and characters can be described.

    A token of type 'word' or 'char' holds the thing itself; the program's routines are Python.
    """

    def __init__(self, mac: Macintosh) -> None:
        self.mac, self.data = mac, mac.managers["apple_event_data"]
        self.asked: list[tuple[str, bytes, str, str]] = []
        mac.host.call_guest = self.call
        for kind in ("null", "word"):
            do(mac, "AEInstallObjectAccessor", "****", kind, ACCESSOR, 7, False)
        do(mac, "AESetObjectCallbacks", COMPARE, COUNT, DISPOSE, 0, 0, 0, 0)

    def call(self, address: int, heading: str, *values: Any, registers: str | None = None) -> int:
        return {ACCESSOR: self.access, COMPARE: self.compare, COUNT: self.count}.get(
            address, lambda *_: -1708
        )(*values)

    def parts(self, desired: str, token: Descriptor) -> list[bytes]:
        text = TEXT if token.type == "null" else token.data
        return text.split() if desired == "word" else [text[n : n + 1] for n in range(len(text))]

    def access(self, desired: str, token: int, inside: str, form: str, key: int, result: int,
               reference: int) -> int:  # fmt: skip
        assert reference == 7
        container, data = self.data.value(token), self.data.value(key)
        self.asked.append((desired, container.data, inside, form))
        parts = self.parts(desired, container)
        if form == "rang":
            ends = [parts.index(item.value.data) for item in Container.of(data.data).items]
            found = b" ".join(parts[ends[0] : ends[1] + 1])
            return int(self.data.store(result, Descriptor(desired, found)))
        index = int.from_bytes(data.data, "big")
        if not 1 <= index <= len(parts):
            return NO_OBJECT
        return int(self.data.store(result, Descriptor(desired, parts[index - 1])))

    def compare(self, operator: str, one: int, other: int, result: int) -> int:
        assert operator == "=   "
        self.mac.guest.put8(result, self.data.value(one).data == self.data.value(other).data)
        return 0

    def count(self, desired: str, inside: str, token: int, result: int) -> int:
        self.mac.guest.put32(result, len(self.parts(desired, self.data.value(token))))
        return 0

    # -- descriptions ------------------------------------------------------------------------------

    def place(self, value: Descriptor) -> int:
        place = self.mac.memory.new_pointer(AEDesc.size, clear=True)
        self.data.store(place, value)
        return place

    def specifier(self, desired: str, container: int, form: str, key: Descriptor) -> int:
        result = self.place(Descriptor("null"))
        arguments = (desired, container, form, self.place(key), True, result)
        assert do(self.mac, "CreateObjSpecifier", *arguments) == 0
        return result

    def nth(self, desired: str, index: int, container: int | None = None) -> int:
        outer = self.place(Descriptor("null")) if container is None else container
        key = self.place(Descriptor("null"))
        assert do(self.mac, "CreateOffsetDescriptor", index, key) == 0
        return self.specifier(desired, outer, "indx", self.data.value(key))

    def begins_with(self, letter: bytes, operator: str = "") -> Descriptor:
        """The test whether the first character of the word that is examined is a letter."""
        first, result = self.nth("char", 1, self.place(Descriptor("exmn"))), self.nth("word", 1)
        arguments = ("=   ", first, self.place(Descriptor("TEXT", letter)), True, result)
        assert do(self.mac, "CreateCompDescriptor", *arguments) == 0
        test = self.data.value(result)
        if not operator:
            return test
        terms = Container(items=[Item("\0" * 4, test)]).data()
        arguments = (self.place(Descriptor("list", terms)), operator, True, result)
        assert do(self.mac, "CreateLogicalDescriptor", *arguments) == 0
        return self.data.value(result)

    def resolve(self, specifier: int, flags: int = 0) -> Descriptor | int:
        result = self.place(Descriptor("null"))
        error = do(self.mac, "AEResolve", specifier, flags, result)
        return int(error) if error else self.data.value(result)

    def listed(self, specifier: int) -> list[bytes]:
        found = self.resolve(specifier)
        assert isinstance(found, Descriptor)
        return [item.value.data for item in Container.of(found.data).items]


def test_a_character_of_a_word_is_found_from_the_outside_inwards(mac: Macintosh) -> None:
    words = Words(mac)
    found = words.resolve(words.nth("char", 2, words.nth("word", 2)))
    assert found == Descriptor("char", b"h")
    assert words.asked == [("word", b"", "null", "indx"), ("char", b"three", "word", "indx")]


def test_what_is_not_there_has_an_error(mac: Macintosh) -> None:
    words = Words(mac)
    assert words.resolve(words.nth("word", 9)) == NO_OBJECT
    assert words.resolve(words.place(Descriptor("TEXT", b"?"))) == NO_SPECIFIER
    do(mac, "AERemoveObjectAccessor", "****", "word", 0, False)
    assert words.resolve(words.nth("char", 1, words.nth("word", 1))) == NO_ACCESSOR


def test_what_is_nested_too_deep_has_an_error(mac: Macintosh) -> None:
    words = Words(mac)
    value = words.data.value(words.nth("word", 1))
    terms = words.begins_with(b"t", "NOT ")
    for _ in range(1000):
        items = [Item(i.keyword, value if i.keyword == "from" else i.value) for i in parts(value)]
        value = Descriptor("obj ", Container(items=items).data())
        inner = Container(items=[Item("\0" * 4, terms)]).data()
        items = [Item(i.keyword, Descriptor("list", inner) if i.keyword == "term" else i.value)
                 for i in parts(terms)]  # fmt: skip
        terms = Descriptor("logi", Container(items=items).data())
    assert words.resolve(words.place(value)) == NO_SPECIFIER
    tested = words.specifier("word", words.place(Descriptor("null")), "test", terms)
    assert words.resolve(tested) == NO_SPECIFIER


def test_a_test_lists_what_passes_it(mac: Macintosh) -> None:
    words = Words(mac)
    null = words.place(Descriptor("null"))
    tested = words.specifier("word", null, "test", words.begins_with(b"e"))
    assert words.listed(tested) == [b"eleven"]
    others = words.specifier("word", null, "test", words.begins_with(b"e", "NOT "))
    assert words.listed(others) == [b"one", b"three", b"five"]
    letters = words.nth("char", 2, others)
    assert words.listed(letters) == [b"n", b"h", b"i"]
    none = words.specifier("word", null, "test", words.begins_with(b"z"))
    assert words.resolve(none) == NO_OBJECT


@pytest.mark.parametrize(("data", "error"), [("TEXT", BAD_TEST), ("XOR ", NO_LOGICAL)])
def test_what_is_no_test_has_an_error(mac: Macintosh, data: str, error: int) -> None:
    words = Words(mac)
    test = Descriptor("TEXT", b"?") if data == "TEXT" else words.begins_with(b"e", data)
    null = words.place(Descriptor("null"))
    assert words.resolve(words.specifier("word", null, "test", test)) == error


def test_a_range_is_given_to_the_program_with_the_tokens_of_its_ends(mac: Macintosh) -> None:
    words = Words(mac)
    current = words.place(Descriptor("ccnt"))
    ends = [words.nth("word", index, words.place(words.data.value(current))) for index in (2, 3)]
    result = words.place(Descriptor("null"))
    assert do(mac, "CreateRangeDescriptor", *ends, True, result) == 0
    null = words.place(Descriptor("null"))
    found = words.resolve(words.specifier("word", null, "rang", words.data.value(result)))
    assert found == Descriptor("word", b"three five")


def test_a_specifier_is_a_record_whose_parts_can_be_read(mac: Macintosh) -> None:
    words = Words(mac)
    record, part = (words.place(Descriptor("null")) for _ in range(2))
    assert do(mac, "AECoerceDesc", words.nth("word", 3), "reco", record) == 0
    assert do(mac, "AEGetParamDesc", record, "want", "****", part) == 0
    assert words.data.value(part) == Descriptor("type", b"word")


def test_the_token_of_a_program_without_a_routine_for_it_is_a_descriptor(mac: Macintosh) -> None:
    words = Words(mac)
    token = words.place(Descriptor("word", b"one"))
    assert do(mac, "AEDisposeToken", token) == 0
    assert words.data.value(token) == Descriptor("null")


def test_an_accessor_of_the_processor_is_called_with_pascals_convention(mac_68k: Macintosh) -> None:
    # Its seven arguments have four bytes each; the token is the sixth.
    accessor = mac_68k.memory.new_pointer(32)
    # MOVE.L 8(SP),A0; MOVE.L 28(SP),(A0); CLR.W 32(SP); MOVE.L (SP)+,A0; LEA 28(SP),SP; JMP (A0)
    code = "206f 0008 20af 001c 426f 0020 205f 4fef 001c 4ed0"
    mac_68k.guest.write(accessor, bytes.fromhex(code))
    data = mac_68k.managers["apple_event_data"]
    do(mac_68k, "AEInstallObjectAccessor", "word", "null", accessor, 0, False)
    place, result = (mac_68k.memory.new_pointer(AEDesc.size, clear=True) for _ in range(2))
    parts = {"want": ("type", b"word"), "from": ("null", b""), "form": ("enum", b"indx"),
             "seld": ("long", b"\0\0\0\1")}  # fmt: skip
    items = [Item(keyword, Descriptor(*part)) for keyword, part in parts.items()]
    data.store(place, Descriptor("obj ", Container(items=items).data()))
    # CLR.W -(SP); MOVE.L A0,-(SP); CLR.W -(SP); MOVE.L A1,-(SP); MOVE.W #$536,D0; _Pack8;
    # MOVE.W (SP)+,D0; RTS
    call = "4267 2f08 4267 2f09 303c 0536 a816 301f 4e75"
    assert run_code(mac_68k, call.replace(" ", ""), a0=place, a1=result)["d0"] & 0xFFFF == 0
    assert mac_68k.guest.read(result, 4) == b"word"
