"""Loads a program into a Macintosh, as the Finder and the system's loaders do."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import ProgramError, UsageError
from emu.machine.cpu import CPUS, MAC_CPUS, Cpu
from emu.program.code68k.code_layout import parse_code_resources
from emu.program.code68k.code_parts import SegmentSymbol
from emu.program.code68k.code_resources import segment_symbols
from emu.program.fragments.shared_libraries import (
    MissingImport,
    SharedLibrary,
    libraries_for,
    required,
)
from emu.program.fragments.system_variables import VARIABLE_NAMES
from emu.program.functions.traceback_tables import find_traceback_tables
from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_program import Executable, not_an_application, read_executable
from emu.program.pef.pef_model import PefContainer
from emu.program.symbols.fragment_elf import is_elf, read_fragment_symbols
from emu.program.symbols.symbol_files import find_symbols
from emu.program.xcoff.xcoff import parse_xcoff
from emu.quickdraw import bytes_in_row
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.clock import CallClock, Clock
from emu.toolbox.computer.macintosh_models import has_color_quickdraw, machine_of
from emu.toolbox.computer.partition import Partition, partition_of
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.console import ConsoleWatch
from emu.toolbox.guest.layout import HEAP_START, ProgramSection, plan
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.processes.fragments import (
    LATER_LIBRARIES,
    SYSTEM_LIBRARIES,
    FragmentError,
)

DEFAULT_CPUS = {"m68k": "68040", "powerpc": "601"}
_LIBRARY_MARGIN = 64  # of a library's section: to align it, and the block's header


@dataclass(frozen=True, slots=True)
class _Names:
    """The symbols of a piece of code that can be loaded anywhere in memory."""

    symbols: tuple[SegmentSymbol, ...]
    offsets: tuple[int, ...]

    @classmethod
    def of(cls, symbols: Sequence[SegmentSymbol]) -> _Names:
        ordered = tuple(sorted(symbols, key=lambda s: s.offset))
        return cls(ordered, tuple(s.offset for s in ordered))

    def find(self, offset: int) -> str:
        index = bisect_right(self.offsets, offset) - 1
        if index < 0:
            return ""
        symbol = self.symbols[index]
        distance = offset - symbol.offset
        if symbol.size and distance >= symbol.size:
            return ""
        return f"{symbol.name}+0x{distance:x}"

    def routine(self, name: str) -> SegmentSymbol | None:
        """The routine of a name whose beginning is known, or can be told from its code."""
        named = (s for s in self.symbols if s.name.lstrip(".") == name)
        return next((s for s in named if s.is_alone), None)


@dataclass(frozen=True, slots=True)
class _Segments:
    """The segments of a 68K application, which lie where the Segment Loader has put them."""

    mac: Macintosh
    names: Mapping[int, _Names]

    def locate(self, address: int) -> str:
        """An address in words, with its segment and the symbol there if it is in one."""
        place = self._place_of(address)
        if place is None:
            region = self.mac.guest.memory.find(address)
            return f"0x{address:08x}" + (f" ({region.name})" if region else " (nothing there)")
        name = self.names[place[0]].find(place[1])
        return f"0x{address:08x} CODE {place[0]}+0x{place[1]:x}" + (f" {name}" if name else "")

    def _place_of(self, address: int) -> tuple[int, int] | None:
        """The segment that contains an address, and the offset in it."""
        for number in self.names:
            handle = self.mac.resources.loaded("CODE", number)
            if not handle:
                continue
            start = self.mac.memory.address(handle)
            if start and start <= address < start + self.mac.memory.handle_size(handle):
                return number, address - start
        return None


@dataclass(frozen=True, slots=True)
class _Fragment:
    """A PowerPC application, whose code begins at an address, with its libraries."""

    mac: Macintosh
    names: Callable[[], _Names]
    code: int

    def locate(self, address: int) -> str:
        """An address in words, with its library, symbol or region."""
        region = self.mac.guest.memory.find(address)
        if region is None:
            return f"0x{address:08x} (nothing there)"
        library = self.mac.fragments.describe(address)
        if library:
            return f"0x{address:08x} ({library})"
        name = self.names().find(address - self.code) if region.address == self.code else ""
        return f"0x{address:08x} {name or f'({region.name})'}"


def choose_cpu(executable: Executable, name: str | None) -> Cpu:
    """Choose the processor to run a program on.

    Args:
        executable: the program.
        name: the processor that the user asked for ("68000", "68040", "601"). None means the usual
            one for the program's architecture, which is PowerPC for a fat application.

    Raises:
        ProgramError: the program is no application, or is not for that processor.
        UsageError: there is no such processor.
    """
    path, has = executable.path, executable.architectures
    if not has:
        raise not_an_application(executable)
    if name is None:
        return CPUS[DEFAULT_CPUS["powerpc" if "powerpc" in has else "m68k"]]
    if name not in MAC_CPUS:
        raise UsageError(f"there is no CPU {name}; there are {', '.join(MAC_CPUS)}")
    cpu = CPUS[name]
    if cpu.architecture not in has:
        raise ProgramError(
            path,
            f"it has no code for a {cpu.title}, only for {' and '.join(has)}",
        )
    return cpu


def load(
    path: Path | str,
    cpu: str | None = None,
    *,
    symbols: Path | None = None,
    settings: Settings | None = None,
    clock: Clock | None = None,
    has_grafts: bool = False,
) -> Macintosh:
    """Make a Macintosh that is about to execute the first instruction of a program.

    Args:
        path: the program, in any container that `emu.program.read_executable` reads.
        cpu: the processor's name; see `choose_cpu`. If it is None, a fat application whose PowerPC
            program lacks a library is run for the 68K, as on a Macintosh of that kind.
        symbols: the linked file with the program's symbols; by default the one beside it.
        settings: what the user chose.
        clock: the clock; by default `CallClock`.
        has_grafts: whether there is memory for new functions beside those of the program.

    Raises:
        ProgramError: the file is damaged, or no application.
        UsageError: it needs more memory than there is.
    """
    executable = read_executable(path)
    chosen = choose_cpu(executable, cpu)
    settings = settings or Settings()
    depth = settings.depth or machine_of(settings.machine, chosen).depth
    settings = replace(settings, depth=depth)
    clock = clock or CallClock()
    if chosen.architecture == "powerpc":
        assert executable.pef is not None
        libraries = _find_libraries(executable, executable.pef, settings)
        if not libraries.lacking:
            return _load_powerpc(
                executable, executable.pef, libraries, chosen, symbols, settings, clock, has_grafts
            )
        if cpu is not None or "m68k" not in executable.architectures:
            raise _cannot_start(executable, libraries.lacking)
        chosen = CPUS[DEFAULT_CPUS["m68k"]]
    return _load_m68k(executable, chosen, symbols, settings, clock, has_grafts)


def _application(file: MacFile) -> Application:
    return Application(file.name, file.resources, file.creator, file.data, file.resource_fork)


def _partition(executable: Executable, cpu: Cpu, settings: Settings) -> Partition:
    asked = (
        one.stack_size
        for one in executable.fragments
        if (one.usage, one.architecture) == ("application", cpu.architecture)
    )
    has_color = has_color_quickdraw(settings, machine_of(settings.machine, cpu))
    return partition_of(executable.file, settings, has_color=has_color, stack=next(asked, 0))


def _screen_size(settings: Settings) -> int:
    width, height = settings.screen
    return bytes_in_row(width, settings.depth) * height


def _load_m68k(
    executable: Executable,
    cpu: Cpu,
    symbols: Path | None,
    settings: Settings,
    clock: Clock,
    has_grafts: bool,
) -> Macintosh:
    file = executable.file
    world = parse_code_resources(file).world
    partition = _partition(executable, cpu, settings)
    layout = plan(
        partition.heap,
        partition.stack,
        _screen_size(settings),
        below_a5=world.below_a5,
        above_a5=world.above_a5,
        table_offset=world.table_offset,
        has_grafts=has_grafts,
    )
    symbols = symbols or find_symbols(file, "m68k")
    names = {
        number: _Names.of(segment_symbol)
        for number, segment_symbol in segment_symbols(file, symbols).items()
    }
    mac = Macintosh(cpu, layout, settings, clock, _application(file))
    table = layout.a5 + world.table_offset
    mac.guest.write(table, world.table)
    mac.guest.put16(0x934, world.table_offset)

    mac.host.locate = _Segments(mac, names).locate
    for number, name in names.items():
        routine = name.routine(ConsoleWatch.SYMBOL)
        if routine is not None:
            console = ConsoleWatch(mac, is_guess=routine.is_guess)
            _follow_console(mac, console, number, routine.offset)
    assert isinstance(mac.dispatcher, M68kDispatcher)
    # The first entry of the jump table loads segment 1 and leads to the program's beginning.
    mac.dispatcher.start(table + 2, layout.stack_top, layout.a5)
    return mac


def _follow_console(mac: Macintosh, console: ConsoleWatch, number: int, offset: int) -> None:
    """Watch the console's routine, also when its segment is loaded elsewhere."""

    def follow() -> None:
        handle = mac.resources.loaded("CODE", number)
        start = mac.memory.address(handle) if handle else 0
        console.move_to(start + offset if start else None)

    for name in ("HLock", "LoadSeg", "GetResource", "LoadResource"):
        mac.after[name] = follow


