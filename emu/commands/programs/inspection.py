"""Finds the facts that ``macproof inspect`` tells of a program."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.files import read_at_most
from emu.checks.later_instructions import later_instructions
from emu.commands.programs.program_facts import (
    ExportFacts,
    GlobalsFacts,
    ImportFacts,
    InspectReport,
    JumpEntryFacts,
    JumpTableFacts,
    LaterFacts,
    LibraryFacts,
    MacFileFacts,
    ProgramFacts,
    ResourceFacts,
    SegmentFacts,
    SymbolFacts,
    SymbolsFacts,
    TrapFacts,
    TrapsFacts,
)
from emu.program.code68k.code_linker import CodeLink
from emu.program.code68k.code_resources import link_code
from emu.program.elf.elf import parse_elf
from emu.program.fragments.fragment_program import pef_program, xcoff_program
from emu.program.instructions.listing import DisassemblyLine, list_routine, place_of
from emu.program.instructions.reachable_code import ReachableCode, reached_code
from emu.program.instructions.traps import TrapInventory, traps_in
from emu.program.mac_file.mac_file import MacFile, read_mac_file
from emu.program.mac_program import read_executable
from emu.program.model.model import Program, source_name
from emu.program.pef.pef_model import PefContainer
from emu.program.read import read_program
from emu.program.symbols.symbol_files import find_symbols
from emu.program.xcoff.xcoff import is_xcoff, parse_xcoff

_LARGEST = 256 << 20
_ELF = b"\x7fELF"


def inspect_program(path: Path, symbols: Path | None = None, resource: str = "") -> InspectReport:
    """Collect the facts about a program file without running it.

    Args:
        path: the file.
        symbols: the linked ELF file that a 68K application was made from, if it is not beside it.
        resource: the code resource that is looked into alone ("LDEF 128"); "" for the whole file.

    Raises:
        ProgramError: the file is neither a program nor a Mac file, or is damaged.
    """
    image = _whole(path) if path.is_file() else b""  # `read_program` knows other formats
    if resource:
        program = read_program(path, resource=resource)
        file = read_mac_file(path)
        only = _plain(program, f"code resource {resource}")
        return InspectReport(str(path), file.container, (only,), _file(file))
    if image[:4] == _ELF:
        return InspectReport(str(path), "ELF", (_plain(parse_elf(image, path), "ELF"),))
    if is_xcoff(image):
        return InspectReport(str(path), "XCOFF", (_xcoff(image, path),))
    executable = read_executable(path)
    has_code = bool(executable.file.resources.of_type("CODE"))
    programs = []
    if has_code and ("m68k" in executable.architectures or executable.pef is None):
        code = _code(executable.file, symbols)
        more = (executable.finding,) if executable.finding else ()
        programs.append(replace(code, findings=(*code.findings, *more)))
    if executable.pef is not None:
        programs.append(_pef(executable.pef, executable.file, path))
    for library in executable.libraries:
        found = _pef(library.container(), executable.file, path)
        programs.append(replace(found, layout=f"PEF, shared library {library.name}"))
    file = executable.file
    return InspectReport(str(path), file.container, tuple(programs), _file(file))


def _whole(path: Path) -> bytes:
    return read_at_most(path, _LARGEST, "a program", ProgramError)


def _file(file: MacFile) -> MacFileFacts:
    types: dict[str, list[ResourceFacts]] = defaultdict(list)
    for resource in file.resources.resources:
        types[resource.type].append(
            ResourceFacts(resource.id, resource.name, len(resource.data), resource.compressed)
        )
    resources = {kind: tuple(sorted(some, key=lambda r: r.id)) for kind, some in types.items()}
    return MacFileFacts(
        file.name, file.type, file.creator, len(file.data), resources, file.resources.damaged
    )


def _plain(program: Program, form: str) -> ProgramFacts:
    segments = (
        SegmentFacts(
            segment.name,
            segment.size,
            address=segment.address,
            access="r" + "w" * segment.writable + "x" * segment.executable,
        )
        for segment in program.segments
    )
    symbols = _symbols(program, str(program.path.name) if program.symbols else "none")
    facts = ProgramFacts(program.architecture, form, form, tuple(segments), symbols)
    if program.architecture == "m68k":
        return _with_code(facts, program, reached_code(program, entries=program.entries))
    return facts


def _symbols(program: Program, source: str) -> SymbolsFacts:
    return SymbolsFacts(
        count=len(program.symbols),
        functions=sum(symbol.kind == "function" for symbol in program.symbols),
        source=source,
        debugging_information=program.has_debug_information,
        places=tuple(
            SymbolFacts(source_name(symbol.name), place_of(program, symbol.address), symbol.size)
            for symbol in program.symbols
            if symbol.kind != "other"
        ),
    )


def list_code(
    path: Path, routine: str, architecture: str | None, resource: str = ""
) -> list[DisassemblyLine]:
    """The instructions of one routine.

    Raises:
        ProgramError: there is no such routine; or the program is for another processor, or for
            both and none was named.
    """
    program = read_program(path, architecture=architecture, resource=resource)
    if program.architecture not in ("m68k", "powerpc"):
        raise ProgramError(path, "it is neither for the 68K nor for the PowerPC")
    return list(list_routine(program, routine))


def _traps(inventory: TrapInventory) -> TrapsFacts:
    used = (
        TrapFacts(
            word=f"{use.word:04X}",
            name=use.info.name,
            count=use.count,
            first_rom=use.info.first_rom,
            first_system=use.info.first_system,
            functions=tuple(use.users),
        )
        for use in inventory.uses
    )
    return TrapsFacts(inventory.method, inventory.covered, inventory.total, tuple(used))


def _code(file: MacFile, symbols: Path | None) -> ProgramFacts:
    link = link_code(file, symbols)
    world = link.code.world
    ranges = [
        range(link.addresses[s.id] + s.header_size, link.code_ends[s.id])
        for s in link.code.segments
    ]
    entries = (JumpEntryFacts(e.index, e.segment, e.offset, e.far) for e in world.entries)
    values = "known" if link.initialised else "set by the program's start code"
    facts = ProgramFacts(
        architecture="m68k",
        format="CODE resources",
        layout=link.layout,
        segments=tuple(_segment(link, index) for index in range(len(link.code.segments))),
        symbols=_symbols(link.program, link.symbol_source),
        findings=tuple(link.findings),
        globals=GlobalsFacts(world.below_a5, world.above_a5, values),
        jump_table=JumpTableFacts(world.table_offset, world.table_size, tuple(entries)),
    )
    return _with_code(facts, link.program, reached_code(link.program, ranges, link.entries))


def _with_code(facts: ProgramFacts, program: Program, reached: ReachableCode) -> ProgramFacts:
    """With what the instructions of a 68K program use: traps, and later processors."""
    later = (
        LaterFacts(one.words, one.cpu, place_of(program, one.address), one.count)
        for one in later_instructions(program, reached.instructions)
    )
    return replace(facts, traps=_traps(traps_in(reached)), later_instructions=tuple(later))


def _segment(link: CodeLink, index: int) -> SegmentFacts:
    segment = link.code.segments[index]
    base = link.addresses[segment.id]
    return SegmentFacts(
        segment.name,
        len(segment.data),
        id=segment.id,
        header="far" if segment.far else "near",
        code=link.code_ends[segment.id] - base - segment.header_size,
        entries=sum(entry.segment == segment.id for entry in link.code.world.entries),
    )


def _pef(container: PefContainer, file: MacFile, path: Path) -> ProgramFacts:
    beside = find_symbols(file, "powerpc")
    program = pef_program(container, path, (_whole(beside), beside) if beside else None)
    libraries = (
        LibraryFacts(
            library.name,
            library.weak,
            tuple(
                ImportFacts(symbol.name, symbol.kind, symbol.weak)
                for symbol in container.imports[library.first : library.first + library.count]
            ),
        )
        for library in container.libraries
    )
    sections = (
        SegmentFacts(
            section.name,
            section.size,
            id=section.index,
            kind=section.kind,
            share=section.share,
            initialised=len(section.data),
        )
        for section in container.sections
    )
    return ProgramFacts(
        architecture=container.architecture,
        format="PEF",
        layout="PEF",
        segments=tuple(sections),
        symbols=_symbols(program, beside.name if beside else "exports"),
        places={
            "main": container.main,
            "init": container.initialise,
            "term": container.terminate,
        },
        imports=tuple(libraries),
        exports=tuple(ExportFacts(e.name, e.kind) for e in container.exports),
    )


def _xcoff(image: bytes, path: Path) -> ProgramFacts:
    parsed = parse_xcoff(image, path)
    functions = sum(symbol.kind == "function" for symbol in parsed.symbols)
    imports = tuple(ImportFacts(i.name, "", i.weak) for i in parsed.imports)
    symbols = SymbolsFacts(len(parsed.symbols), functions, path.name, False)
    if parsed.linked:
        symbols = _symbols(xcoff_program(parsed, path), path.name)
    return ProgramFacts(
        architecture="powerpc",
        format="XCOFF",
        layout="XCOFF executable" if parsed.linked else "XCOFF object",
        segments=tuple(
            SegmentFacts(s.name, s.size, id=s.index, address=s.address, kind=s.kind)
            for s in parsed.sections
        ),
        symbols=symbols,
        imports=(LibraryFacts("", False, imports),) if imports else (),
    )
