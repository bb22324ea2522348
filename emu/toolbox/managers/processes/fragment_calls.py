"""The Code Fragment Manager: the routines by which programs connect to libraries themselves.

Source: Inside Macintosh: PowerPC System Software, chapter 3.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.pef.pef import parse_pef
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.processes.fragments import (
    SYSTEM_LIBRARIES,
    Fragment,
    FragmentError,
    Fragments,
)
from emu.toolbox.records.results import ResultCode

_SYSTEM = 1
"""The connection to all of the system's libraries."""

_FIND_ONLY = 2


class CodeFragmentManager(Manager):
    """Connections of a program, by their numbers."""

    plumbing = True
    powerpc_only = True

    _fragments: Fragments
    _files: FileManager

    def __post_init__(self) -> None:
        self.host.connect_fragment = self._connect_code_resource

    def _connect_code_resource(self, address: int) -> int:
        """Connect to the fragment in a fat code resource; the address of its main symbol.

        Raises:
            GuestStopped: it cannot be connected.
        """
        region = self.guest.memory.find(address)
        data = self.guest.read(address, region.end - address) if region else b""
        try:
            fragment = self._parsed(data, 0, f"code resource at 0x{address:x}")
            self._fragments.initialise()
        except FragmentError as error:
            raise self.host.stopped(
                f"the code resource at 0x{address:x} has PowerPC code that cannot be connected: "
                f"{error}"
            ) from error
        return fragment.place(fragment.container.main)

    def _open(
        self, connect: Callable[[], Fragment], connection: int, main: int, message: int
    ) -> int:
        """Connect the program to a fragment, and initialise what that loads; the result."""
        try:
            fragment = connect()
            self._fragments.initialise()
        except FragmentError as error:
            if message:
                name = error.name.encode("mac_roman", "replace")[:255]
                self.guest.put_pascal_string(message, name)
            return error.code
        self.guest.put32(connection, fragment.connection)
        if main:
            self.guest.put32(main, fragment.place(fragment.container.main))
        return 0

    def _parsed(self, data: bytes, name: int, otherwise: str) -> Fragment:
        """Load a container that the program names itself."""
        title = self.guest.pascal_string(name).decode("mac_roman") if name else ""
        try:
            container = parse_pef(data, Path(title or otherwise))
        except ProgramError as error:
            raise FragmentError(ResultCode.cfragFragmentFormatErr, title or otherwise) from error
        return self._fragments.load(title or otherwise, container, otherwise)

    @routine(
        "FUNCTION GetSharedLibrary (libName: Str255; archType: OSType; loadFlags: LONGINT; "
        "VAR connID: LONGINT; VAR mainAddr: Ptr; VAR errMessage: Str255): OSErr",
        architecture="powerpc",
    )
    def get_shared_library(
        self, name: int, architecture: str, flags: int, connection: int, main: int, message: int
    ) -> int:
        """Connect to a library by its name: the system's, or one in the files that are searched."""
        title = self.guest.pascal_string(name).decode("mac_roman")
        if architecture == "pwpc" and title in SYSTEM_LIBRARIES:
            self.guest.put32(connection, _SYSTEM)
            if main:
                self.guest.put32(main, 0)
            return 0

        def connect() -> Fragment:
            loaded = self._fragments.is_loaded(title)
            if architecture != "pwpc" or (flags == _FIND_ONLY and not loaded):
                raise FragmentError(ResultCode.cfragNoLibraryErr, title)
            return self._fragments.connect(title)

        return self._open(connect, connection, main, message)

    @routine(
        "FUNCTION GetDiskFragment (fileSpec: FSSpec; offset: LONGINT; length: LONGINT; "
        "fragName: Str255; loadFlags: LONGINT; VAR connID: LONGINT; VAR mainAddr: Ptr; "
        "VAR errMessage: Str255): OSErr",
        architecture="powerpc",
    )
    def get_disk_fragment(
        self,
        specification: int,
        offset: int,
        length: int,
        name: int,
        flags: int,
        connection: int,
        main: int,
        message: int,
    ) -> int:
        """Connect to a fragment in a file's data fork; a length of 0 is the rest of the fork."""
        try:
            file = self._files.find_file(*self._files.spec(specification))
        except FileError as error:
            return error.code
        data = bytes(file.data[offset : offset + length if length else None])
        title = file.name.decode("mac_roman")
        return self._open(lambda: self._parsed(data, name, title), connection, main, message)

    @routine(
        "FUNCTION GetMemFragment (memAddr: Ptr; length: LONGINT; fragName: Str255; "
        "loadFlags: LONGINT; VAR connID: LONGINT; VAR mainAddr: Ptr; "
        "VAR errMessage: Str255): OSErr",
        architecture="powerpc",
    )
    def get_mem_fragment(
        self,
        address: int,
        length: int,
        name: int,
        flags: int,
        connection: int,
        main: int,
        message: int,
    ) -> int:
        """Connect to a fragment in memory; its sections are copied from there."""
        data = self.guest.read(address, length)
        return self._open(lambda: self._parsed(data, name, ""), connection, main, message)

    @routine("FUNCTION CloseConnection (VAR connID: LONGINT): OSErr", architecture="powerpc")
    def close_connection(self, connection: int) -> int:
        """Give a connection up; a library that nobody uses is terminated and unloaded."""
        number = self.guest.u32(connection)
        if number == _SYSTEM:
            return 0
        fragment = self._fragments.loaded.get(number)
        if fragment is None:
            return ResultCode.cfragConnectionIDErr
        self._fragments.give_up(fragment)
        return 0

    @routine(
        "FUNCTION FindSymbol (connID: LONGINT; symName: Str255; VAR symAddr: Ptr; "
        "VAR symClass: SignedByte): OSErr",
        architecture="powerpc",
    )
    def find_symbol(self, connection: int, name: int, address: int, kind: int) -> int:
        """The address and kind of a symbol by its name."""
        title = self.guest.pascal_string(name).decode("mac_roman")
        try:
            symbol = self._symbol(connection, title)
        except FragmentError as error:
            return error.code
        return self._give(symbol, address, kind)

    def _symbol(self, connection: int, name: str) -> tuple[int, int]:
        if connection == _SYSTEM:
            return self._fragments.of_system(name)
        fragment = self._fragments.loaded.get(connection)
        if fragment is None:
            raise FragmentError(ResultCode.cfragConnectionIDErr, name)
        return fragment.find(name)

    def _give(self, symbol: tuple[int, int], address: int, kind: int) -> int:
        if address:
            self.guest.put32(address, symbol[0])
        if kind:
            self.guest.put8(kind, symbol[1])
        return 0

    @routine(
        "FUNCTION CountSymbols (connID: LONGINT; VAR symCount: LONGINT): OSErr",
        architecture="powerpc",
    )
    def count_symbols(self, connection: int, count: int) -> int:
        """How many symbols a fragment gives to others."""
        fragment = self._fragments.loaded.get(connection)
        if fragment is None:
            return ResultCode.cfragConnectionIDErr
        self.guest.put32(count, len(fragment.container.exports))
        return 0

    @routine(
        "FUNCTION GetIndSymbol (connID: LONGINT; symIndex: LONGINT; VAR symName: Str255; "
        "VAR symAddr: Ptr; VAR symClass: SignedByte): OSErr",
        architecture="powerpc",
    )
    def get_ind_symbol(
        self, connection: int, index: int, name: int, address: int, kind: int
    ) -> int:
        """A symbol by its number, from 0."""
        fragment = self._fragments.loaded.get(connection)
        if fragment is None:
            return ResultCode.cfragConnectionIDErr
        exports = fragment.container.exports
        if not 0 <= index < len(exports):
            return ResultCode.cfragNoSymbolErr
        title = exports[index].name
        self.guest.put_pascal_string(name, title.encode("mac_roman", "replace")[:255])
        return self._give(fragment.find(title), address, kind)
