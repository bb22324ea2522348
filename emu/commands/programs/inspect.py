"""``macproof inspect``: say what is in a program, without running it."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.base.printable import one_line
from emu.commands.interface.outputs import output_file
from emu.commands.programs.functions import (
    describe_functions,
    function_facts,
    source_function,
    survey_functions,
)
from emu.commands.programs.inspection import inspect_program, list_code
from emu.commands.programs.program_facts import (
    SCHEMA,
    InspectReport,
    JumpTableFacts,
    LaterFacts,
    MacFileFacts,
    ProgramFacts,
    SegmentFacts,
    TrapsFacts,
)
from emu.machine.cpu import CPUS
from emu.program.code68k.code_resource import CODE_TYPES
from emu.program.functions.conditions import FunctionCondition
from emu.report.json_form import to_json

_MOST_IDS = 12
_MOST_LATER = 5
_ARCHITECTURES = {"m68k": "68K", "powerpc": "PowerPC", "mips": "MIPS"}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "programs",
        nargs="+",
        type=Path,
        metavar="PROGRAM",
        help="MacBinary, AppleDouble, disk.dsk:Name, PEF, XCOFF, ELF, ...",
    )
    parser.add_argument(
        "--symbols",
        type=Path,
        metavar="FILE",
        help="the linked ELF file of a 68K application (default: NAME.code.bin.gdb beside it)",
    )
    parser.add_argument(
        "--routine",
        metavar="ROUTINE",
        help="list the instructions of one routine, by its name or its place (CODE 1+0x40, "
        "section 0+0x40)",
    )
    parser.add_argument(
        "--resource",
        default="",
        metavar="'TYPE ID'",
        help="look into one code resource alone, as in 'LDEF 128' (WDEF, XCMD, DRVR, ...)",
    )
    parser.add_argument(
        "--cpu",
        choices=tuple(CPUS),
        help="of a fat application: whose program --routine and the functions are in",
    )
    _add_functions(parser)
    parser.add_argument(
        "--json", type=output_file, metavar="FILE", help="also write everything as JSON"
    )


def _add_functions(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("functions, also of a program without names")
    group.add_argument(
        "--functions",
        action="store_true",
        help="list the functions: size, callers, callees, Toolbox routines, globals",
    )
    group.add_argument(
        "--find",
        action="append",
        default=[],
        metavar="NUMBER|TEXT",
        help="those with a number (0x90) or a text in their code or data; may be repeated",
    )
    group.add_argument(
        "--calls",
        action="append",
        default=[],
        metavar="ROUTINE",
        help="those that call a Toolbox routine or a function; may be repeated",
    )
    group.add_argument(
        "--touches",
        action="append",
        default=[],
        metavar="PLACE",
        help="those that use a global (A5-0x10cc, section 1+0x40); may be repeated",
    )
    group.add_argument(
        "--like",
        metavar="FILE:FUNCTION",
        help="rank them by how like they are to a function of a source, as in foo.c:Foo",
    )
    group.add_argument(
        "--include",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="of --like: a further folder with headers; may be repeated",
    )
    group.add_argument(
        "--prefix",
        action="append",
        default=[],
        metavar="HEADER",
        help="of --like: a header that the source begins with, such as MacHeaders; may be repeated",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Inspect one file; the exit code is 0 if it can be read."""
    program, *more = arguments.programs
    if more:
        raise UsageError(f"{more[0]}: one program is inspected at a time")
    if arguments.symbols is not None and arguments.resource:
        raise UsageError("--symbols and --resource do not go together: they are an application's")
    if arguments.symbols is not None and not arguments.symbols.is_file():
        raise UsageError(f"{arguments.symbols}: there is no such file")
    if arguments.routine is not None:
        architecture = CPUS[arguments.cpu].architecture if arguments.cpu else None
        for disassembly_line in list_code(
            program, arguments.routine, architecture, arguments.resource
        ):
            line = (
                f"{disassembly_line.place:16}  {disassembly_line.code:20}  {disassembly_line.text}"
            )
            console.print(Text(one_line(line)), soft_wrap=True)
        return 0
    condition = FunctionCondition(
        tuple(arguments.find), tuple(arguments.calls), tuple(arguments.touches)
    )
    if arguments.functions or condition or arguments.like is not None:
        return _functions(arguments, program, condition, console)
    facts = inspect_program(program, arguments.symbols, arguments.resource)
    if arguments.json is not None:
        write_whole(arguments.json, to_json(facts, SCHEMA).encode())
    if not arguments.quiet:
        for line in describe(facts, verbose=arguments.verbose):
            console.print(Text(line), soft_wrap=True)
    return 0


