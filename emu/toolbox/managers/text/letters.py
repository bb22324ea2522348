"""Letters made small or capital, or without their marks, in text of any length.

Source: Inside Macintosh: Text, chapter 5 (UppercaseText and its like, LowerText as 68K programs
call it) and chapter 6 (TransliterateText). The only script is Roman.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.text.strings import folded
from emu.toolbox.records.results import ResultCode

_LOWER, _STRIP, _UPPER, _STRIP_AND_UPPER = 0xA056, 0xA256, 0xA456, 0xA656
_MAKE_LOWER, _MAKE_UPPER = 0x4000, 0x8000
"""smTransLower and smTransUpper, bits of the target of TransliterateText."""


def _small_letter(code: int) -> int:
    """The small letter of a character in MacRoman, or itself if MacRoman has none."""
    small = bytes([code]).decode("mac_roman").lower().encode("mac_roman", "ignore")
    return small[0] if len(small) == 1 else code


_SMALL = bytes(map(_small_letter, range(256)))


def lowered(text: bytes) -> bytes:
    """Text in MacRoman with small letters."""
    return text.translate(_SMALL)


def stripped(text: bytes) -> bytes:
    """Text in MacRoman whose letters have no marks; their case stays."""
    return folded(text, case=True, marks=False)


class Letters(Manager):
    """Changes the letters of a text in its place."""

    _memory: MemoryManager

    def _change(self, place: int, length: int, which: int) -> None:
        text = self.guest.read(place, length & 0xFFFF)
        if which in (_STRIP, _STRIP_AND_UPPER):
            text = stripped(text)
        if which in (_UPPER, _STRIP_AND_UPPER):
            text = folded(text, case=False, marks=True)
        if which == _LOWER:
            text = lowered(text)
        self.guest.write(place, text)

    @routine(
        "PROCEDURE LowerText (textPtr: Ptr; len: INTEGER)",
        trap=_LOWER,
        registers="A0,D0",
        variants={
            "LwrText": _LOWER,
            "StripText": _STRIP,
            "UpperText": _UPPER,
            "UprText": _UPPER,
            "StripUpperText": _STRIP_AND_UPPER,
        },
    )
    def change(self, place: int, length: int, *, trap: int) -> None:
        """Make letters small, take off their marks, make them capitals, or both of the last two."""
        self._change(place, length, trap)

    @routine(
        "PROCEDURE LowercaseText (textPtr: Ptr; len: INTEGER; script: INTEGER)",
        architecture="powerpc",
    )
    def lowercase(self, place: int, length: int, script: int) -> None:
        """Make letters small."""
        self._change(place, length, _LOWER)

    @routine(
        "PROCEDURE UppercaseText (textPtr: Ptr; len: INTEGER; script: INTEGER)",
        architecture="powerpc",
    )
    def uppercase(self, place: int, length: int, script: int) -> None:
        """Make letters capitals."""
        self._change(place, length, _UPPER)

    @routine(
        "PROCEDURE StripDiacritics (textPtr: Ptr; len: INTEGER; script: INTEGER)",
        architecture="powerpc",
    )
    def strip(self, place: int, length: int, script: int) -> None:
        """Take off the marks of letters."""
        self._change(place, length, _STRIP)

    @routine(
        "PROCEDURE UppercaseStripDiacritics (textPtr: Ptr; len: INTEGER; script: INTEGER)",
        architecture="powerpc",
    )
    def strip_and_uppercase(self, place: int, length: int, script: int) -> None:
        """Make letters capitals without marks."""
        self._change(place, length, _STRIP_AND_UPPER)

    @routine(
        "PROCEDURE TextUtilFunctions (textPtr: Ptr; len: INTEGER; script: INTEGER; which: INTEGER)",
        architecture="m68k",
    )
    def change_by_number(self, place: int, length: int, script: int, which: int) -> None:
        """The four above for a 68K, told apart by the flag bits that `LowerText` has in its trap.

        Source: Apple's TextUtils.h of 1994: 0, 0x200, 0x400 and 0x600.
        """
        self._change(place, length, _LOWER | which & 0x600)

    # -- from one text to another ------------------------------------------------------------------

    @routine(
        "FUNCTION Transliterate (srcHandle: Handle; dstHandle: Handle; target: INTEGER; "
        "srcMask: LONGINT): OSErr"
    )
    @routine(
        "FUNCTION TransliterateText (srcHandle: Handle; dstHandle: Handle; target: INTEGER; "
        "srcMask: LONGINT; script: INTEGER): OSErr"
    )
    def transliterate(self, source: int, target: int, form: int, mask: int, script: int = 0) -> int:
        """Copy a text between handles, in small letters or capitals if the form says so: Roman."""
        text = self._memory.contents(source)
        if form & _MAKE_LOWER:
            text = lowered(text)
        if form & _MAKE_UPPER:
            text = folded(text, case=False, marks=True)
        return 0 if self._memory.set_contents(target, text) else ResultCode.memFullErr
