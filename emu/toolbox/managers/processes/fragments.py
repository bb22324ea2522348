"""The Code Fragment Manager: loading shared libraries for PowerPC programs.

Libraries are loaded into the application's heap, as with virtual memory off. The machine itself has
the libraries of System 7.1.2 for the Power Macintosh 6100, and those of Open Transport; their
routines are this Toolbox.
Source: Inside Macintosh: PowerPC System Software, chapter 3; for the names of Open Transport's
libraries, Apple's header OpenTransport.h, and the imports of programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from emu.base.errors import ProgramError
from emu.program.fragments.shared_libraries import SharedLibrary
from emu.program.fragments.system_variables import (
    SYSTEM_PROCEDURES,
    SYSTEM_VARIABLES,
    VARIABLE_ENDS,
    VARIABLE_NAMES,
    variable_at,
)
from emu.program.pef.pef_model import ABSOLUTE, REEXPORTED, PefContainer, PefExport, PefImport
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE
from emu.toolbox.managers.files.volume import ROOT_ID
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode

_OPEN_TRANSPORT = (
    "OTATalkClientLib OTClientLib OTClientUtilLib OTGlobalLib OTInetClientLib OTKernelUtilLib "
    "OTNativeClientLib OTStreamUnixLib OTUtilityLib OTXTILib OpenTransportLib "
    "OpenTptAppleTalkLib OpenTptInternetLib"
)
_BASIC = "InterfaceLib MathLib ObjectSupportLib StdCLib ThreadsLib"
SYSTEM_LIBRARIES = frozenset((*_BASIC.split(), *_OPEN_TRANSPORT.split()))
LATER_LIBRARIES = frozenset(("DragLib",))
"""A library of System 7.5. A program that does not start without it finds it here; for one that
tests whether it is there, it is not, as Gestalt says."""

_FIRST_CONNECTION = 0x1000
_ALIGNMENT = 16
_KINDS = {"code": 0, "data": 1, "transition vector": 2}
_BLOCK_SIZE, _SPECIFICATION_SIZE = 44, 70
_IN_DATA_FORK = 1


class FragmentError(Exception):
    """A fragment cannot be connected.

    Attributes:
        code: the result for the program.
        name: the fragment or symbol that is at fault.
    """

    def __init__(self, code: int, name: str) -> None:
        super().__init__(f"{name} (error {code})")
        self.code, self.name = code, name


@dataclass(slots=True, eq=False)
class Fragment:
    """A fragment in memory.

    Attributes:
        name: its name.
        connection: its number for programs.
        container: what it was loaded from.
        addresses: where each of its sections lies.
        file: the name of the file it is from.
        blocks: the blocks of the heap that are its own.
        imports: the addresses of what it imports.
        users: how often it is connected.
    """

    name: str
    connection: int
    container: PefContainer
    addresses: Sequence[int]
    file: str
    blocks: Sequence[int] = ()
    imports: list[int] = field(default_factory=list)
    users: int = 1
    _exports: Mapping[str, PefExport] = field(init=False)

    def __post_init__(self) -> None:
        self._exports = {export.name: export for export in self.container.exports}

    def place(self, where: tuple[int, int] | None) -> int:
        """The address of a section's offset; 0 for None."""
        return self.addresses[where[0]] + where[1] if where is not None else 0

    def import_at(self, address: int) -> PefImport | None:
        """The symbol whose address was put into a word of the fragment, if it is an import's."""
        for start, words in zip(self.addresses, self.container.relocations, strict=True):
            for source in words.sources[words.offsets == address - start]:
                if source < 0:
                    return self.container.imports[-1 - int(source)]
        return None

    def find(self, name: str) -> tuple[int, int]:
        """Address and kind of a symbol that it gives to others.

        Raises:
            FragmentError: there is none of that name.
        """
        export = self._exports.get(name)
        if export is None:
            raise FragmentError(ResultCode.cfragNoSymbolErr, name)
        if export.section == ABSOLUTE:
            address = export.offset
        elif export.section == REEXPORTED:
            address = self.imports[export.offset] if export.offset < len(self.imports) else 0
        else:
            address = self.place((export.section, export.offset))
        return address, _KINDS.get(export.kind, 0)


