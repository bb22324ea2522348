"""DWARF debugging information: globals and their types, functions, source lines."""

from __future__ import annotations

import contextlib
import functools
import io
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from emu.base.errors import ProgramError
from emu.program.elf.dwarf_entries import children_of, name_of, origin_of, top_level
from emu.program.elf.dwarf_types import STRUCTS, TypeReader
from emu.program.model.lines import LineRow, LineTable
from emu.program.model.model import Segment, Variable
from emu.program.model.signatures import Signature, SignatureReader
from emu.program.model.types import UNKNOWN, GuestType

if TYPE_CHECKING:
    from elftools.dwarf.compileunit import CompileUnit
    from elftools.dwarf.die import DIE
    from elftools.dwarf.dwarf_expr import DWARFExprParser
    from elftools.elf.elffile import ELFFile

_NAMED_TYPES = {"DW_TAG_typedef", "DW_TAG_base_type", "DW_TAG_enumeration_type", *STRUCTS}
_SHORT_INT = b"-mshort"
_IS_DEFINED = {"DW_AT_low_pc", "DW_AT_inline"}


@dataclass(frozen=True, slots=True)
class DebugInformation:
    """The contents of a program's debugging sections; empty if it has none.

    ``declared`` has the functions that are only declared, and ``outside`` the variables, at address
    0. ``has_short_int`` is whether an ``int``
    has 16 bits, by GCC's option ``-mshort``.
    """

    present: bool = False
    variables: dict[str, list[Variable]] = field(default_factory=dict)
    functions: dict[str, list[int]] = field(default_factory=dict)
    lines: LineTable = field(default_factory=LineTable)
    signatures: dict[str, list[Signature]] = field(default_factory=dict)
    declared: dict[str, Signature] = field(default_factory=dict)
    outside: dict[str, Variable] = field(default_factory=dict)
    types: dict[str, GuestType] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    has_short_int: bool = False

    def within(self, segments: Sequence[Segment], beside: Container[int] = ()) -> DebugInformation:
        """The part of it that is about addresses in some segments, and variables at some others.

        Functions and variables that the linker threw away keep their debugging entries, with
        addresses outside every segment.
        """

        def mapped(address: int) -> bool:
            return any(segment.address <= address < segment.end for segment in segments)

        variables = {
            name: [v for v in places if mapped(v.address) or v.address in beside]
            for name, places in self.variables.items()
        }
        functions = {
            name: [a for a in addresses if mapped(a)] for name, addresses in self.functions.items()
        }
        gone = {name for name, places in variables.items() if not places}
        return replace(
            self,
            variables={name: places for name, places in variables.items() if places},
            functions={name: addresses for name, addresses in functions.items() if addresses},
            dropped=self.dropped | gone,
        )


def read_debug_information(elf: ELFFile, path: Path) -> DebugInformation:
    """Read globals and functions from an ELF file's DWARF sections (versions 2 to 5).

    Lines are read when they are first asked for; ``elf`` has to lie in memory for that.

    Types that macproof cannot show as NumPy values (member pointers, virtual bases, bit-fields of
    little-endian programs) become the `Variable.problem` of the global they occur in.
    """
    again = functools.partial(_dwarf_in, elf.stream.getvalue())
    reader = TypeReader(path, "<" if elf.little_endian else ">", elf["e_machine"])
    return debug_information(_dwarf_of(elf), again, reader, path)


def debug_information(
    dwarf: Any, again: Callable[[], Any], reader: TypeReader, path: Path
) -> DebugInformation:
    """Read DWARF sections, in a file of any format.

    Args:
        dwarf: the sections, as pyelftools' `DWARFInfo`; they are of a linked program.
        again: reads the sections a second time, when lines are first asked for.
        reader: turns types into those of the guest.
        path: the file, for messages.
    """
    from elftools.dwarf.dwarf_expr import DWARFExprParser  # takes 27 ms, and runs seldom need it

    expressions = DWARFExprParser(dwarf.structs)
    variables: dict[str, list[Variable]] = defaultdict(list)
    functions: dict[str, list[int]] = defaultdict(list)
    signatures: dict[str, list[Signature]] = defaultdict(list)
    reads_signature = SignatureReader(children_of, name_of, origin_of, reader.guest_type)
    declared: dict[str, Signature] = {}
    outside: dict[str, Variable] = {}
    types: dict[str, GuestType] = {}
    dropped: set[str] = set()
    for unit in dwarf.iter_CUs():
        for die in top_level(unit.get_top_DIE()):
            if die.tag == "DW_TAG_subprogram" and _IS_DEFINED & die.attributes.keys():
                signature = reads_signature.of(die)
                for name in _function_names(die):
                    _add_statics(variables, name, _statics(die, expressions, reader))
                    dropped.update(f"{name}::{variable}" for variable in _without_place(die))
                    signatures[name].append(signature)
                    if signature.address is not None:
                        functions[name].append(signature.address)
            elif die.tag == "DW_TAG_subprogram" and "DW_AT_declaration" in die.attributes:
                declared.setdefault(name_of(die), reads_signature.of(die))
            elif die.tag in _NAMED_TYPES and "DW_AT_name" in die.attributes:
                kind = reader.guest_type(die)
                if kind is not UNKNOWN:
                    types.setdefault(name_of(die), kind)
            elif die.tag == "DW_TAG_variable":
                address = static_address(die, expressions)
                if address is not None:
                    name = name_of(die)
                    variables[name].append(reader.variable(die, name, address))
                elif "DW_AT_declaration" in die.attributes and "DW_AT_name" in die.attributes:
                    name = name_of(die)
                    outside.setdefault(name, reader.variable(die, name, 0))
    return DebugInformation(
        present=True,
        variables=dict(variables),
        functions=dict(functions),
        lines=LineTable(functools.partial(_line_rows, again, path)),
        signatures=dict(signatures),
        declared=declared,
        outside=outside,
        types=types,
        dropped=frozenset(dropped - variables.keys()),
        has_short_int=_has_short_int(dwarf, types),
    )


