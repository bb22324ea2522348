"""Keyboard layouts: the character of a key, by a 'KCHR' resource.

Sources: Inside Macintosh: Text, chapter 6 (KeyTranslate) and appendix C ('KCHR'); Inside
Macintosh I, "System Global Variables" (Key1Trans and Key2Trans). Of these two it is only known that
they take the key code in D2 and give the character in D0: the modifier keys are looked for in D1.
"""

from __future__ import annotations

from emu.toolbox.calls.trap_table import rom_entry, trap_number
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.system_file.code import KEY_TRANSLATOR_TRAP
from emu.toolbox.system_file.keyboard_layout import US_LAYOUT

_INDEX, _COUNT, _TABLES, _CODES = 2, 258, 260, 128
_UP = 0x80


class KeyboardLayouts(Manager):
    """Translates key codes into characters."""

    @routine("FUNCTION KeyTranslate (transData: Ptr; keycode: UInt16; state: Ptr): LONGINT")
    def key_translate(self, layout: int, code: int, state: int) -> int:
        """The character of a key; for a dead key 0, and the state tells the next call of it.

        It is in the low byte. Before it, in the high word, is a mark that did not fit the letter.
        """
        guest, modifiers = self.guest, code >> 8
        which, count = guest.u8(layout + _INDEX + modifiers), guest.u16(layout + _COUNT)
        if which >= count:
            return 0
        character = guest.u8(layout + _TABLES + which * _CODES + code % _CODES)
        dead = layout + _TABLES + count * _CODES
        if code & _UP:
            return character or self._mark(dead, self._dead_key(dead, which, code % _CODES))
        waiting = guest.u32(state)
        if character and waiting:
            guest.put32(state, 0)
            return self._completed(dead + waiting, character)
        if not character:
            guest.put32(state, self._dead_key(dead, which, code % _CODES))
        return character

    def _dead_key(self, tables: int, which: int, code: int) -> int:
        """The offset of the table of a dead key; 0 if it is none."""
        place = tables + 2
        for _ in range(self.guest.u16(tables)):
            if (self.guest.u8(place), self.guest.u8(place + 1)) == (which, code):
                return place - tables
            place += 4 + 2 * self.guest.u16(place + 2) + 2
        return 0

    def _mark(self, tables: int, dead: int) -> int:
        """The mark of a dead key by itself, which is what the key is when it comes up."""
        if not dead:
            return 0
        pairs = self.guest.u16(tables + dead + 2)
        return self.guest.u8(tables + dead + 4 + 2 * pairs)

    def _completed(self, table: int, letter: int) -> int:
        """The letter with the mark of a dead key, or the mark and then the letter."""
        size = 2 * self.guest.u16(table + 2)
        pairs = self.guest.read(table + 4, size + 2)
        for at in range(0, size, 2):
            if pairs[at] == letter:
                return pairs[at + 1]
        return pairs[size] << 16 | letter


class KeyTranslators(Manager):
    """The translators whose addresses are in low memory."""

    def start(self) -> None:
        """Programs of the first Macintoshes call the translators by their addresses in memory."""
        if self.host.cpu.architecture == "m68k":
            for place in (LowMemory.KEY_TRANSLATOR, LowMemory.KEYPAD_TRANSLATOR):
                self.guest.put32(place, rom_entry(trap_number(KEY_TRANSLATOR_TRAP)))

    @routine(
        "FUNCTION Key1Trans (modifiers: LONGINT; code: LONGINT): LONGINT",
        trap=KEY_TRANSLATOR_TRAP,
        registers="D1,D2 -> D0",
        architecture="m68k",
    )
    def key_1_trans(self, modifiers: int, code: int) -> int:
        """The character of a key on the keyboard of the USA; a dead key has none."""
        which = US_LAYOUT[_INDEX + (modifiers & 0xFF)]
        return US_LAYOUT[_TABLES + which * _CODES + code % _CODES]
