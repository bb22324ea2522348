"""Key codes become characters by the layout of the System file, and by a program's own."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, run_code

SHIFT, CAPS_LOCK, OPTION, CONTROL, RIGHT_SHIFT = 2, 4, 8, 16, 32
A, E, N, T, ONE, RETURN, KEYPAD_5 = 0x00, 0x0E, 0x2D, 0x11, 0x12, 0x24, 0x57


class Keys:
    """Keys struck one after the other."""

    def __init__(self, mac: Macintosh) -> None:
        self.mac = mac
        self.layout = mac.memory.address(do(mac, "GetResource", "KCHR", 0))
        self.state = mac.memory.new_pointer(4, clear=True)

    def strike(self, code: int, modifiers: int = 0) -> str:
        word = do(self.mac, "KeyTranslate", self.layout, modifiers << 8 | code, self.state)
        return bytes(part for part in (word >> 16, word & 0xFF) if part).decode("mac_roman")


@pytest.mark.parametrize(
    ("code", "modifiers", "character"),
    [
        (A, 0, "a"),
        (A, SHIFT, "A"),
        (A, RIGHT_SHIFT, "A"),
        (A, CAPS_LOCK, "A"),
        (A, OPTION, "å"),
        (A, OPTION | SHIFT, "Å"),
        (A, CONTROL, "\x01"),
        (ONE, CAPS_LOCK, "1"),
        (ONE, SHIFT, "!"),
        (RETURN, 0, "\r"),
        (KEYPAD_5, 0, "5"),
    ],
)
def test_a_key_has_a_character(mac: Macintosh, code: int, modifiers: int, character: str) -> None:
    assert Keys(mac).strike(code, modifiers) == character


def test_a_dead_key_waits_for_its_letter(mac: Macintosh) -> None:
    keys = Keys(mac)
    assert (keys.strike(E, OPTION), keys.strike(A), keys.strike(A)) == ("", "á", "a")
    assert (keys.strike(N, OPTION), keys.strike(T)) == ("", "\u02dct")
    assert keys.strike(E | 0x80, OPTION) == "\u00b4", "a key that comes up waits for nothing"
    assert keys.strike(A) == "a"
    assert (keys.strike(E, OPTION), keys.strike(E | 0x80, OPTION)) == ("", "\u00b4")
    assert keys.strike(A) == "á", "the key that came up did not change what waits"
    assert keys.strike(0x7F | 0x80) == ""


def test_a_layout_of_the_programs_own_is_used(mac: Macintosh) -> None:
    keys = Keys(mac)
    keys.layout = mac.memory.new_pointer(2 + 256 + 2 + 128 + 2, clear=True)
    mac.guest.put16(keys.layout + 258, 1)
    mac.guest.put8(keys.layout + 260 + A, ord("q"))
    assert (keys.strike(A), keys.strike(E)) == ("q", "")


def test_the_translator_in_low_memory_is_called_with_registers(mac_68k: Macintosh) -> None:
    # move.l #2,d1; moveq #0,d2; movea.l Key1Trans,a0; jsr (a0); rts
    code = f"7202 7400 2078{LowMemory.KEY_TRANSLATOR:04x} 4e90 4e75"
    assert run_code(mac_68k, code)["d0"] == ord("A")