class Fragments(Manager):
    """The fragments of a run.

    Attributes:
        available: the libraries that a program finds besides the system's, by name.
        loaded: those in memory, by their connection.
        waiting: those to be initialised, in this order.
    """

    plumbing = True

    _memory: MemoryManager
    _dispatcher: Dispatcher

    def __post_init__(self) -> None:
        self.available: Mapping[str, SharedLibrary] = {}
        self.loaded: dict[int, Fragment] = {}
        self.waiting: list[Fragment] = []
        self._next = _FIRST_CONNECTION
        self._variables: dict[str, int] = {}

    # -- for the loader ----------------------------------------------------------------------------

    def load_application(
        self, name: str, container: PefContainer, addresses: Sequence[int]
    ) -> None:
        """Connect a program to its libraries, and put it where it was given memory.

        Raises:
            FragmentError: a library has no memory, or something it needs is not there.
        """
        self._put(self._new(name, container, addresses, name))

    def describe(self, address: int) -> str:
        """The library that an address lies in, and its place there; "" for none."""
        for fragment in self.loaded.values():
            for section, start in zip(fragment.container.placed, fragment.addresses, strict=True):
                if fragment.blocks and start <= address < start + section.size:
                    return f"{fragment.name}, section {section.index}+0x{address - start:x}"
        return ""

    def initialise(self) -> None:
        """Call the initialisation routines of what was loaded, those of libraries first.

        Raises:
            FragmentError: one fails.
        """
        while self.waiting:
            fragment = self.waiting.pop(0)
            routine = fragment.place(fragment.container.initialise)
            if routine:
                error = self.host.call_guest(
                    routine, "FUNCTION Initialise (block: Ptr): OSErr", self._block(fragment)
                )
                if error:
                    raise FragmentError(ResultCode.cfragInitFunctionErr, fragment.name)

    def terminate(self) -> None:
        """Call the termination routines of everything, in the opposite order."""
        for fragment in reversed(list(self.loaded.values())):
            self._terminate(fragment)

    # -- loading -----------------------------------------------------------------------------------

    def _new(
        self, name: str, container: PefContainer, addresses: Sequence[int], file: str
    ) -> Fragment:
        fragment = Fragment(name, self._next, container, addresses, file)
        self._next += 1
        self.loaded[fragment.connection] = fragment
        return fragment

    def _put(self, fragment: Fragment) -> None:
        """Resolve a fragment's imports and write its sections; libraries that it needs come first.

        The fragment can be found meanwhile, since libraries may import from each other.
        """
        for symbol in fragment.container.imports:
            fragment.imports.append(self._address_of(symbol))
        images = fragment.container.place(fragment.addresses, fragment.imports)
        for address, image in zip(fragment.addresses, images, strict=True):
            self.guest.memory.write(address, image)
            self.host.engine.forget_code(address, len(image))
        self.waiting.append(fragment)

    def load(self, name: str, container: PefContainer, file: str) -> Fragment:
        """Load a fragment into the heap, with the libraries that it needs.

        Raises:
            FragmentError: there is no memory, or something it needs is not there.
        """
        blocks = []
        for section in container.placed:
            blocks.append(self._memory.new_pointer(section.size + _ALIGNMENT))
            if not blocks[-1]:
                for block in blocks[:-1]:
                    self._memory.dispose_pointer(block)
                raise FragmentError(ResultCode.cfragNoClientMemErr, name)
        fragment = self._new(name, container, [-(-size // 16) * 16 for size in blocks], file)
        fragment.blocks = blocks
        try:
            self._put(fragment)
        except FragmentError:
            self._unload(fragment)
            raise
        return fragment

    def connect(self, name: str) -> Fragment:
        """The fragment of a name, loaded if it is not yet in memory.

        Raises:
            FragmentError: it is not there, is damaged, or cannot be loaded.
        """
        for fragment in self.loaded.values():
            if fragment.name == name:
                fragment.users += 1
                return fragment
        library = self.available.get(name)
        if library is None:
            raise FragmentError(ResultCode.cfragNoLibraryErr, name)
        try:
            return self.load(name, library.container(), library.file.name)
        except ProgramError as error:
            raise FragmentError(ResultCode.cfragFragmentFormatErr, name) from error

    def _address_of(self, symbol: PefImport) -> int:
        """The address of an import; 0 for a weak one that is not there."""
        is_later = symbol.library in LATER_LIBRARIES and symbol.library not in self.available
        if is_later and symbol.weak:
            return 0
        if is_later or symbol.library in SYSTEM_LIBRARIES:
            is_own = symbol.name in VARIABLE_NAMES or self._powerpc.knows(symbol.name)
            if symbol.weak and not is_own:
                return 0
            # Not every linker notes that a symbol is data.
            if symbol.kind == "data" or symbol.name in VARIABLE_NAMES:
                return self.variable(symbol.name)
            return self._powerpc.import_address(symbol.name)
        try:
            return self.connect(symbol.library).find(symbol.name)[0]
        except FragmentError:
            if symbol.weak:
                return 0
            raise

    def variable(self, name: str) -> int:
        """The address of a variable of the system's libraries.

        Raises:
            FragmentError: it is not here; a program would take what lies there for its value.
        """
        if name not in VARIABLE_NAMES:
            raise FragmentError(ResultCode.cfragNoSymbolErr, f"there is no variable {name}")
        if name not in self._variables:
            routine, whole = SYSTEM_PROCEDURES.get(name), VARIABLE_ENDS.get(name)
            is_pointer = bool(routine or whole)
            address = self._memory.new_pointer(4 if is_pointer else len(variable_at(name, 0)))
            self._variables[name] = address
            if routine:
                self.guest.put32(address, self._powerpc.import_address(routine))
            elif whole:
                end = self.variable(whole) + len(SYSTEM_VARIABLES[whole])
                self.guest.put32(address, end)
            else:
                self.guest.write(address, variable_at(name, address))
        return self._variables[name]

    @property
    def _powerpc(self) -> PowerPcDispatcher:
        assert isinstance(self._dispatcher, PowerPcDispatcher)
        return self._dispatcher

    def of_system(self, name: str) -> tuple[int, int]:
        """Address and kind of a routine of the system's libraries.

        Raises:
            FragmentError: there is none of that name.
        """
        if not self._powerpc.knows(name):
            raise FragmentError(ResultCode.cfragNoSymbolErr, name)
        return self._powerpc.import_address(name), _KINDS["transition vector"]

    def is_loaded(self, name: str) -> bool:
        """Whether a fragment is in memory."""
        return any(fragment.name == name for fragment in self.loaded.values())

    def give_up(self, fragment: Fragment) -> None:
        """End a connection; a library that nobody uses is terminated and unloaded."""
        fragment.users -= 1
        if not fragment.users and fragment.blocks:
            self._terminate(fragment)
            self._unload(fragment)

    def _unload(self, fragment: Fragment) -> None:
        del self.loaded[fragment.connection]
        if fragment in self.waiting:
            self.waiting.remove(fragment)
        for block in fragment.blocks:
            self._memory.dispose_pointer(block)

    def _terminate(self, fragment: Fragment) -> None:
        routine = fragment.place(fragment.container.terminate)
        if routine:
            self.host.call_guest(routine, "PROCEDURE Terminate")

    def _block(self, fragment: Fragment) -> int:
        """The record that an initialisation routine is given: its connection and its file."""
        guest, block = self.guest, self._memory.new_pointer(_BLOCK_SIZE, clear=True)
        name = pascal_string(fragment.name.encode("mac_roman", "replace")[:63])
        specification = self._memory.new_pointer(_SPECIFICATION_SIZE + len(name), clear=True)
        guest.put32(block + 8, fragment.connection)
        guest.put32(block + 12, _IN_DATA_FORK)
        guest.put32(block + 16, specification)
        guest.put32(block + 28, specification + _SPECIFICATION_SIZE)
        guest.put16(specification, VOLUME_REFERENCE)
        guest.put32(specification + 2, ROOT_ID)
        file = fragment.file.encode("mac_roman", "replace")[:63]
        guest.put_pascal_string(specification + 6, file)
        guest.write(specification + _SPECIFICATION_SIZE, name)
        return block
