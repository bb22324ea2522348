"""The Script Manager on a Macintosh whose only script is Roman, with the habits of the USA.

Source: Inside Macintosh: Text, chapter 6 (variables and their selectors) and chapter 5 (kinds of
characters); Inside Macintosh V, the chapter on the Script Manager (selectors on the stack).
"""

from __future__ import annotations

import unicodedata

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.hardware.gestalt import SYSTEM_VERSION

SCRIPT_UTIL = 0xA8B5

_ROMAN = 0
_MEANS_ROMAN = (_ROMAN, -1, -2)
"""Roman itself, smSystemScript and smCurrentScript."""

_CHICAGO, _GENEVA, _MONACO = 0, 3, 4
_BAD_SELECTOR = -1
_VERSION, _ENABLED, _INTERNATIONAL_FORCE, _LAST_SCRIPT = 0, 4, 10, 20
_SYSTEM_VARIABLES = {_VERSION: SYSTEM_VERSION, _ENABLED: 1}
"""Of the Script Manager; all others are 0: there is one script, number 0, from left to right."""

_SCRIPT_VARIABLES = {
    0: SYSTEM_VERSION,  # smScriptVersion
    4: 0xFF,  # smScriptEnabled
    12: _CHICAGO,  # smScriptSysFond
    14: _GENEVA,  # smScriptAppFond
    78: _MONACO << 16 | 9,  # smScriptMonoFondSize
    80: _GENEVA << 16 | 12,  # smScriptPrefFondSize
    82: _GENEVA << 16 | 9,  # smScriptSmallFondSize
    84: _CHICAGO << 16 | 12,  # smScriptSysFondSize
    86: _GENEVA << 16 | 12,  # smScriptAppFondSize
    88: _GENEVA << 16 | 9,  # smScriptHelpFondSize
    90: 0x7F,  # smScriptValidStyles
    92: 2,  # smScriptAliasStyle: italic
}
"""Of the Roman script, by selector; all others are 0."""

_LARGEST_SELECTOR = 92
_PUNCTUATION, _ASCII, _EUROPEAN = 0, 1, 7
_NUMBER, _SYMBOL, _BLANK, _UPPER = 0x0100, 0x0200, 0x0300, 0x8000


def character_type(code: int) -> int:
    """The kind of a MacRoman character, as CharType tells it."""
    character = bytes([code]).decode("mac_roman")
    category = unicodedata.category(character)
    if category[0] == "L":
        kind = _ASCII if code < 0x80 else _EUROPEAN
        return kind | _UPPER if category == "Lu" else kind
    if category == "Nd":
        return _PUNCTUATION | _NUMBER
    if category[0] in "ZC":
        return _PUNCTUATION | _BLANK
    return _PUNCTUATION | (_SYMBOL if category[0] in "SN" else 0)


def word_around(text: bytes, offset: int, leading: bool) -> tuple[int, int]:
    """Where the word at an offset begins and ends.

    Letters, digits and apostrophes between letters are words; so are blanks together, and any
    other character by itself.

    Args:
        text: in MacRoman.
        offset: of a character.
        leading: whether the place is the character's beginning, else the end of the one before.
    """
    at = offset if leading else offset - 1
    if not 0 <= at < len(text):
        return offset, offset

    def kind(place: int) -> str:
        code = text[place]
        around = text[place - 1 : place] + text[place + 1 : place + 2]
        if code == 0x27 and len(around) == 2 and all(character_type(c) & 0xFF for c in around):
            return "word"
        type_of_code = character_type(code)
        if type_of_code & 0xFF or type_of_code & 0xF00 == _NUMBER:
            return "word"
        return "blank" if type_of_code & 0xF00 == _BLANK else ""

    start, end, wanted = at, at + 1, kind(at)
    while wanted and start > 0 and kind(start - 1) == wanted:
        start -= 1
    while wanted and end < len(text) and kind(end) == wanted:
        end += 1
    return start, end


