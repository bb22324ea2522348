"""The keys and the mouse button that are held down, as low memory says; programs may change it.

Source: Inside Macintosh III, "Summary of the Operating System Event Manager" (KeyMap, MBState).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.records.results import Modifier
from emu.toolbox.system_file.keyboard import MODIFIER_KEYS, MODIFIERS, is_held

_BUTTON_IS_UP = 0x80


@dataclass(frozen=True, slots=True)
class HeldInput:
    """Which keys are held, and whether the button is."""

    guest: GuestAccess

    def mark(self, code: int, *, held: bool) -> None:
        """Note that a key of a virtual key code is held, or is not."""
        address, bit = LowMemory.KEY_MAP + code // 8, 1 << code % 8
        keys = self.guest.u8(address)
        self.guest.put8(address, keys | bit if held else keys & ~bit)

    def hold_modifiers(self, names: Iterable[str]) -> None:
        """Note that these modifier keys are held, and no others."""
        held = set(names)
        for name, code in MODIFIER_KEYS.items():
            self.mark(code, held=name in held)

    def keys(self) -> bytes:
        """A bit for each key by its virtual key code, as GetKeys gives them."""
        return self.guest.read(LowMemory.KEY_MAP, 16)

    @property
    def button_is_down(self) -> bool:
        """Whether the mouse button is held."""
        return not self.guest.u8(LowMemory.MOUSE_BUTTON_STATE) & _BUTTON_IS_UP

    def show_button(self, *, is_down: bool) -> None:
        """Note that the mouse button is held, or is not."""
        self.guest.put8(LowMemory.MOUSE_BUTTON_STATE, 0 if is_down else _BUTTON_IS_UP)

    def modifiers(self) -> int:
        """The modifiers of an event that happens now."""
        keys = self.keys()
        held = sum(bit for name, bit in MODIFIERS.items() if is_held(keys, name))
        return held | (0 if self.button_is_down else Modifier.btnState)