def _load_powerpc(
    executable: Executable,
    pef: PefContainer,
    libraries: _Libraries,
    cpu: Cpu,
    symbols: Path | None,
    settings: Settings,
    clock: Clock,
    has_grafts: bool,
) -> Macintosh:
    file = executable.file
    if pef.main is None:
        raise ProgramError(file.path, "its PEF container has no main symbol")
    sections = tuple(
        ProgramSection(f"section {s.index} ({s.kind})", s.size, s.writable, s.executable)
        for s in pef.placed
    )
    room = sum(s.size + _LIBRARY_MARGIN for container in libraries.needed for s in container.placed)
    partition, screen_size = _partition(executable, cpu, settings), _screen_size(settings)
    layout = plan(
        partition.heap + room,
        partition.stack,
        screen_size,
        sections=sections,
        has_grafts=has_grafts,
    )
    mac = Macintosh(cpu, layout, settings, clock, _application(file))
    dispatcher = mac.dispatcher
    assert isinstance(dispatcher, PowerPcDispatcher)
    by_name = {region.name: region.address for region in layout.sections}
    addresses = [by_name.get(section.name, HEAP_START) for section in sections]
    mac.fragments.available = libraries.available
    try:
        mac.fragments.load_application(file.name, pef, addresses)
    except FragmentError as error:
        raise ProgramError(file.path, f"its libraries cannot be loaded: {error}") from error

    xcoff = symbols or find_symbols(file, "powerpc")
    _name_places(mac, pef, addresses, xcoff)
    section, offset = pef.main
    entry, toc = dispatcher.procedure(addresses[section] + offset)
    dispatcher.start(entry, layout.stack_top, toc)
    return mac