@contextlib.contextmanager
def told_as_damaged(path: Path, what: str) -> Iterator[None]:
    """Turn every exception of pyelftools into a ProgramError: it means that the file is damaged.

    Args:
        path: the file.
        what: what is read of it, such as "its line table".
    """
    try:
        yield
    except ProgramError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise ProgramError(path, f"{what} is damaged ({reason})") from error


def _dwarf_of(elf: ELFFile) -> Any:
    """The DWARF sections of a linked program, as Retro68's linker leaves them, too."""
    from elftools.dwarf.dwarfinfo import DebugSectionDescriptor

    # A linked program is relocated already, even if the linker has kept the relocations in the
    # file, as Retro68's does.
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
    if dwarf.debug_line_str_sec is None:
        # Retro68's linker drops this section, and with it the file names of assembled units.
        dwarf.debug_line_str_sec = DebugSectionDescriptor(io.BytesIO(), ".debug_line_str", 0, 0, 0)
    return dwarf


def _has_short_int(dwarf: Any, types: dict[str, GuestType]) -> bool:
    """Whether an ``int`` has 16 bits, by its size or by the options that GCC wrote down."""
    producers = [unit.get_top_DIE().attributes.get("DW_AT_producer") for unit in dwarf.iter_CUs()]
    by_option = any(
        producer is not None and _SHORT_INT in producer.value.split() for producer in producers
    )
    return by_option or ("int" in types and types["int"].size == 2)


def _statics(scope: DIE, expressions: DWARFExprParser, reader: TypeReader) -> Iterator[Variable]:
    """The static variables of a function, and of the blocks in it.

    Those of a function that was copied into this one are listed at that function itself.
    """
    for die in children_of(scope):
        if die.tag == "DW_TAG_lexical_block":
            yield from _statics(die, expressions, reader)
        elif die.tag == "DW_TAG_variable":
            address = static_address(die, expressions)
            if address is not None:
                yield reader.variable(die, name_of(die), address)


def _without_place(scope: DIE) -> Iterator[str]:
    """The names of a function's variables that lie nowhere.

    A compiler drops a static that is only written, and its entry has no location then.
    """
    for die in children_of(scope):
        if die.tag == "DW_TAG_lexical_block":
            yield from _without_place(die)
        elif die.tag == "DW_TAG_variable" and "DW_AT_location" not in die.attributes:
            yield name_of(die)


def _add_statics(
    variables: dict[str, list[Variable]], function: str, statics: Iterable[Variable]
) -> None:
    """Add a function's statics as "Function::name".

    GCC lists a static once with the function as it is written and again with each of its copies.
    """
    for static in statics:
        copies = variables[f"{function}::{static.name}"]
        if static.address not in [other.address for other in copies]:
            copies.append(replace(static, name=f"{function}::{static.name}"))


def _function_names(die: DIE) -> list[str]:
    """The name of a function; of a method also with its class ("Shape::Area")."""
    name, origin = name_of(die), origin_of(die)
    while origin is not None and origin_of(origin) is not None:
        origin = origin_of(origin)
    parent = None if origin is None else origin.get_parent()
    is_method = parent is not None and parent.tag in STRUCTS
    return [name, f"{name_of(parent)}::{name}"] if parent is not None and is_method else [name]


def static_address(die: DIE, expressions: DWARFExprParser) -> int | None:
    """The address of a variable's entry; None if it has no place of its own."""
    location = die.attributes.get("DW_AT_location")
    if location is None or not isinstance(location.value, list):
        return None
    operations = expressions.parse_expr(location.value)
    if len(operations) == 1 and operations[0].op_name == "DW_OP_addr":
        return int(operations[0].args[0])
    return None


def _dwarf_in(image: bytes) -> Any:
    """The DWARF sections of an ELF file."""
    from elftools.elf.elffile import ELFFile

    return _dwarf_of(ELFFile(io.BytesIO(image)))


def _line_rows(sections: Callable[[], Any], path: Path) -> list[LineRow]:
    """The line rows of a file.

    Raises:
        ProgramError: they are damaged.
    """
    with told_as_damaged(path, "its line table"):
        dwarf = sections()
        return [row for unit in dwarf.iter_CUs() for row in _rows_of_unit(dwarf, unit)]


def _rows_of_unit(dwarf: Any, unit: CompileUnit) -> Iterator[LineRow]:
    program = dwarf.line_program_for_CU(unit)
    if program is None:
        return
    files = program.header["file_entry"]
    # File numbers begin at 1 up to DWARF 4 and at 0 from DWARF 5 on.
    first = 1 if program.header["version"] < 5 else 0
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        if state.end_sequence:
            yield LineRow(state.address, "", 0)
            continue
        index = state.file - first
        name = (files[index].name or b"").decode() if 0 <= index < len(files) else ""
        yield LineRow(state.address, PurePosixPath(name).name, state.line)
