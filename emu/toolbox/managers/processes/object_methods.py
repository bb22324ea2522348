"""Method calls of Object Pascal, which MacApp's programs make through the ROM.

An object is a handle; its data begins with the number of its class. A call of a method goes to a
table of the method's, which begins with a call of MethodDispatch. Behind that call lie a word, two
words for whatever was found last, and pairs of words: the number of a class that has the method,
and where the method's jump table entry is above A5. A 0 ends the pairs. Low memory has the table
of superclasses, a word for each class, and the routine for a method that is not there.

Source: the tables and the start-up code of programs that MPW's linker made.
"""

from __future__ import annotations

from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager

_NOT_FOUND = 0xBE8
_SUPERCLASSES = 0xBEC
"""Where the address of the table of superclasses is, in the table's jump table entry."""

_PAIRS = 6
_MOST_CLASSES = 1 << 15


class ObjectMethods(Manager):
    """Finds the methods of objects."""

    plumbing = True

    _memory: MemoryManager
    _dispatcher: Dispatcher

    @routine("PROCEDURE MethodDispatch", trap=0xA9F8, registers="", architecture="m68k")
    def method_dispatch(self) -> None:
        """Go on at the method of the object whose handle was pushed last."""
        guest, table = self.guest, self.host.return_address
        methods = self._methods(table + _PAIRS)
        _, stack_pointer = self._dispatcher.caller_registers()
        handle = guest.u32(stack_pointer + 4)
        number = guest.u16(self._memory.address(handle)) if handle else 0
        superclasses = guest.u32(guest.u32(_SUPERCLASSES))
        for _ in range(_MOST_CLASSES):
            if number in methods or not number:
                break
            number = guest.u16(superclasses + number)
        place = methods.get(number)
        missing = guest.u32(_NOT_FOUND)
        self.host.return_address = missing if place is None else self.host.current_a5() + place

    def _methods(self, place: int) -> dict[int, int]:
        """Where above A5 each class has its method."""
        methods = {}
        while number := self.guest.u16(place):
            methods[number] = self.guest.u16(place + 2)
            place += 4
        return methods