def _functions(
    arguments: argparse.Namespace, program: Path, condition: FunctionCondition, console: Console
) -> int:
    """List functions; the exit code is 0, also if none is chosen."""
    like = (
        source_function(arguments.like, arguments.include, arguments.prefix)
        if arguments.like
        else None
    )
    architecture = CPUS[arguments.cpu].architecture if arguments.cpu else None
    survey = survey_functions(program, condition, like, architecture, arguments.resource)
    if arguments.json is not None:
        text = json.dumps(function_facts(survey), indent=1)
        write_whole(arguments.json, (text + "\n").encode())
    if not arguments.quiet:
        for line in describe_functions(survey, verbose=arguments.verbose):
            console.print(Text(line), soft_wrap=True)
    return 0


def describe(facts: InspectReport, *, verbose: bool = False) -> Iterator[str]:
    """The facts as lines of text; ``verbose`` lists things that are otherwise only counted."""
    yield f"{facts.path}: {facts.container}"
    file = facts.file
    if file is not None:
        yield (
            f"{one_line(file.name)}, type {one_line(file.type)}, creator "
            f"{one_line(file.creator)}, data fork {file.data_fork:,} bytes"
        )
    for program in facts.programs:
        yield ""
        yield from _program(program, verbose)
    if not facts.programs:
        yield "no program: it has neither CODE resources nor a PowerPC fragment"
    if file is not None:
        yield from _resources(file, verbose)


def _resources(file: MacFileFacts, verbose: bool) -> Iterator[str]:
    if file.resources:
        yield ""
        yield "resources"
    for kind, resources in sorted(file.resources.items()):
        ids = [str(resource.id) for resource in resources]
        if len(ids) > _MOST_IDS and not verbose:
            ids = [*ids[:_MOST_IDS], f"and {len(resources) - _MOST_IDS} more"]
        size = sum(resource.size for resource in resources)
        packed = sum(resource.compressed for resource in resources)
        more = f"  ({packed} compressed)" if packed else ""
        yield f"  {one_line(kind)}  {len(resources):4}  {size:9,} bytes  {', '.join(ids)}{more}"
    code = [f"{kind} {some[0].id}" for kind, some in file.resources.items() if kind in CODE_TYPES]
    if code:
        yield f"  --resource '{code[0]}' looks into code that is no CODE resource"
    for problem in file.damaged:
        yield f"  left out: {one_line(problem)}"