class ScriptManager(Manager):
    """Variables of the Script Manager, and kinds of characters."""

    def __post_init__(self) -> None:
        self._variables = dict(_SYSTEM_VARIABLES)

    # -- variables ---------------------------------------------------------------------------------

    @routine("FUNCTION GetScriptManagerVariable (selector: INTEGER): LONGINT")
    def get_variable(self, selector: int) -> int:
        """A variable of the Script Manager."""
        return self._variables.get(selector, 0)

    @routine("FUNCTION SetScriptManagerVariable (selector: INTEGER; param: LONGINT): OSErr")
    def set_variable(self, selector: int, value: int) -> int:
        """Change a variable; what the Script Manager itself does stays as it is."""
        if not 0 <= selector <= _LARGEST_SELECTOR:
            return _BAD_SELECTOR
        self._variables[selector] = value
        return 0

    @routine("FUNCTION GetSysDirection: INTEGER", architecture="powerpc")
    def get_direction(self) -> int:
        """Which way lines run: 0, from left to right."""
        return self.guest.i16(LowMemory.SYSTEM_DIRECTION)

    @routine("PROCEDURE SetSysDirection (value: INTEGER)", architecture="powerpc")
    def set_direction(self, value: int) -> None:
        """Set it; 68K programs do so in low memory themselves."""
        self.guest.put16(LowMemory.SYSTEM_DIRECTION, value)

    @routine("FUNCTION GetScriptVariable (script,selector: INTEGER): LONGINT")
    def get_script_variable(self, script: int, selector: int) -> int:
        """A variable of a script; 0 if the script is not installed."""
        return _SCRIPT_VARIABLES.get(selector, 0) if script in _MEANS_ROMAN else 0

    @routine("FUNCTION SetScriptVariable (script,selector: INTEGER; param: LONGINT): OSErr")
    def set_script_variable(self, script: int, selector: int, value: int) -> int:
        """Variables of the Roman script stay as they are."""
        return 0 if script in _MEANS_ROMAN else _BAD_SELECTOR

    @routine("FUNCTION FontScript: INTEGER")
    @routine("FUNCTION IntlScript: INTEGER")
    def current_script(self) -> int:
        """The script of the port's font, or of the country: Roman."""
        return _ROMAN

    @routine("FUNCTION FontToScript (fontNumber: INTEGER): INTEGER")
    def font_to_script(self, font: int) -> int:
        """The script of a font: Roman."""
        return _ROMAN

    @routine("PROCEDURE KeyScript (code: INTEGER)")
    def key_script(self, code: int) -> None:
        """Choose a keyboard: there is only that of the USA."""

    # -- characters --------------------------------------------------------------------------------

    @routine(
        "FUNCTION CharacterByteType (textBuf: Ptr; textOffset: INTEGER; script: INTEGER): INTEGER"
    )
    @routine("FUNCTION CharByte (textBuf: Ptr; textOffset: INTEGER): INTEGER")
    def character_byte(self, text: int, offset: int, script: int = 0) -> int:
        """Which byte of a character a byte is: in Roman text it is all of it (0)."""
        return 0

    @routine("FUNCTION ParseTable (table: Ptr): BOOLEAN")
    def parse_table(self, table: int) -> bool:
        """Tell of each byte how many follow it in its character: none does in Roman text."""
        self.guest.write(table, bytes(256))
        return True

    @routine("FUNCTION FillParseTable (table: Ptr; script: INTEGER): BOOLEAN")
    def fill_parse_table(self, table: int, script: int) -> bool:
        """The same for a script; Roman is the only one."""
        return self.parse_table(table)

    @routine("FUNCTION CharacterType (textBuf: Ptr; textOffset: INTEGER; script: INTEGER): INTEGER")
    @routine("FUNCTION CharType (textBuf: Ptr; textOffset: INTEGER): INTEGER")
    def kind_of_character(self, text: int, offset: int, script: int = 0) -> int:
        """The kind of a character."""
        return character_type(self.guest.u8(text + offset))

    @routine(
        "PROCEDURE FindWord (textPtr: Ptr; textLength,offset: INTEGER; leadingEdge: BOOLEAN; "
        "breaks: Ptr; VAR offsets: Ptr)"
    )
    @routine(
        "PROCEDURE FindWordBreaks (textPtr: Ptr; textLength,offset: INTEGER; "
        "leadingEdge: BOOLEAN; breaks: Ptr; VAR offsets: Ptr; script: INTEGER)",
        trap=SCRIPT_UTIL,
        selector=("long on stack", 0xC012001A),
    )
    def find_word(
        self,
        text: int,
        length: int,
        offset: int,
        leading: bool,
        breaks: int,
        result: int,
        script: int = _ROMAN,
    ) -> None:
        """Where a word begins and ends; tables of a program's own (breaks) are not heeded."""
        word = word_around(self.guest.read(text, max(length, 0)), offset, leading)
        for number, place in enumerate((*word, 0, 0, 0, 0)):
            self.guest.put16(result + 2 * number, place)

    @routine(
        "FUNCTION FindScriptRun (textPtr: Ptr; textLen: LONGINT; VAR lenUsed: LONGINT): INTEGER"
    )
    def find_script_run(self, text: int, length: int, used: int) -> int:
        """How much of a text is of one script, and which: all of it is Roman (0)."""
        self.guest.put32(used, max(length, 0))
        return _ROMAN

    @routine("FUNCTION VisibleLength (textPtr: Ptr; textLength: LONGINT): LONGINT")
    def visible_length(self, text: int, length: int) -> int:
        """How long a text is without the blanks at its end."""
        return len(self.guest.read(text, max(length, 0)).rstrip(b" "))
