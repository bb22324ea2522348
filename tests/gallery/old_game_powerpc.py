"""Makes the old game for a Power Macintosh: its functions call as those of CodeWarrior do.

GCC's ``-mcall-aixdesc`` makes such code, with a table of contents in R2. What is added to its text
is what a linker of the time added: glue that fetches a routine of a library out of the table.
"""

from __future__ import annotations

import itertools
import re
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.temporary import temporary_folder
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.toolchain.mac_app.compile import program_files, runtime_files
from emu.toolchain.mac_app.elf_image import LinkedImage, read_linked_image
from emu.toolchain.mac_app.glue import IMPORT_PREFIX
from emu.toolchain.mac_app.link_ppc import LIBRARY, MAIN_VECTOR, code_fragment
from emu.toolchain.mac_app.resources import read_description
from emu.toolchain.sources import mac_sources
from tests.gallery.old_game import FOLDER

_SOURCE = "program/Turncoat.c"
_FLAGS = (
    *("-x", "c++", "-mcpu=601", "-mcall-aixdesc", "-fno-pic", "-msdata=none", "-mmultiple"),
    *("-O1", "-fwrapv", "-fsigned-char", "-ffreestanding", "-fno-builtin", "-fno-exceptions"),
    *("-fno-asynchronous-unwind-tables", "-fno-inline", "-fno-toplevel-reorder", "-fno-common"),
    *("-fno-strict-aliasing", "-fno-stack-protector", "-nostdinc", "-nostdinc++"),
    *("-fno-optimize-sibling-calls", "-fno-jump-tables", "-fno-threadsafe-statics", "-w"),
    *("-Iinclude", "-Icompat", "-Iprogram", "-Dmacintosh"),
)
_TABLE = ".LCTOC1"
_GOT = '\t.section\t".got","aw"\n'
_IN_TABLE = '\t.section .data.table,"aw"\n'  # GNU as takes what is in .got for its own
_CALL = re.compile(r"^\tbl \.([A-Za-z_]\w*)\n\tnop$", re.MULTILINE)
_CODE = re.compile(r"^\t\.type\t\.([A-Za-z_]\w*), @function$", re.MULTILINE)
_POINTER = re.compile(r"^(\.LC\d+:\n\t\.long )\.([A-Za-z_]\w*)$", re.MULTILINE)
_LAYOUT = """
SECTIONS {
  .text 0x10000 : { *(.text .text.*) . = ALIGN(4); }
  .data 0x20000 : { *(.rodata .rodata.*) *(.data .data.*) *(.got1) . = ALIGN(4); }
  .bss : { *(.bss .bss.*) . = ALIGN(4); }
  /DISCARD/ : { *(.comment .note* .eh_frame .gnu*) }
}
"""
_START_UP = f"""
	.section .text
_start:
	stwu 1, -64(1)
	bl .main
	nop
	bl .ExitToShell
	nop
	.section .data
	.globl {MAIN_VECTOR}
{MAIN_VECTOR}: .long _start, {_TABLE}
"""


@dataclass(frozen=True, slots=True)
class OldPowerPcGame:
    """The application, and where its functions and globals lie: "section 0+0x122"."""

    application: bytes
    places: dict[str, str]


def make_old_powerpc_game() -> OldPowerPcGame:
    """Compile and link ``Turncoat.c``, and pack the application."""
    with temporary_folder() as folder:
        for name, content in {
            **program_files([FOLDER / "Turncoat.c"]),
            **runtime_files(mac_sources()),
        }.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        source = folder / _SOURCE
        text = source.read_text().replace("typedef char Side;", 'extern "C" {typedef char Side;')
        source.write_text(text + "}\n")
        _run(folder, "g++", *_FLAGS, "-S", "-o", "game.s", _SOURCE)
        (folder / "game.s").write_text(_linked_as_of_the_time((folder / "game.s").read_text()))
        _run(folder, "as", "-mppc", "-o", "game.o", "game.s")
        (folder / "layout.ld").write_text(_LAYOUT)
        options = ("-static", "--emit-relocs", "--build-id=none", "-e", "0")
        _run(folder, "ld", *options, "-T", "layout.ld", "-o", "game.elf", "game.o")
        image = read_linked_image((folder / "game.elf").read_bytes(), FOLDER / "Turncoat.c")
    description = read_description(FOLDER / "turncoat.yaml")
    size = struct.pack(">HII", 0, description.memory, description.memory)
    fork = make_resource_fork(
        [
            Resource("cfrg", 0, "", 0, code_fragment("Turncoat")),
            Resource("SIZE", -1, "", 0, size),
            *description.resources,
        ]
    )
    creator, data = description.creator, _container(image)
    game = make_macbinary("Turncoat", type="APPL", creator=creator, data=data, resource_fork=fork)
    return OldPowerPcGame(game, dict(_places(image)))


def _run(folder: Path, tool: str, *options: str) -> None:
    subprocess.run([f"powerpc-linux-gnu-{tool}", *options], cwd=folder, check=True)


