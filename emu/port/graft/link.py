"""Links new functions with the old program: a linker script gives every name its old address."""

from __future__ import annotations

import functools
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from elftools.elf.elffile import ELFFile

from emu import __version__
from emu.base.errors import ProgramError
from emu.port.graft.assembly import CALL, NEW, symbol_of
from emu.port.graft.borders import ENTRY, BorderPlan, GraftTerms, plan
from emu.port.graft.toolbox_glue import glue_text
from emu.port.graft.units import source_name_of
from emu.program import Program, Segment
from emu.program.elf.elf import parse_elf
from emu.toolchain import build_cache
from emu.toolchain.compiler import Stage, compiler_version, staged
from emu.toolchain.compilers.libraries import Libraries
from emu.toolchain.objects import definitions_of, undefined_in
from emu.toolchain.programs.gcc import compile_flags

_SCRIPT = """SECTIONS
{{
  . = {at:#x};
  .text : {{ *(.text .text.*) *(.rodata .rodata.* .got .got.*) LONG(0) }}
  {unplaced} : {{ *(.data .data.* .sdata .sdata.* .bss .bss.* .sbss .sbss.* COMMON) }}
  /DISCARD/ : {{ *(.comment) *(.note*) *(.eh_frame*) *(.gnu.attributes) }}
}}
{symbols}
"""
_UNPLACED = ".unplaced"
"""The section of variables that are none of the old program."""
_MOST_USERS = 3
_FLAGS = (
    "-nostdlib",
    "-static",
    "-no-pie",
    "-Wl,--gc-sections,--build-id=none,-z,muldefs,-z,max-page-size=4096,-T,graft.ld,-e,0",
)


@dataclass(frozen=True, slots=True)
class LinkedGraft:
    """What the linker has made.

    Attributes:
        program: the image with its types, lines and addresses.
        content: the bytes of the image.
        symbols: address and size of each symbol in it.
        remarks: what is not known of a function, a sentence each.
    """

    program: Program
    content: bytes
    symbols: Mapping[str, tuple[int, int]]
    remarks: tuple[str, ...]

    def entry(self, reference: str) -> int:
        """The address where old code enters a new function."""
        own = NEW + reference
        return self.symbols[ENTRY + reference if ENTRY + reference in self.symbols else own][0]


def link(terms: GraftTerms, at: int, project: Path) -> LinkedGraft:
    """Link new functions; what has been linked before is not linked again.

    Args:
        terms: what is linked.
        at: the address of the image.
        project: the file that messages name.

    Raises:
        CompileError: a name has no place; the message says where it is used.
        ProgramError: a variable of the port has no place.
    """
    key = _key(terms, at)
    kept = build_cache.find(key, ".elf")
    image = _image(terms, at, project, key) if kept is None else kept.path.read_bytes()
    program = _program(image, terms, project)
    text = ELFFile(io.BytesIO(image)).get_section_by_name(".text")
    content = text.data() if text is not None else b""
    segment = Segment(".text", at, len(content), content, writable=False, executable=True)
    symbols = {name: (address, size) for name, address, size in _symbols(image, ".text")}
    remarks = plan(terms, frozenset(), program).remarks
    return LinkedGraft(replace(program, segments=(segment,)), content, symbols, remarks)


def _image(terms: GraftTerms, at: int, project: Path, key: str) -> bytes:
    """The linked image, which is kept; errors as of `link`."""
    sources = terms.objects.sources
    tree = sources.tree
    with staged(sources.files, tree.readable, tree.user_folders()) as stage:
        job = _GraftJob(terms, stage, at, project)
        names = [*_stage_units(terms, stage), *job.libraries()]
        runtime = job.runtime_names(names)
        first = plan(terms, runtime, None)
        image = job.run(first, names)
        second = plan(terms, runtime, _program(image, terms, project))
        if second.text != first.text:
            image = job.run(second, names)
        build_cache.keep(key, ".elf", image, stage.read)
    return image


def _program(image: bytes, terms: GraftTerms, project: Path) -> Program:
    return parse_elf(image, project, frozenset(terms.addresses.values()))


def _key(terms: GraftTerms, at: int) -> str:
    """What an image is kept for: all that it is made of."""
    objects, target = terms.objects, terms.objects.target
    units = (hashlib.sha256(unit.image).hexdigest() for unit in objects.units)
    places = (terms.addresses, terms.pointers, terms.table, terms.chosen, terms.together, at)
    return build_cache.key_of(
        _own_code(),
        compiler_version(target.compiler) or "",
        target.compiler,
        *compile_flags(objects.sources, objects.build, target),
        objects.sources.digest(),
        *units,
        repr((objects.dialect, sorted(objects.pascal), *places)),
    )


@functools.cache
def _own_code() -> str:
    """What stands for the code that links, and that writes what lies at the borders."""
    folder = Path(__file__).parent
    files = sorted(folder.glob("*.py"))
    return build_cache.key_of(__version__, *map(build_cache.digest_of, files))


def _stage_units(terms: GraftTerms, stage: Stage) -> Iterator[str]:
    for number, unit in enumerate(terms.objects.units):
        name = f"unit{number}.o"
        (stage.folder / name).write_bytes(unit.image)
        yield name


