"""The C library that PowerPC programs import (StdCLib): memory, numbers, text output.

68K programs have their C library inside; the source of a case that has none calls this one. Strings
are in `strings`. What is written to standard output comes to the console.
Source: the C standard of 1989; MPW's StdCLib exports these names.
"""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.marshal import signed_32
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import ProgramExit
from emu.toolbox.managers.c_library.formats import FormatError, format_text
from emu.toolbox.managers.c_library.scanning import BLANKS, REAL
from emu.toolbox.managers.c_library.strings import CStrings, c_routine
from emu.toolbox.managers.memory.manager import MemoryManager

_LARGEST_CONSOLE = 16 << 20
_LINKAGE_AREA, _REGISTER_ARGUMENTS = 24, 8
_MOST_EXIT_ROUTINES = 32
_IGNORED, _DEFAULT = 0, 1  # SIG_IGN and SIG_DFL of MPW's Signal.h
_LONGEST_MESSAGE = 32
_TICKS_A_SECOND = 60


class StandardC(Manager):
    """Routines of the C library."""

    _c_strings: CStrings
    _dispatcher: Dispatcher
    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._sizes: dict[int, int] = {}
        self._seed = 1
        self._at_exit: list[int] = []
        self._actions: dict[int, int] = {}
        self._message = 0

    # -- memory ------------------------------------------------------------------------------------

    def _allocate(self, size: int, *, clear: bool = False) -> int:
        address = self._memory.new_pointer(max(size, 1), clear=clear)
        if address:
            self._sizes[address] = size
        return address

    @c_routine("FUNCTION malloc (size: UInt32): Ptr")
    def malloc(self, size: int) -> int:
        """New memory."""
        return self._allocate(size)

    @c_routine("FUNCTION calloc (count: UInt32; size: UInt32): Ptr")
    def calloc(self, count: int, size: int) -> int:
        """New memory, all zeros."""
        return self._allocate(count * size, clear=True) if count * size < 1 << 32 else 0

    @c_routine("FUNCTION realloc (block: Ptr; size: UInt32): Ptr")
    def realloc(self, block: int, size: int) -> int:
        """The same memory with another size, perhaps elsewhere."""
        if not block:
            return self._allocate(size)
        if block not in self._sizes:
            self.host.report("memory", "realloc was given what malloc had not made")
            return 0
        address = self._allocate(size)
        if address:
            kept = min(size, self._sizes[block])
            self.guest.write(address, self.guest.read(block, kept))
            self.free(block)
        return address

    @c_routine("PROCEDURE free (block: Ptr)")
    def free(self, block: int) -> None:
        """Give memory back."""
        if not block:
            return
        if self._sizes.pop(block, None) is None:
            self.host.report("memory", "free was given what malloc had not made")
            return
        self._memory.dispose_pointer(block)

    # -- numbers -----------------------------------------------------------------------------------

    @c_routine("FUNCTION abs (value: LONGINT): LONGINT", imports=("labs",))
    def absolute(self, value: int) -> int:
        """A number without its sign."""
        return abs(value)

    def _number(self, text: int, base: int) -> tuple[int, int]:
        """A number at the beginning of a string, and where it ends; the start if there is none."""
        string = self._c_strings.string(text)
        place = len(string) - len(string.lstrip(b" \t\n\v\f\r"))
        negative = string[place : place + 1] == b"-"
        if string[place : place + 1] in (b"-", b"+"):
            place += 1
        if base in (0, 16) and string[place : place + 2].lower() == b"0x":
            digits_at, base = place + 2, 16
        else:
            digits_at = place
            base = base or (8 if string[place : place + 1] == b"0" else 10)
        value, end = 0, digits_at
        while end < len(string):
            letter = chr(string[end])
            digit = int(letter, 36) if letter.isascii() and letter.isalnum() else 36
            if digit >= base:
                break
            value, end = min(value * base + digit, 1 << 40), end + 1
        if end == digits_at:
            return 0, text if digits_at == place else text + place + 1
        return -value if negative else value, text + end

    @c_routine("FUNCTION atoi (text: Ptr): LONGINT", imports=("atol",))
    def atoi(self, text: int) -> int:
        """The decimal number in a string."""
        return signed_32(self._number(text, 10)[0])

    @c_routine("FUNCTION strtol (text: Ptr; finish: Ptr; base: LONGINT): LONGINT")
    def strtol(self, text: int, finish: int, base: int) -> int:
        """The number in a string, in any base."""
        value, end = self._number(text, base)
        if finish:
            self.guest.put32(finish, end)
        return min(max(value, -0x80000000), 0x7FFFFFFF)

    @c_routine("FUNCTION strtoul (text: Ptr; finish: Ptr; base: LONGINT): UInt32")
    def strtoul(self, text: int, finish: int, base: int) -> int:
        """The number in a string, in any base, without a sign."""
        value, end = self._number(text, base)
        if finish:
            self.guest.put32(finish, end)
        return value & 0xFFFFFFFF if abs(value) < 1 << 32 else 0xFFFFFFFF

    def _real(self, text: int) -> tuple[float, int]:
        """The number with a fraction at the beginning of a string, and how long it is."""
        string = self._c_strings.string(text)
        found = REAL.match(string, len(string) - len(string.lstrip(BLANKS)))
        return (float(found.group()), found.end()) if found else (0.0, 0)

    @c_routine("PROCEDURE atof (text: Ptr)")
    def atof(self, text: int) -> None:
        """The number in a string, with a fraction and an exponent; it goes into f1."""
        self.host.engine.register_file.set_double(1, self._real(text)[0])

    @c_routine("PROCEDURE strtod (text: Ptr; finish: Ptr)")
    def strtod(self, text: int, finish: int) -> None:
        """The same, and where it ends."""
        value, size = self._real(text)
        if finish:
            self.guest.put32(finish, text + size)
        self.host.engine.register_file.set_double(1, value)

    @c_routine("FUNCTION rand: LONGINT")
    def rand(self) -> int:
        """The next number, 0 to 32767, of the sequence that the C standard gives as example."""
        self._seed = (self._seed * 1103515245 + 12345) & 0xFFFFFFFF
        return self._seed >> 16 & 0x7FFF

    @c_routine("PROCEDURE srand (seed: UInt32)")
    def srand(self, seed: int) -> None:
        """Begin that sequence."""
        self._seed = seed

    # -- text output -------------------------------------------------------------------------------

    def words_after(self, count: int) -> Callable[[], int]:
        """Gives the arguments behind so many named ones, one word at a time."""
        if self.host.cpu.architecture == "m68k":
            return self.words_at(self._behind_glue(count))
        registers, index = self.host.engine.registers, self.host.engine.index
        first, stack = index["r3"], registers[index["r1"]] + _LINKAGE_AREA
        place = count - 1

        def next_word() -> int:
            nonlocal place
            place += 1
            if place < _REGISTER_ARGUMENTS:
                return int(registers[first + place])
            return self.guest.u32(stack + 4 * place)

        return next_word

    def _behind_glue(self, count: int) -> int:
        """Where the arguments lie that 68K glue was called with, behind so many named ones.

        The glue has pushed D2, room for the result, those that are named, and the routine's name.
        """
        _, stack_pointer = self._dispatcher.caller_registers()
        pushed = 4 + 4 + 4 * count + 4
        return stack_pointer + pushed + 4 + 4 * count

    def words_at(self, address: int) -> Callable[[], int]:
        """Gives the words of an argument list in memory."""
        place = address - 4

        def next_word() -> int:
            nonlocal place
            place += 4
            return self.guest.u32(place)

        return next_word

    def formatted(self, format_: int, next_word: Callable[[], int]) -> bytes:
        """The text that a format makes of the words of its arguments.

        Raises:
            GuestStopped: C has no such format.
        """
        try:
            return format_text(self.guest, self._c_strings.string(format_), next_word)
        except FormatError as error:
            raise self.host.stopped(f"a format of the program: {error}") from error

    def write(self, text: bytes) -> int:
        """Write text to the console; how many bytes.

        Raises:
            GuestStopped: there is more than is kept.
        """
        console = self.host.outputs.console
        if len(console) + len(text) > _LARGEST_CONSOLE:
            raise self.host.stopped("the program writes more to its console than is kept")
        console += text
        return len(text)

    @c_routine("FUNCTION printf (format: Ptr): LONGINT")
    def printf(self, format_: int) -> int:
        """Write formatted text."""
        return self.write(self.formatted(format_, self.words_after(1)))

    @c_routine("FUNCTION vprintf (format: Ptr; arguments: Ptr): LONGINT")
    def vprintf(self, format_: int, arguments: int) -> int:
        """Write formatted text."""
        return self.write(self.formatted(format_, self.words_at(arguments)))

    @c_routine("FUNCTION sprintf (target: Ptr; format: Ptr): LONGINT")
    def sprintf(self, target: int, format_: int) -> int:
        """Store formatted text."""
        text = self.formatted(format_, self.words_after(2))
        self._c_strings.move(target, text + b"\0")
        return len(text)

    @c_routine("FUNCTION vsprintf (target: Ptr; format: Ptr; arguments: Ptr): LONGINT")
    def vsprintf(self, target: int, format_: int, arguments: int) -> int:
        """Store formatted text."""
        text = self.formatted(format_, self.words_at(arguments))
        self._c_strings.move(target, text + b"\0")
        return len(text)

    @c_routine("FUNCTION puts (text: Ptr): LONGINT")
    def puts(self, text: int) -> int:
        """Write a string and a line end."""
        return self.write(self._c_strings.string(text) + b"\n")

    @c_routine("FUNCTION putchar (character: LONGINT): LONGINT")
    def putchar(self, character: int) -> int:
        """Write a character."""
        self.write(bytes([character & 0xFF]))
        return character & 0xFF

    # -- the program and the time ------------------------------------------------------------------

    @c_routine("FUNCTION atexit (action: ProcPtr): LONGINT")
    def atexit(self, action: int) -> int:
        """Have a routine called at the end; not 0 if there are too many."""
        if len(self._at_exit) >= _MOST_EXIT_ROUTINES:
            return 1
        self._at_exit.append(action)
        return 0

    @c_routine("PROCEDURE exit (status: LONGINT)")
    def exit(self, status: int) -> None:
        """Call the routines registered for the end, the last one first, and end."""
        while self._at_exit:
            self.host.call_guest(self._at_exit.pop(), "PROCEDURE AtExit")
        self.host.exit_status = status
        raise ProgramExit

    @c_routine("FUNCTION getenv (name: Ptr): Ptr")
    def getenv(self, name: int) -> int:
        """A variable of MPW's shell: nil, since an application has none."""
        return 0

    @c_routine("FUNCTION signal (number: LONGINT; action: ProcPtr): ProcPtr")
    def signal(self, number: int, action: int) -> int:
        """Have a routine called when the program raises a signal; what was set before."""
        before = self._actions.get(number, _DEFAULT)
        self._actions[number] = action
        return before

    @c_routine("FUNCTION raise (number: LONGINT): LONGINT")
    def raise_signal(self, number: int) -> int:
        """Call that routine once; the program ends if there is none, unless it ignores the signal.

        Raises:
            GuestStopped: there is none.
        """
        action = self._actions.get(number, _DEFAULT)
        if action == _DEFAULT:
            raise self.host.stopped(f"the program raised signal {number}, which it does not handle")
        if action != _IGNORED:
            self._actions[number] = _DEFAULT
            self.host.call_guest(action, "PROCEDURE Signal (number: LONGINT)", number)
        return 0

    @c_routine("FUNCTION strerror (number: LONGINT): Ptr")
    def strerror(self, number: int) -> int:
        """A text for an error number, which the next call writes over."""
        text = f"error {number}".encode()
        if not self._message:
            self._message = self._memory.new_pointer(_LONGEST_MESSAGE)
        return self._c_strings.move(self._message, text + b"\0") if self._message else 0

    @c_routine("PROCEDURE abort")
    def abort(self) -> None:
        """End because something is wrong."""
        raise self.host.stopped("the program called abort")

    @c_routine("FUNCTION clock: UInt32")
    def clock(self) -> int:
        """Sixtieths of a second since the start."""
        return self.host.clock.read() * _TICKS_A_SECOND // 1_000_000

    @c_routine("FUNCTION time (result: Ptr): UInt32")
    def time(self, result: int) -> int:
        """Seconds since 1904, as Macintosh compilers count them."""
        self.host.clock.read()
        seconds = self.host.clock.seconds()
        if result:
            self.guest.put32(result, seconds)
        return seconds
