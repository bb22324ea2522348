"""The packages with numbers as text (Pack7) and with the habits of a country (Pack6).

The country is the United States. Sources: Inside Macintosh: Text, chapter 5 (NumToString,
StringToNum, dates and times as strings); Inside Macintosh I, "The International Utilities
Package" (how strings are compared).
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.text.date_formats import EPOCH, date_text
from emu.toolbox.managers.text.strings import folded

_INTERNATIONAL = 0xA9ED
_FIRST, _LAST = ((day - EPOCH) // timedelta(seconds=1) for day in (datetime.min, datetime.max))
_NUMBER = re.compile(rb" *([-+]?)(.*)", re.DOTALL)


def time_text(seconds: int, with_seconds: bool) -> bytes:
    """A time of day: "12:05 PM", "12:05:09 PM"."""
    when = EPOCH + timedelta(seconds=seconds)
    half = "AM" if when.hour < 12 else "PM"
    rest = f":{when.second:02}" if with_seconds else ""
    return f"{when.hour % 12 or 12}:{when.minute:02}{rest} {half}".encode()


def string_to_number(text: bytes) -> int:
    """The number in a string, as Pack7 reads it: what is no digit counts by its low four bits.

    Source: Inside Macintosh I, "The Binary-Decimal Conversion Package": the string is not checked.
    """
    match = _NUMBER.match(text)
    assert match is not None
    value = 0
    for character in match[2]:
        value = value * 10 + (character & 15) & 0xFFFFFFFF
    value = -value if match[1] == b"-" else value
    return (value & 0xFFFFFFFF ^ 0x80000000) - 0x80000000


def compare_text(a: bytes, b: bytes) -> int:
    """-1, 0 or 1 as a string is sorted before, with or behind another one.

    Letters come first by the letter alone, and only then by capitals and accents.
    """
    keys = [
        [folded(text, case=case, marks=marks) for text in (a, b)]
        for case, marks in ((False, False), (False, True), (True, True))
    ]
    for first, second in keys:
        if first != second:
            return 1 if first > second else -1
    return 0


class PackageManager(Manager):
    """Numbers, dates and times as text, and comparing texts."""

    _resources: ResourceManager
    _memory: MemoryManager

    @routine("PROCEDURE InitPack (packID: INTEGER)")
    def init_pack(self, number: int) -> None:
        """All packages are ready from the start."""

    @routine("PROCEDURE InitAllPacks")
    def init_all_packs(self) -> None:
        """All packages are ready from the start."""

    # -- numbers -----------------------------------------------------------------------------------

    @routine("PROCEDURE NumToString (theNum: LONGINT; theString: Str255)")
    def num_to_string(self, number: int, text: int) -> None:
        """A number in decimal."""
        self.guest.put_pascal_string(text, str(number).encode())

    @routine(
        "FUNCTION StringToNum (theString: Str255): LONGINT",
        registers="A0 -> D0",
        architecture="m68k",
    )
    def string_to_num_68k(self, text: int) -> int:
        """The number in a string."""
        return string_to_number(self.guest.pascal_string(text))

    @routine(
        "PROCEDURE StringToNum (theString: Str255; VAR theNum: LONGINT)", architecture="powerpc"
    )
    def string_to_num(self, text: int, result: int) -> None:
        """The number in a string."""
        self.guest.put32(result, string_to_number(self.guest.pascal_string(text)))

    # -- dates and times ---------------------------------------------------------------------------

    @routine("PROCEDURE IUDateString (dateTime: LONGINT; longFlag: SignedByte; result: Str255)")
    @routine(
        "PROCEDURE IUDatePString (dateTime: LONGINT; longFlag: SignedByte; result: Str255; "
        "intlHandle: Handle)"
    )
    def date_string(self, seconds: int, form: int, result: int, habits: int = 0) -> None:
        """A date as people write it, with the habits of the United States or of a resource."""
        self._put_date(seconds & 0xFFFFFFFF, form, result, habits)

    def _put_date(self, seconds: int, form: int, result: int, habits: int) -> None:
        record = self._memory.contents(habits) if habits else b""
        self.guest.put_pascal_string(result, date_text(seconds, form, record))

    @routine("PROCEDURE IUTimeString (dateTime: LONGINT; wantSeconds: BOOLEAN; result: Str255)")
    @routine(
        "PROCEDURE IUTimePString (dateTime: LONGINT; wantSeconds: BOOLEAN; result: Str255; "
        "intlHandle: Handle)"
    )
    def time_string(self, seconds: int, with_seconds: bool, result: int, habits: int = 0) -> None:
        """A time of day as people write it; the habits are always those of the United States."""
        self.guest.put_pascal_string(result, time_text(seconds & 0xFFFFFFFF, with_seconds))

    def _long_seconds(self, address: int) -> int:
        """A LongDateTime, or the nearest that a date can be made of."""
        return min(max(self.guest.i32(address) << 32 | self.guest.u32(address + 4), _FIRST), _LAST)

    @routine(
        "PROCEDURE IULDateString (dateTime: Ptr; longFlag: SignedByte; result: Str255; "
        "intlHandle: Handle)",
        imports=("LongDateString",),
    )
    def long_date_string(self, seconds: int, form: int, result: int, habits: int) -> None:
        """A date of the years 1 to 9999, likewise."""
        self._put_date(self._long_seconds(seconds), form, result, habits)

    @routine(
        "PROCEDURE IULTimeString (dateTime: Ptr; wantSeconds: BOOLEAN; result: Str255; "
        "intlHandle: Handle)",
        imports=("LongTimeString",),
    )
    def long_time_string(self, seconds: int, exactly: bool, result: int, habits: int) -> None:
        """A time of day of such a date."""
        self.guest.put_pascal_string(result, time_text(self._long_seconds(seconds), exactly))

    @routine(
        "PROCEDURE GetIntlResourceTable (script,tableCode: INTEGER; VAR itlHandle: Handle; "
        "VAR offset,length: LONGINT)",
        imports=("IUGetItlTable",),
    )
    def get_table(self, script: int, code: int, handle: int, offset: int, length: int) -> None:
        """A table of the resources 'itl2' and 'itl4': the System has none, so the handle is nil."""
        for place in (handle, offset, length):
            self.guest.put32(place, 0)

    @routine(
        "FUNCTION IUMetric: BOOLEAN",
        trap=_INTERNATIONAL,
        selector=("stack", 4),
        imports=("IsMetric",),
    )
    def is_metric(self) -> bool:
        """Whether the country measures in metres."""
        return False

    @routine(
        "FUNCTION IUGetIntl (theID: INTEGER): Handle",
        trap=_INTERNATIONAL,
        selector=("stack", 6),
        imports=("GetIntlResource",),
    )
    def get_international_resource(self, number: int) -> int:
        """The resource with a country's habits, if the program brings one; nil otherwise."""
        return self._resources.get(f"itl{number}", 0)

    # -- comparing ---------------------------------------------------------------------------------

    def _two(self, a: int, b: int, a_size: int, b_size: int) -> tuple[bytes, bytes]:
        return self.guest.read(a, a_size & 0xFFFF), self.guest.read(b, b_size & 0xFFFF)

    @routine("FUNCTION IUMagString (aPtr,bPtr: Ptr; aLen,bLen: INTEGER): INTEGER")
    @routine(
        "FUNCTION IUMagPString (aPtr,bPtr: Ptr; aLen,bLen: INTEGER; itl2Handle: Handle): INTEGER"
    )
    def compare(self, a: int, b: int, a_size: int, b_size: int, habits: int = 0) -> int:
        """The order of two texts; the habits are always those of the United States."""
        return compare_text(*self._two(a, b, a_size, b_size))

    def _differ(self, a: bytes, b: bytes) -> int:
        return int(folded(a, case=False, marks=False) != folded(b, case=False, marks=False))

    @routine("FUNCTION IUMagIDString (aPtr,bPtr: Ptr; aLen,bLen: INTEGER): INTEGER")
    @routine(
        "FUNCTION IUMagIDPString (aPtr,bPtr: Ptr; aLen,bLen: INTEGER; itl2Handle: Handle): INTEGER"
    )
    def identical(self, a: int, b: int, a_size: int, b_size: int, habits: int = 0) -> int:
        """0 if two texts are the same but for capitals and accents, as in the USA; else 1."""
        return self._differ(*self._two(a, b, a_size, b_size))

    @routine("FUNCTION IUCompString (aStr,bStr: Str255): INTEGER")
    @routine(
        "FUNCTION CompareString (aStr,bStr: Str255; itl2Handle: Handle): INTEGER",
        imports=("IUCompPString",),
    )
    def compare_strings(self, a: int, b: int, habits: int = 0) -> int:
        """The order of two strings; the habits are always those of the United States."""
        return compare_text(self.guest.pascal_string(a), self.guest.pascal_string(b))

    @routine(
        "FUNCTION IUTextOrder (aPtr,bPtr: Ptr; aLen,bLen: INTEGER; aScript,bScript: INTEGER; "
        "aLang,bLang: INTEGER): INTEGER",
        imports=("TextOrder",),
    )
    def text_order(
        self, a: int, b: int, a_size: int, b_size: int, *scripts_and_languages: int
    ) -> int:
        """The order of two texts of any scripts and languages: all are Roman and English here."""
        return compare_text(*self._two(a, b, a_size, b_size))

    @routine(
        "FUNCTION StringOrder (aStr,bStr: Str255; aScript,bScript: INTEGER; "
        "aLang,bLang: INTEGER): INTEGER",
        imports=("IUStringOrder",),
    )
    def string_order(self, a: int, b: int, *scripts_and_languages: int) -> int:
        """The same of two strings."""
        return self.compare_strings(a, b)

    @routine("FUNCTION IUScriptOrder (script1,script2: INTEGER): INTEGER", imports=("ScriptOrder",))
    @routine(
        "FUNCTION IULangOrder (language1,language2: INTEGER): INTEGER", imports=("LanguageOrder",)
    )
    def number_order(self, first: int, second: int) -> int:
        """The order of two scripts or languages: the lower number is first."""
        return (first > second) - (first < second)

    @routine("FUNCTION IUEqualString (aStr,bStr: Str255): INTEGER")
    @routine(
        "FUNCTION IdenticalString (aStr,bStr: Str255; itl2Handle: Handle): INTEGER",
        imports=("IUEqualPString",),
    )
    def equal_strings(self, a: int, b: int, habits: int = 0) -> int:
        """0 if two strings are the same but for capitals and accents; else 1."""
        return self._differ(self.guest.pascal_string(a), self.guest.pascal_string(b))
