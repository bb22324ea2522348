"""The facts that ``macproof inspect`` finds in a program, as the data of its JSON form."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from emu.base.errors import ProgramError
from emu.base.files import read_at_most
from emu.checks.later_instructions import later_instructions
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

SCHEMA = "macproof.inspect/1"

_LARGEST = 256 << 20
_ELF = b"\x7fELF"

Facts = dict[str, Any]


def inspect_program(path: Path, symbols: Path | None = None, resource: str = "") -> Facts:
    """Collect the facts about a program file without running it.

    Args:
        path: the file.
        symbols: the linked ELF file that a 68K application was made from, if it is not beside it.
        resource: the code resource that is looked into alone ("LDEF 128"); "" for the whole file.

    Raises:
        ProgramError: the file is neither a program nor a Mac file, or is damaged.
    """
    image = _whole(path) if path.is_file() else b""  # `read_program` knows other formats
    facts: Facts = {"schema": SCHEMA, "path": str(path)}
    if resource:
        program = read_program(path, resource=resource)
        described = _plain(program, f"code resource {resource}")
        return facts | _file(read_mac_file(path)) | {"programs": [described]}
    if image[:4] == _ELF:
        program = parse_elf(image, path)
        return facts | {"container": "ELF", "programs": [_plain(program, "ELF")]}
    if is_xcoff(image):
        return facts | {"container": "XCOFF", "programs": [_xcoff(image, path)]}
    executable = read_executable(path)
    has_code = bool(executable.file.resources.of_type("CODE"))
    programs = []
    if has_code and ("m68k" in executable.architectures or executable.pef is None):
        programs.append(_code(executable.file, symbols))
        if executable.finding:
            programs[-1]["findings"].append(executable.finding)
    if executable.pef is not None:
        programs.append(_pef(executable.pef, executable.file, path))
    for library in executable.libraries:
        programs.append(_pef(library.container(), executable.file, path))
        programs[-1]["layout"] = f"PEF, shared library {library.name}"
    return facts | _file(executable.file) | {"programs": programs}


def _whole(path: Path) -> bytes:
    return read_at_most(path, _LARGEST, "a program", ProgramError)


def _file(file: MacFile) -> Facts:
    types: dict[str, list[Facts]] = defaultdict(list)
    for resource in file.resources.resources:
        types[resource.type].append(
            {"id": resource.id, "name": resource.name, "size": len(resource.data)}
            | ({"compressed": True} if resource.compressed else {})
        )
    return {
        "container": file.container,
        "name": file.name,
        "type": file.type,
        "creator": file.creator,
        "data_fork": len(file.data),
        "resources": {
            kind: sorted(of_kind, key=lambda r: r["id"]) for kind, of_kind in types.items()
        },
        **({"damaged": list(file.resources.damaged)} if file.resources.damaged else {}),
    }


def _plain(program: Program, form: str) -> Facts:
    facts: Facts = {
        "architecture": program.architecture,
        "format": form,
        "layout": form,
        "segments": [
            {
                "name": segment.name,
                "address": segment.address,
                "size": segment.size,
                "access": "r" + "w" * segment.writable + "x" * segment.executable,
            }
            for segment in program.segments
        ],
        "symbols": _symbols(program, str(program.path.name) if program.symbols else "none"),
    }
    if program.architecture == "m68k":
        facts |= _code_facts(program, reached_code(program, entries=program.entries))
    return facts


def _symbols(program: Program, source: str) -> Facts:
    return {
        "count": len(program.symbols),
        "functions": sum(symbol.kind == "function" for symbol in program.symbols),
        "source": source,
        "debugging_information": program.has_debug_information,
        "places": [
            {
                "name": source_name(symbol.name),
                "place": place_of(program, symbol.address),
                "size": symbol.size,
            }
            for symbol in program.symbols
            if symbol.kind != "other"
        ],
    }


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


def _traps(inventory: TrapInventory) -> Facts:
    return {
        "method": inventory.method,
        "bytes_covered": inventory.covered,
        "bytes_of_code": inventory.total,
        "used": [
            {
                "word": f"{use.word:04X}",
                "name": use.info.name,
                "count": use.count,
                "first_rom": use.info.first_rom,
                "first_system": use.info.first_system,
                "functions": list(use.users),
            }
            for use in inventory.uses
        ],
    }


def _code(file: MacFile, symbols: Path | None) -> Facts:
    link = link_code(file, symbols)
    world = link.code.world
    ranges = [
        range(link.addresses[s.id] + s.header_size, link.code_ends[s.id])
        for s in link.code.segments
    ]
    return {
        "architecture": "m68k",
        "format": "CODE resources",
        "layout": link.layout,
        "findings": list(link.findings),
        "segments": [_segment(link, index) for index in range(len(link.code.segments))],
        "globals": {
            "below_a5": world.below_a5,
            "above_a5": world.above_a5,
            "initial_values": "known" if link.initialised else "set by the program's start code",
        },
        "jump_table": {
            "offset": world.table_offset,
            "size": world.table_size,
            "entries": [
                {"index": e.index, "segment": e.segment, "offset": e.offset, "far": e.far}
                for e in world.entries
            ],
        },
        "symbols": _symbols(link.program, link.symbol_source),
        **_code_facts(link.program, reached_code(link.program, ranges, link.entries)),
    }


def _code_facts(program: Program, reached: ReachableCode) -> Facts:
    """What the instructions of a 68K program use: traps, and later processors."""
    return {
        "traps": _traps(traps_in(reached)),
        "later_instructions": [
            {
                "words": instruction.words,
                "cpu": instruction.cpu,
                "place": place_of(program, instruction.address),
                "count": instruction.count,
            }
            for instruction in later_instructions(program, reached.instructions)
        ],
    }


def _segment(link: CodeLink, index: int) -> Facts:
    segment = link.code.segments[index]
    base = link.addresses[segment.id]
    return {
        "id": segment.id,
        "name": segment.name,
        "size": len(segment.data),
        "header": "far" if segment.far else "near",
        "code": link.code_ends[segment.id] - base - segment.header_size,
        "entries": sum(entry.segment == segment.id for entry in link.code.world.entries),
    }


def _pef(container: PefContainer, file: MacFile, path: Path) -> Facts:
    beside = find_symbols(file, "powerpc")
    program = pef_program(container, path, (_whole(beside), beside) if beside else None)
    libraries = [
        {
            "library": library.name,
            "weak": library.weak,
            "symbols": [
                {"name": symbol.name, "kind": symbol.kind, "weak": symbol.weak}
                for symbol in container.imports[library.first : library.first + library.count]
            ],
        }
        for library in container.libraries
    ]
    places = {"main": container.main, "init": container.initialise, "term": container.terminate}
    return {
        "architecture": container.architecture,
        "format": "PEF",
        "layout": "PEF",
        "segments": [
            {
                "id": section.index,
                "name": section.name,
                "kind": section.kind,
                "size": section.size,
                "share": section.share,
                "initialised": len(section.data),
            }
            for section in container.sections
        ],
        "places": {name: list(place) if place else None for name, place in places.items()},
        "imports": libraries,
        "exports": [{"name": e.name, "kind": e.kind} for e in container.exports],
        "symbols": _symbols(program, beside.name if beside else "exports"),
    }


def _xcoff(image: bytes, path: Path) -> Facts:
    parsed = parse_xcoff(image, path)
    facts = {
        "architecture": "powerpc",
        "format": "XCOFF",
        "layout": "XCOFF executable" if parsed.linked else "XCOFF object",
        "segments": [
            {"id": s.index, "name": s.name, "kind": s.kind, "size": s.size, "address": s.address}
            for s in parsed.sections
        ],
        "imports": [
            {
                "library": "",
                "weak": False,
                "symbols": [{"name": i.name, "kind": "", "weak": i.weak} for i in parsed.imports],
            }
        ]
        if parsed.imports
        else [],
        "exports": [],
        "symbols": {
            "count": len(parsed.symbols),
            "functions": sum(symbol.kind == "function" for symbol in parsed.symbols),
            "source": path.name,
            "debugging_information": False,
            "places": [],
        },
    }
    if parsed.linked:
        facts["symbols"] = _symbols(xcoff_program(parsed, path), path.name)
    return facts