def _program(program: ProgramFacts, verbose: bool) -> Iterator[str]:
    name = _ARCHITECTURES.get(program.architecture, program.architecture)
    yield f"{name} program: {program.layout}"
    for finding in program.findings:
        yield f"  warning: {finding}"
    for segment in program.segments:
        yield f"  {_segment(segment)}"
    if program.globals is not None and program.jump_table is not None:
        room = program.globals
        yield (
            f"  globals: {room.below_a5:,} bytes below A5, {room.above_a5:,} above; "
            f"initial values: {room.initial_values}"
        )
        yield from _jump_table(program.jump_table, verbose)
    symbols = program.symbols
    debug = ", with debugging information" if symbols.debugging_information else ""
    yield (
        f"  symbols: {symbols.count:,}, of them {symbols.functions:,} functions; "
        f"source: {one_line(symbols.source)}{debug}"
    )
    if verbose:
        for fact in symbols.places:
            size = f"{fact.size:,} bytes" if fact.size else ""
            yield f"    {one_line(fact.place):16}  {size:>12}  {one_line(fact.name)}".rstrip()
    yield from _places(program)
    for library in program.imports:
        weak = ", weak" if library.weak else ""
        names = [one_line(symbol.name) for symbol in library.symbols]
        yield f"  imports from {one_line(library.library) or 'no library'}: {len(names)}{weak}"
        yield from (f"    {name}" for name in sorted(names))
    if program.exports:
        yield f"  exports: {', '.join(one_line(e.name) for e in program.exports)}"
    yield from _later(program.later_instructions, verbose)
    if program.traps is not None:
        yield from _traps(program.traps, verbose)


def _later(instructions: Sequence[LaterFacts], verbose: bool) -> Iterator[str]:
    """The instructions that a 68000 lacks, and what a case of the program has to say for them."""
    if not instructions:
        return
    cpus = ", ".join(
        f'"{cpu}"' for cpu in sorted({instruction.cpu for instruction in instructions})
    )
    yield f"  instructions that a 68000 lacks (write cpus: [{cpus}] in a case of this program):"
    for instruction in instructions if verbose else instructions[:_MOST_LATER]:
        more = f" and {instruction.count - 1:,} more" if instruction.count > 1 else ""
        yield f"    {one_line(instruction.place)}{more}: {instruction.words}"
    if len(instructions) > _MOST_LATER and not verbose:
        yield f"    and {len(instructions) - _MOST_LATER:,} more kinds; --verbose lists them"


def _places(program: ProgramFacts) -> Iterator[str]:
    for name, place in program.places.items():
        if place is not None:
            yield f"  {name}: section {place[0]}, offset 0x{place[1]:x}"


def _segment(segment: SegmentFacts) -> str:
    name = one_line(segment.name)
    if segment.header is not None:
        return (
            f"CODE {segment.id:<3} {segment.size:9,} bytes, {segment.header} header, "
            f"{segment.code:,} of code, {segment.entries} jump table entries  {name}".rstrip()
        )
    if segment.access is not None:
        return f"0x{segment.address:08x} {segment.size:9,} bytes {segment.access:3}  {name}"
    title = " ".join(word for word in (name, segment.kind) if word)
    return f"section {segment.id} {segment.size:9,} bytes  {title}"


def _jump_table(table: JumpTableFacts, verbose: bool) -> Iterator[str]:
    entries = table.entries
    form = Counter("far" if entry.far else "near" for entry in entries)
    kinds = " and ".join(f"{count} {kind}" for kind, count in sorted(form.items())) or "no"
    yield f"  jump table: {kinds} entries at A5+0x{table.offset:x}, {table.size:,} bytes"
    if verbose:
        for entry in entries:
            yield f"    {entry.index:5}  CODE {entry.segment}+0x{entry.offset:x}"


_REACHABLE = "code reachable from the jump table, without calls through pointers"
_SEARCHED = {
    "symbols": "every function that a symbol names",
    "flow": _REACHABLE,
    "symbols and flow": f"every function that a symbol names, and {_REACHABLE}",
}


def _traps(traps: TrapsFacts, verbose: bool) -> Iterator[str]:
    covered, total = traps.bytes_covered, traps.bytes_of_code
    share = 100 * covered / total if total else 0.0
    yield (
        f"  traps: {len(traps.used)} words used; disassembled: {_SEARCHED[traps.method]} "
        f"({covered:,} of {total:,} bytes, {share:.0f}%)"
    )
    for use in traps.used:
        first = "; ".join(text for text in (use.first_rom, use.first_system) if text != "unknown")
        yield f"    {use.word}  {use.name:22} {use.count:4}  {first or 'unknown'}"
        if verbose:
            yield from (f"             {one_line(name)}" for name in use.functions)