def _name_places(
    mac: Macintosh, pef: PefContainer, addresses: Sequence[int], xcoff: Path | None
) -> None:
    """Have places told by the routines' names, and the text of Retro68's console kept."""
    placed = zip(addresses, pef.placed, strict=True)
    code, instructions = next(((a, s.data) for a, s in placed if s.executable), (0, b""))

    @functools.cache
    def names() -> _Names:
        """Those of the linked file, or when they are first needed those in the code itself."""
        if xcoff is not None:
            return _powerpc_names(xcoff)
        return _Names.of(
            [
                SegmentSymbol(table.name, offset, table.function_size or 0)
                for offset, table in find_traceback_tables(instructions)
                if table.name
            ]
        )

    mac.host.locate = _Fragment(mac, names, code).locate
    routine = names().routine(ConsoleWatch.SYMBOL) if xcoff is not None else None
    if routine is not None:
        ConsoleWatch(mac).move_to(code + routine.offset)


@dataclass(frozen=True, slots=True)
class _Libraries:
    """The shared libraries that a program finds, those it needs to start, and what is missing."""

    available: Mapping[str, SharedLibrary]
    needed: Sequence[PefContainer]
    lacking: Sequence[MissingImport]


def _find_libraries(executable: Executable, pef: PefContainer, settings: Settings) -> _Libraries:
    available = libraries_for(executable.file, executable.path, settings.folder)
    name = executable.file.name
    system = SYSTEM_LIBRARIES | (LATER_LIBRARIES - available.keys())
    needed, lacking = required(name, pef, available, system, VARIABLE_NAMES)
    return _Libraries(available, list(needed.values()), lacking)


def _cannot_start(executable: Executable, lacking: Sequence[MissingImport]) -> ProgramError:
    """The error for a program that a Macintosh would not start."""
    is_fat = "m68k" in executable.architectures
    others = " Its 68K program runs with --cpu 68040." * is_fat
    return ProgramError(
        executable.path,
        "it cannot start without its libraries: " + "; ".join(map(str, lacking)),
        remedy="This machine has InterfaceLib, MathLib, ObjectSupportLib, StdCLib, ThreadsLib and "
        "the libraries of Open Transport. Put the files of other libraries into the program's "
        "folder, or into that of "
        f"--folder.{others}",
    )


def _powerpc_names(path: Path) -> _Names:
    data = path.read_bytes()
    if is_elf(data):
        return _Names.of(
            [
                SegmentSymbol(s.name, s.address, s.size)
                for s in read_fragment_symbols(data, path)
                if s.kind == "function"
            ]
        )
    xcoff = parse_xcoff(data, path)
    code = xcoff.section("code")
    if code is None:
        return _Names.of(())
    return _Names.of(
        [
            SegmentSymbol(s.name.lstrip("."), s.offset, s.size)
            for s in xcoff.symbols
            if s.section == code.index and s.kind == "code"
        ]
    )