@dataclass(frozen=True, slots=True)
class _GraftJob:
    """The linking of one graft; attributes as of `link`."""

    terms: GraftTerms
    stage: Stage
    at: int
    project: Path

    @property
    def command(self) -> list[str]:
        """The compiler, for this processor."""
        target = self.terms.objects.target
        return [target.compiler, *target.flags]

    def libraries(self) -> list[str]:
        """Stage the objects of the runtime and of the glue to the Toolbox; their names."""
        objects = self.terms.objects
        sizes = [flag for flag in objects.sources.tree.cflags if flag in ("-mshort", "-fno-ivopts")]
        version = compiler_version(objects.target.compiler) or ""
        own = Libraries(objects.sources, objects.build, objects.target, version, self.stage)
        names = [*own.stage_objects(sizes), *own.of_texts(sizes)]
        return [*names, *self._toolbox(names)]

    def _toolbox(self, runtime: Iterable[str]) -> Iterator[str]:
        """The functions by which new code calls the Toolbox."""
        units = self.terms.objects.units
        needed = {name.removeprefix(CALL) for unit in units for name in unit.undefined}
        for name in runtime:
            if name.endswith(".o"):
                needed |= undefined_in(self.stage.folder / name)
        needed -= {symbol.reference for unit in units for symbol in unit.symbols}
        needed -= self.terms.addresses.keys()
        if self.terms.table is not None:
            return  # libraries are called through the glue of the old program
        slot = 2 if "-mshort" in self.terms.objects.dialect.flags else 4
        if text := glue_text(needed, slot):
            yield self.assembled(text, "toolbox")

    def runtime_names(self, names: Iterable[str]) -> frozenset[str]:
        """The names that are linked besides those of units."""
        others = [name for name in names if name.endswith(".o") and not name.startswith("unit")]
        return frozenset(
            definition.symbol
            for name in others
            for definition in definitions_of(self.stage.folder / name)
        )

    def assembled(self, text: str, name: str) -> str:
        """Assemble a text; the name of the object."""
        (self.stage.folder / f"{name}.s").write_text(f'{text}\t.section .note.GNU-stack,""\n')
        return self.stage.compile(self.command, f"{name}.s", f"{name}.o", self.project).name

    def run(self, made: BorderPlan, names: list[str]) -> bytes:
        """Link; the image.

        Raises:
            CompileError, ProgramError: as of `link`.
        """
        target = self.terms.objects.target
        values = "".join(f'"{name}" = {self._value(at)};\n' for name, at in made.symbols.items())
        script = _SCRIPT.format(at=self.at, unplaced=_UNPLACED, symbols=values)
        (self.stage.folder / "graft.ld").write_text(script)
        border = [self.assembled(made.text, "border")] if made.text else []
        kept = [f"-Wl,-u,{symbol}" for symbol in made.kept]
        library = Libraries(
            self.terms.objects.sources, self.terms.objects.build, target, "", self.stage
        ).of_gcc
        command = [*self.command, *_FLAGS, *target.link_flags, *kept, *names, *library, *border]
        image = self._linked(command)
        if unplaced := {name: at for name, at, size in _symbols(image, _UNPLACED) if size}:
            image = self._linked([*command, "-Wl,--emit-relocs"])
            raise _without_place(image, unplaced, self.project)
        return image

    def _linked(self, command: list[str]) -> bytes:
        self.stage.run([*command, "-o", "graft.elf"], self.project)
        return (self.stage.folder / "graft.elf").read_bytes()

    @staticmethod
    def _value(value: str) -> str:
        return value if value.startswith("0x") else f'"{value}"'


def _symbols(image: bytes, section_name: str) -> Iterator[tuple[str, int, int]]:
    """The symbols in a section: name, address and size."""
    file = ELFFile(io.BytesIO(image))
    index = file.get_section_index(section_name)
    table = file.get_section_by_name(".symtab")
    for entry in table.iter_symbols() if table is not None else ():
        if index and entry["st_shndx"] == index and entry["st_info"]["type"] != "STT_SECTION":
            yield entry.name, entry["st_value"], entry["st_size"]


def _without_place(image: bytes, unplaced: Mapping[str, int], project: Path) -> ProgramError:
    """The error for variables of the port that are none of the old program."""
    names = {at: source_name_of(symbol_of(name)) for name, at in unplaced.items()}
    program = parse_elf(image, project)
    users: dict[str, dict[str, None]] = {name: {} for name in sorted(names.values())}
    for target, place in _references(image):
        if target in names:
            location = program.locate(place)
            if location.line:
                where = f"({location.file}, line {location.line})"
                users[names[target]][f"{symbol_of(location.symbol)} {where}"] = None
    said = "; ".join(
        f"no mark says where {name} lies in the old program"
        f"{', used by ' if by else ''}{', '.join([*by][:_MOST_USERS])}"
        for name, by in users.items()
    )
    return ProgramError(
        project,
        said,
        remedy="Write // GLOBAL: and its place above its definition, or make it const.",
    )


def _references(image: bytes) -> Iterator[tuple[int, int]]:
    """The addresses that code refers to, each with the address of the reference."""
    file = ELFFile(io.BytesIO(image))
    table = file.get_section_by_name(".symtab")
    relocations = file.get_section_by_name(".rela.text")
    for one in relocations.iter_relocations() if relocations is not None else ():
        yield table.get_symbol(one["r_info_sym"])["st_value"], one["r_offset"]
