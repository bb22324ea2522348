"""Puts PowerPC code fragments into memory: PEF containers and linked XCOFF files.

A fragment has no addresses of its own. Its sections get addresses here that are far apart, so that
code which runs off the end of a section faults. Imported routines get addresses without memory, so
that a routine which calls one faults there. Imported variables of the system's libraries lie in a
segment of their own.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.program.elf.dwarf import DebugInformation
from emu.program.fragments.system_variables import ImportedVariables, imported_variables
from emu.program.model.model import Program, Segment, Symbol
from emu.program.pef.pef_model import ABSOLUTE, REEXPORTED, PefContainer
from emu.program.symbols.fragment_elf import is_elf, with_elf
from emu.program.xcoff.xcoff import parse_xcoff
from emu.program.xcoff.xcoff_debug import read_xcoff_debug_information
from emu.program.xcoff.xcoff_model import MOST_MEMORY, XcoffFile, XcoffSection, XcoffSymbol

CONVENTION = "ppc-poweropen"
_IMPORTS = 0x1000
_IMPORT_SIZE = 8  # a transition vector
_FIRST_SECTION = 0x10000
_LAST_SECTION = 0x20000000
_DISTANCE = 0x10000
_PAGE = 0x1000


def pef_program(
    container: PefContainer, path: Path, symbols_from: tuple[bytes, Path] | None = None
) -> Program:
    """A PEF container as a program.

    Args:
        container: the container.
        path: the file it came from, for messages.
        symbols_from: an XCOFF or ELF file's contents and path: the file that the container was
            made of.

    Raises:
        ProgramError: that file is damaged, or not what the container was made of.
    """
    names = [i.name for i in container.imports]
    variables = imported_variables(names)
    sections = container.placed
    sizes = [s.size for s in sections]
    *addresses, variables_at = _addresses([*sizes, variables.size], len(names), path)
    imports = _import_addresses(names, variables, variables_at)
    images = container.place(addresses, imports)
    segments = [
        Segment(
            name=f"section {s.index} ({s.name or s.kind})",
            address=address,
            size=s.size,
            data=image,
            writable=s.writable,
            executable=s.executable,
        )
        for s, address, image in zip(sections, addresses, images, strict=True)
        if s.size
    ]
    if not segments:
        raise ProgramError(path, "it has nothing to load into memory")
    segments += _variables_segment(variables, variables_at)
    symbols = [
        Symbol(e.name, addresses[e.section] + e.offset, 0, "other")
        for e in container.exports
        if e.section not in (ABSOLUTE, REEXPORTED)
    ]
    if symbols_from is None:  # otherwise the routines have names already
        symbols += _exported_routines(container, addresses, images)
    symbols += _import_symbols(names, imports)
    elf = symbols_from if symbols_from is not None and is_elf(symbols_from[0]) else None
    if symbols_from is not None and elf is None:
        xcoff = parse_xcoff(*symbols_from)
        symbols += _symbols(xcoff, _require_same(container, xcoff, path, addresses))
    program = _program(path, segments, symbols, _contents(container, images), DebugInformation())
    return with_elf(program, container, *elf) if elf is not None else program


def _contents(container: PefContainer, images: Sequence[bytes]) -> int:
    """The table of contents of the main routine; 0 if the container has no such routine."""
    if container.main is not None:
        section, offset = container.main
        if offset + 8 <= len(images[section]):  # a transition vector: code, then contents
            return int.from_bytes(images[section][offset + 4 : offset + 8], "big")
    return 0


def _exported_routines(
    container: PefContainer, addresses: Sequence[int], images: Sequence[bytes]
) -> list[Symbol]:
    """The routines whose transition vectors a container exports."""
    routines = []
    for export in container.exports:
        if export.kind == "transition vector" and export.section not in (ABSOLUTE, REEXPORTED):
            word = images[export.section][export.offset : export.offset + 4]
            code = int.from_bytes(word, "big")
            for section, start in zip(container.placed, addresses, strict=True):
                if section.executable and len(word) == 4 and 0 <= code - start < section.size:
                    routines.append(Symbol(export.name, code, 0, "function"))
    return _with_sizes(routines)


def xcoff_program(xcoff: XcoffFile, path: Path) -> Program:
    """A linked XCOFF file as a program.

    Sections that were linked to addresses of their own stay there, and debugging information says
    what lies in them. Retro68's applications have all sections at address 0.

    Raises:
        ProgramError: it is an object that was never linked, has nothing in it, or is damaged.
    """
    if not xcoff.linked:
        raise ProgramError(path, "it is an object to be linked, not a linked program")
    loaded = [s for s in xcoff.sections if s.kind in ("code", "data", "zeroed data") and s.size]
    if not loaded:
        raise ProgramError(path, "it has nothing to load into memory")
    names = [i.name for i in xcoff.imports]
    variables = imported_variables(names)
    is_placed = _are_apart(loaded, len(names))
    bases = {s.index: s.address for s in loaded}
    if not is_placed:
        bases = _bases(xcoff, loaded, len(names), path)
    end = max(bases[s.index] + s.size for s in loaded)
    variables_at = -(-end // _DISTANCE + 1) * _DISTANCE
    imports = _import_addresses(names, variables, variables_at)
    addresses = [bases.get(s.index, 0) for s in xcoff.sections]
    moved = [bases.get(s.index, s.address) - s.address for s in xcoff.sections]
    resolved = [0 if i.weak else a for i, a in zip(xcoff.imports, imports, strict=True)]
    segments = [
        Segment(
            name=s.name,
            address=addresses[s.index],
            size=s.size,
            data=xcoff.relocations[s.index].apply(s.data, moved, resolved),
            writable=s.kind != "code",
            executable=s.kind == "code",
        )
        for s in loaded
    ]
    segments += _variables_segment(variables, variables_at)
    symbols = _import_symbols(names, imports)
    symbols += _symbols(xcoff, addresses)
    contents = 0
    if xcoff.contents is not None:
        contents = addresses[xcoff.contents[0]] + xcoff.contents[1]
    debug = read_xcoff_debug_information(xcoff) if is_placed else DebugInformation()
    return _program(path, segments, symbols, contents, debug.within(segments))


def _are_apart(sections: Sequence[XcoffSection], imports: int) -> bool:
    """Whether sections have addresses that can be kept: above the imports, code in its own pages.

    Addresses far from each other are not kept: memory would have to reach from one to the other.
    """
    pages = sorted(
        (s.address // _PAGE, (s.address + s.size - 1) // _PAGE, s.kind) for s in sections
    )
    below = (0, (_IMPORTS + _IMPORT_SIZE * imports) // _PAGE + 1, "code")
    return pages[-1][1] * _PAGE < pages[0][0] * _PAGE + MOST_MEMORY and all(
        before[1] < after[0] or (before[1] == after[0] and "code" not in (before[2], after[2]))
        for before, after in itertools.pairwise([below, *pages])
    )


def _bases(
    xcoff: XcoffFile, loaded: Sequence[XcoffSection], imports: int, path: Path
) -> dict[int, int]:
    """Addresses for sections that have none of their own, by index."""
    # The code expects the zeroed data right behind the data, as it was linked.
    following = [s for s in loaded if s.kind == "zeroed data"]
    room = sum(s.size for s in following) + 16
    parts = [s for s in loaded if s not in following] or following
    places = _addresses([s.size + (room if s.kind == "data" else 0) for s in parts], imports, path)
    bases = {s.index: address for s, address in zip(parts, places, strict=True)}
    data = xcoff.section("data")
    for section in following:
        if data is not None and data.index in bases:
            distance = section.address - data.address
            if not data.size <= distance <= data.size + 16:
                distance = data.size
            bases[section.index] = bases[data.index] + distance
    return bases


def _program(
    path: Path,
    segments: Sequence[Segment],
    symbols: Sequence[Symbol],
    contents: int,
    debug: DebugInformation,
) -> Program:
    return Program(
        path=path,
        architecture="powerpc",
        byte_order=">",
        segments=segments,
        symbols=symbols,
        variables=debug.variables,
        functions=debug.functions,
        lines=debug.lines,
        signatures=debug.signatures,
        types=debug.types,
        has_debug_information=debug.present,
        dropped=debug.dropped,
        registers={"r2": contents},
        convention=CONVENTION,
    )


def _import_addresses(
    names: Sequence[str], variables: ImportedVariables, variables_at: int
) -> list[int]:
    """The address of each import: of a variable its own, of anything else one without memory."""
    return [
        variables_at + variables.offsets[name]
        if name in variables.offsets
        else _IMPORTS + _IMPORT_SIZE * index
        for index, name in enumerate(names)
    ]


def _variables_segment(variables: ImportedVariables, address: int) -> list[Segment]:
    """The segment of imported variables; none if there are none."""
    if not variables.size:
        return []
    return [
        Segment(
            name="imported variables",
            address=address,
            size=variables.size,
            data=variables.placed(address),
            writable=True,
            executable=False,
        )
    ]


def _import_symbols(names: Sequence[str], addresses: Sequence[int]) -> list[Symbol]:
    return [
        Symbol(name, address, _IMPORT_SIZE, "other")
        for name, address in zip(names, addresses, strict=True)
    ]


def _addresses(sizes: Iterable[int], imports: int, path: Path) -> list[int]:
    """Where sections of these sizes go: above the imports, far from each other.

    Every address is a multiple of 64 KiB, which is more than any section's alignment.
    """
    cursor = max(_FIRST_SECTION, _IMPORTS + _IMPORT_SIZE * imports + _PAGE)
    addresses = []
    for size in sizes:
        cursor = -(-cursor // _DISTANCE) * _DISTANCE
        addresses.append(cursor)
        cursor += size + _DISTANCE
    if cursor > _LAST_SECTION:
        raise ProgramError(path, f"it has {len(addresses)} sections, too many to be put apart")
    return addresses


def _require_same(
    container: PefContainer, xcoff: XcoffFile, path: Path, addresses: Sequence[int]
) -> list[int]:
    """The addresses of the XCOFF file's sections where the container's were placed.

    Raises:
        ProgramError: the container was made of something else.
    """
    code, data = xcoff.section("code"), xcoff.section("data")
    own = container.placed
    same = (
        code is not None
        and data is not None
        and len(own) == 2
        and code.data == own[0].data
        and data.data == own[1].data
    )
    if not same:
        raise ProgramError(
            xcoff.path,
            f"it is not what {path} was made of: their code or data differ",
            remedy="Build both again, or move it away; its symbols would be wrong.",
        )
    assert code is not None
    assert data is not None
    zeroed = xcoff.section("zeroed data")
    bases = [0] * len(xcoff.sections)
    bases[code.index], bases[data.index] = addresses
    if zeroed is not None:
        bases[zeroed.index] = addresses[1] + zeroed.address - data.address
    return bases


def _symbols(xcoff: XcoffFile, addresses: Sequence[int]) -> list[Symbol]:
    """An XCOFF file's symbols under the names in the source, without repetitions."""
    symbols: dict[tuple[str, int, str], Symbol] = {}
    for symbol in xcoff.symbols:
        address = addresses[symbol.section] + symbol.offset
        kept = _symbol(symbol, address)
        if kept is not None:
            earlier = symbols.get((kept.name, address, kept.kind))
            if earlier is None or earlier.size < kept.size:
                symbols[kept.name, address, kept.kind] = kept
    return _with_sizes(list(symbols.values()))


def _symbol(symbol: XcoffSymbol, address: int) -> Symbol | None:
    if symbol.kind == "code":
        if not symbol.name.startswith("."):
            return None  # names a csect (control section) that holds several routines
        return Symbol(symbol.name[1:], address, symbol.size, "function")
    if symbol.kind == "data" and symbol.name:
        return Symbol(symbol.name, address, symbol.size, "object")
    if symbol.kind == "descriptor" and symbol.name:
        return Symbol(symbol.name, address, symbol.size, "other")
    return None


def _with_sizes(symbols: list[Symbol]) -> list[Symbol]:
    """Give a routine of unknown size the size up to the next routine."""
    starts = sorted({s.address for s in symbols if s.kind == "function"})

    def size(symbol: Symbol) -> int:
        index = bisect.bisect_right(starts, symbol.address)
        return starts[index] - symbol.address if index < len(starts) else 0

    return [replace(s, size=size(s)) if s.kind == "function" and not s.size else s for s in symbols]
