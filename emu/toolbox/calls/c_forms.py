"""The forms of routines for C, which PowerPC programs import in lower case.

`getdialogitemtext` is GetDialogItemText for strings that end with a zero, and a Point is passed by
its address. InterfaceLib has both forms.
Source: Apple's Universal Headers 2, where they are declared for `CGLUESUPPORTED`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emu.toolbox.calls.named_calls import ByName
from emu.toolbox.computer.declaration import Routine
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.guest.guest_types import ParameterKind

_STRING = "Str255"
_LONGEST = 255
"""What a Pascal string can hold; the rest of a longer one is left out, and nil is empty."""

_ROOM = 256
"""Bytes of the stack for one string, a multiple of 16."""


@dataclass(frozen=True, slots=True)
class CForm:
    """Which parameters of a routine C code passes otherwise, by their places.

    Attributes:
        given: strings that the routine reads.
        stored: strings that it stores.
        points: points.
    """

    given: tuple[int, ...]
    stored: tuple[int, ...]
    points: tuple[int, ...]

    @classmethod
    def of(cls, routine: Routine) -> CForm:
        """The form of a routine for C."""
        kinds = [parameter.type for parameter in routine.parameters]
        strings = [place for place, kind in enumerate(kinds) if kind.refers_to == _STRING]
        return cls(
            tuple(place for place in strings if place not in routine.variables),
            tuple(place for place in strings if place in routine.variables),
            tuple(place for place, kind in enumerate(kinds) if kind.shape is ParameterKind.POINT),
        )

    def enter(self, guest: GuestAccess, words: list[int], stack_pointer: int) -> int:
        """Make the arguments those of the usual form.

        Args:
            guest: guest memory.
            words: the arguments, which are changed.
            stack_pointer: below it is room for the strings.

        Returns:
            The stack pointer during the call, with a word there that leads back to the old one.
        """
        for place in self.points:
            words[place] = guest.u32(words[place])
        below = (stack_pointer & -16) - _ROOM * len(self.given)
        for number, place in enumerate(self.given):
            text = guest.c_string(words[place], _LONGEST) if words[place] else b""
            words[place] = below + _ROOM * number
            guest.write(words[place], bytes((len(text),)) + text)
        if not self.given:
            return stack_pointer
        guest.put32(below - 16, stack_pointer)
        return below - 16

    def leave(self, guest: GuestAccess, words: Sequence[int]) -> None:
        """End the strings that the routine has stored with a zero."""
        for place in self.stored:
            guest.write(words[place], guest.pascal_string(words[place]) + b"\0")


def c_forms(by_name: ByName) -> dict[str, str]:
    """The names of routines for C that are no routines themselves, with the usual name of each."""
    names = {}
    for name, (declared, _) in by_name.items():
        form = CForm.of(declared.routine)
        if (form.given or form.stored or form.points) and name.lower() not in by_name:
            names[name.lower()] = name
    return names
