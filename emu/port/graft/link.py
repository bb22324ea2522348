"""Links new functions with the old program: a linker script gives every name its old address."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from emu.base.errors import ProgramError
from emu.port.graft.assembly import NEW, symbol_of
from emu.port.graft.units import PortObjects, source_name_of
from emu.toolchain.compiler import Stage, compiler_version, staged
from emu.toolchain.compilers.libraries import Libraries
from emu.toolchain.objects import definitions_of, undefined_in

_SCRIPT = """SECTIONS
{{
  . = {at:#x};
  .text : {{ *(.text .text.*) *(.rodata .rodata.* .got .got.*) }}
  .unplaced : {{ *(.data .data.* .sdata .sdata.* .bss .bss.* .sbss .sbss.* COMMON) }}
  /DISCARD/ : {{ *(.comment) *(.note*) *(.eh_frame*) *(.gnu.attributes) }}
}}
{symbols}
"""
_FLAGS = (
    "-nostdlib",
    "-static",
    "-no-pie",
    "-Wl,--gc-sections,--build-id=none,--emit-relocs,-z,muldefs,-z,max-page-size=4096",
    "-Wl,-T,graft.ld,-e,0",
)


@dataclass(frozen=True, slots=True)
class LinkedGraft:
    """What the linker has made.

    Attributes:
        elf: its file.
        content: the bytes of the image.
        symbols: address and size of each new function, by reference.
    """

    elf: bytes
    content: bytes
    symbols: Mapping[str, tuple[int, int]]


def link(
    objects: PortObjects,
    addresses: Mapping[str, int],
    border: str,
    new: Collection[str],
    at: int,
    project: Path,
) -> LinkedGraft:
    """Link new functions.

    Args:
        objects: the compiled units.
        addresses: the addresses of names in the old program, by reference.
        border: assembler text of what lies between old and new functions.
        new: the references of the functions to be linked.
        at: the address of the image.
        project: the file that messages name.

    Raises:
        CompileError: a name has no place; the message says where it is used.
        ProgramError: a variable of the port has no place.
    """
    sources, target = objects.sources, objects.target
    version = compiler_version(target.compiler) or ""
    tree = sources.tree
    with staged(sources.files, tree.readable, tree.user_folders()) as stage:
        names = list(_stage_units(objects, stage))
        sizes = [flag for flag in tree.cflags if flag in ("-mshort", "-fno-ivopts")]
        libraries = Libraries(sources, objects.build, target, version, stage)
        names += libraries.stage_objects(sizes)
        command = [target.compiler, *target.flags]
        names += _assembled(border, "border", command, stage, project)
        names += _toolbox(objects, names, addresses, command, stage)
        symbols = "".join(f'"{name}" = {value:#x};\n' for name, value in addresses.items())
        (stage.folder / "graft.ld").write_text(_SCRIPT.format(at=at, symbols=symbols))
        kept = [f"-Wl,-u,{NEW}{reference}" for reference in new]
        command += [*_FLAGS, *target.link_flags, *kept, *names, *libraries.of_gcc]
        stage.run([*command, "-o", "graft.elf"], project)
        elf = (stage.folder / "graft.elf").read_bytes()
    return _linked(elf, project)


def _stage_units(objects: PortObjects, stage: Stage) -> Iterator[str]:
    for number, unit in enumerate(objects.units):
        name = f"unit{number}.o"
        (stage.folder / name).write_bytes(unit.image)
        yield name


def _assembled(
    text: str, name: str, command: list[str], stage: Stage, blamed: Path
) -> Iterator[str]:
    if text:
        (stage.folder / f"{name}.s").write_text(text)
        yield stage.compile(command, f"{name}.s", f"{name}.o", blamed).name


def _toolbox(
    objects: PortObjects,
    names: list[str],
    known: Mapping[str, int],
    command: list[str],
    stage: Stage,
) -> Iterator[str]:
    """The functions by which new code calls the Toolbox."""
    paths = [stage.folder / name for name in names if name.endswith(".o")]
    missing = {name for path in paths for name in undefined_in(path)} - known.keys()
    missing -= {definition.symbol for path in paths for definition in definitions_of(path)}
    if all(name.startswith("_") for name in missing):
        return
    from emu.toolchain.mac_app import glue  # reads all declarations of the Toolbox

    architecture = objects.target.architecture
    entries = (*glue.entries(architecture), *glue.absent_entries())
    table = [entry for entry in entries if entry.name in missing]
    slot = 2 if "-mshort" in objects.dialect.flags else 4
    text = glue.m68k_glue(table, slot, chars_in_upper_bytes=False)
    yield from _assembled(text, "toolbox", command, stage, objects.sources.tree.sources[0])


def _linked(elf: bytes, project: Path) -> LinkedGraft:
    file = ELFFile(io.BytesIO(elf))
    sections = {section.name: section for section in file.iter_sections()}
    symbols: dict[str, tuple[int, int]] = {}
    unplaced: list[str] = []
    numbers = {index: section.name for index, section in enumerate(file.iter_sections())}
    for entry in sections[".symtab"].iter_symbols():
        name, section = entry.name, numbers.get(entry["st_shndx"], "")
        if name.startswith(NEW) and section == ".text":
            symbols[name.removeprefix(NEW)] = (entry["st_value"], entry["st_size"])
        elif section == ".unplaced" and entry["st_info"]["type"] == "STT_OBJECT":
            unplaced.append(source_name_of(symbol_of(name.removeprefix(NEW))))
    if unplaced:
        raise ProgramError(
            project,
            f"no mark says where {', '.join(sorted(set(unplaced)))} lies in the old program",
            remedy="Write // GLOBAL: A5-0x… above its definition, or make it const.",
        )
    text = sections.get(".text")
    return LinkedGraft(elf, text.data() if text is not None else b"", symbols)