def _linked_as_of_the_time(text: str) -> str:
    text = text.replace("_GLOBAL_OFFSET_TABLE_", _TABLE).replace(_GOT, _IN_TABLE)
    text = f"{_IN_TABLE}{_TABLE}:\n{text}{_START_UP}"
    own = set(_CODE.findall(text))
    # GCC takes the code for the address of a function, and not its transition vector.
    text = _POINTER.sub(lambda it: it[1] + it[2] if it[2] in own else it[0], text)
    imports = sorted(set(_CALL.findall(text)) - own)
    glue = "".join(map(_glue, imports))
    return _CALL.sub(lambda call: _call(call[1], call[1] in own), text) + glue


def _call(name: str, is_own: bool) -> str:
    return f"\tbl .{name}\n\t{'nop' if is_own else 'lwz 2, 20(1)'}"


def _glue(name: str) -> str:
    slot = IMPORT_PREFIX + name
    return f"""
{_IN_TABLE}
    .globl {slot}
{slot}:
.Lslot.{name}: .long 0
    .section .text
.{name}:
    lwz 12, .Lslot.{name}-{_TABLE}(2)
    stw 2, 20(1)
    lwz 0, 0(12)
    lwz 2, 4(12)
    mtctr 0
    bctr
"""


def _places(image: LinkedImage) -> Iterator[tuple[str, str]]:
    """Where functions and globals are; the name of a function stands for its code."""
    for name, (section, offset) in image.symbols.items():
        if section == ".text":
            yield name.removeprefix("."), f"section 0+{offset:#x}"
        elif f".{name}" not in image.symbols:  # else it is a transition vector
            start = image.sections[section].address - image.sections[".data"].address
            yield name, f"section 1+{start + offset:#x}"


# -- the PEF container: Mac OS Runtime Architectures, chapter 8 ------------------------------------


def _container(image: LinkedImage) -> bytes:
    """Code, data, and what the loader does to the data."""
    code, data, zeroed = (image.sections[name] for name in (".text", ".data", ".bss"))
    content, instructions = _with_offsets(image)
    size = zeroed.address + zeroed.size - data.address
    sections = (  # kind, sharing, size, bytes of it that are not zero, contents
        (0, 4, code.size, code.size, code.data),
        (1, 1, size, len(content), content),
        (4, 4, 0, 0, _loader(image, instructions)),
    )
    head = b"Joy!peffpwpc" + struct.pack(">5I2HI", 1, 0, 0, 0, 0, len(sections), 2, 0)
    at = len(head) + len(sections) * 28
    for kind, sharing, whole, unpacked, part in sections:
        head += struct.pack(">i5I4B", -1, 0, whole, unpacked, len(part), at, kind, sharing, 4, 0)
        at += len(part)
    return head + b"".join(part for *_, part in sections)


def _with_offsets(image: LinkedImage) -> tuple[bytes, list[int]]:
    """The data with offsets in place of addresses, and what makes addresses of them again."""
    content, words = bytearray(image.sections[".data"].data), list[int]()
    for one in image.references:
        if one.section == ".data" and one.target:
            to_code = one.target == ".text"
            base = image.sections[".text" if to_code else ".data"].address
            (value,) = struct.unpack_from(">I", content, one.offset)
            struct.pack_into(">I", content, one.offset, value - base)
            words += [*_position(one.offset), 0x4000 if to_code else 0x4200]
    return bytes(content), words


def _loader(image: LinkedImage, instructions: Sequence[int]) -> bytes:
    slots = {
        name.removeprefix(IMPORT_PREFIX): offset
        for name, (_, offset) in image.symbols.items()
        if name.startswith(IMPORT_PREFIX)
    }
    names = [LIBRARY, *slots]
    at = dict(zip(names, itertools.accumulate([0, *(len(n) + 1 for n in names)]), strict=False))
    strings = b"".join(name.encode() + b"\0" for name in names)
    library = struct.pack(">5I2BH", 0, 0, 0, len(slots), 0, 0, 0, 0)
    symbols = b"".join(struct.pack(">I", 2 << 24 | at[name]) for name in slots)  # 2: a vector
    words = [*instructions]
    for number, offset in enumerate(slots.values()):
        words += [*_position(offset), 0xA400, number]
    code = struct.pack(f">{len(words)}H", *words)
    header = struct.pack(">2H2I", 1, 0, len(words), 0)
    at_code = 56 + len(library) + len(symbols) + len(header)
    at_strings = at_code + len(code)
    strings += bytes(-(at_strings + len(strings)) % 4)
    _, main = image.symbols[MAIN_VECTOR]
    counts = (1, len(slots), 1, at_code, at_strings, at_strings + len(strings), 0, 0)
    start = struct.pack(">iIiIiI8I", 1, main, -1, 0, -1, 0, *counts)
    return b"".join([start, library, symbols, header, code, strings, bytes(4)])


def _position(offset: int) -> list[int]:
    return [0xA000 | offset >> 16, offset & 0xFFFF]
