"""Makes the old application of examples/old-game: what THINK C made of such a source.

The compiler is GCC, made to do as THINK C did: ``int`` has 16 bits, a char parameter lies in the
upper byte of its word, globals are reached by A5, the names of functions follow them, and the
start-up code fills the globals out of the resources DATA, ZERO and DREL. What is in these three is
packed otherwise than by THINK C; only this start-up code reads them.
"""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from emu.base.temporary import temporary_folder
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.toolchain.mac_app.compile import program_files, runtime_files
from emu.toolchain.mac_app.elf_image import LinkedImage, read_linked_image
from emu.toolchain.mac_app.glue import entries, m68k_glue
from emu.toolchain.mac_app.resources import read_description
from emu.toolchain.sources import mac_sources

FOLDER = Path(__file__).parents[2] / "examples" / "old-game"
_SOURCE = "program/Turncoat.c"
_FLAGS = (
    *("-x", "c++", "-m68000", "-mshort", "-fno-pic", "-O1", "-fwrapv", "-fno-omit-frame-pointer"),
    *("-ffreestanding", "-fno-builtin", "-fno-exceptions", "-fno-asynchronous-unwind-tables"),
    *("-fno-ivopts", "-fno-inline", "-fno-toplevel-reorder", "-fno-reorder-blocks", "-fno-common"),
    *(
        "-fno-strict-aliasing",
        "-fno-stack-protector",
        "-ffixed-a5",
        "-fno-function-cse",
        "-nostdinc",
        "-nostdinc++",
    ),
    *("-fno-threadsafe-statics", "-Wno-multichar", "-Wno-write-strings", "-Wno-main", "-w"),
    *("-Iinclude", "-Icompat", "-Iprogram", "-Dmacintosh"),
)
# GCC has a char parameter in the lower byte of its word. A class of two bytes is copied as it is.
_SIDE = """extern "C" { struct Side {
 char it, rest;
 __attribute__((always_inline)) Side(char given) : it(given) {}
 __attribute__((always_inline)) operator char() const { return it; }
};"""
_SYMBOL = re.compile(r"(?<=[ ,])(\.LC\d+|[A-Za-z_]\w+)(?:[+-]\d+)?(?:\.l)?(?=,|$)")
_BRANCH = re.compile(r"\tj(?!sr)|\tdb")
_HEADER = struct.pack(">HH", 0, 1)  # the first jump table entry of CODE 1, and their number
_ENTRY = bytes.fromhex("0000 3F3C 0001 A9F0")  # offset 0; push segment 1; _LoadSeg
_PARAMETERS = 32
"""The distance from A5 to the jump table, in bytes."""
# Data ends at A5, which is taken for the address 0, so that a symbol's address is its offset.
_LAYOUT = """
SECTIONS {
  .text 4 : SUBALIGN(2) { *(.start) *(.text .text.*) . = ALIGN(2); }
  .data (0x100000000 - SIZEOF(.data) - SIZEOF(.bss)) : { *(.rodata .rodata.*) *(.data .data.*)
    . = ALIGN(4); }
  .bss : { *(.bss .bss.*) . = ALIGN(4); }
  /DISCARD/ : { *(.comment .note* .eh_frame .gnu*) }
}
"""
_START_UP = """
        .section .start, "ax"
        .globl  _start
_start: move.l  #0x44415441, %d0        | 'DATA': the first bytes of the globals
        bsr.s   Fetch
        lea     (__begin:w,%a5), %a1
        move.w  #__size, %d0
        bra.s   2f
1:      move.b  (%a0)+, (%a1)+
2:      dbra    %d0, 1b
        move.l  #0x5A45524F, %d0        | 'ZERO': how many bytes follow them
        bsr.s   Fetch
        move.w  (%a0), %d0
        lea     (__begin:w,%a5), %a1
        adda.w  #__size, %a1
        bra.s   2f
1:      clr.b   (%a1)+
2:      dbra    %d0, 1b
        move.l  #0x4452454C, %d0        | 'DREL': which longs in them are addresses
        bsr.s   Fetch
        move.l  %a5, %d1
        move.w  (%a0)+, %d0
        bra.s   2f
1:      move.w  (%a0)+, %a1
        add.l   %d1, (%a1, %a5.l)
2:      dbra    %d0, 1b
        bsr.w   main
        .short  0xA9F4                  | _ExitToShell
Fetch:  clr.l   -(%sp)
        move.l  %d0, -(%sp)
        clr.w   -(%sp)
        .short  0xA9A0                  | _GetResource
        move.l  (%sp)+, %a0
        move.l  (%a0), %a0
        rts
"""


@dataclass(frozen=True, slots=True)
class OldGame:
    """The application, and where its functions and globals lie: "CODE 1+0x122", "A5-0x40"."""

    application: bytes
    places: dict[str, str]


def make_old_game() -> OldGame:
    """Compile and link ``Turncoat.c``, and pack the application."""
    with temporary_folder() as folder:
        staged = {**program_files([FOLDER / "Turncoat.c"]), **runtime_files(mac_sources())}
        text = staged[_SOURCE].replace(b"typedef char Side;", _SIDE.encode())
        staged[_SOURCE] = text + b"\n}\n"
        for name, content in staged.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        _run(folder, "g++", *_FLAGS, "-S", "-o", "game.s", _SOURCE)
        (folder / "game.s").write_text(_as_of_the_time((folder / "game.s").read_text()))
        (folder / "start.s").write_text(_START_UP + _name("StartUp"))
        (folder / "glue.s").write_text(_glue(folder))
        (folder / "layout.ld").write_text(_LAYOUT)
        for name in ("start", "glue"):
            _run(folder, "as", "-m68000", "-o", f"{name}.o", f"{name}.s")
        objects = ("start.o", "game.o", "glue.o")
        begin = ("--defsym=__begin=ADDR(.data)", "--defsym=__size=SIZEOF(.data)")
        options = (
            "-static",
            "--emit-relocs",
            "--build-id=none",
            "--gc-sections",
            "-e",
            "_start",
            "-znoexecstack",
        )
        _run(folder, "ld", *options, *begin, "-T", "layout.ld", "-o", "game.elf", *objects)
        image = read_linked_image((folder / "game.elf").read_bytes(), FOLDER / "Turncoat.c")
    return OldGame(_packed(image), dict(_places(image)))


def _run(folder: Path, tool: str, *options: str) -> str:
    command = [f"m68k-linux-gnu-{tool}", *options]
    return subprocess.run(command, cwd=folder, check=True, text=True, stdout=subprocess.PIPE).stdout


def _as_of_the_time(text: str) -> str:
    """Assembler text with globals by A5, calls relative to the PC, and names behind functions."""
    variables = set(re.findall(r"\.type\s+(\w+), @object", text))

    def reached(match: re.Match[str]) -> str:
        is_data = match[1] in variables or match[1].startswith(".LC")
        return f"({match[0].removesuffix('.l')}:w,%{'a5' if is_data else 'pc'})"

    def named(match: re.Match[str]) -> str:
        return f"\trts\n{_name(match[1])}\t.size"

    text = re.sub(r"\tmove\.l #([.A-Za-z_]\w+),(.*)\n", r"\tpea \1\n\tmove.l (%sp)+,\2\n", text)
    lines = [
        line if line.startswith("\t.") or _BRANCH.match(line) else _SYMBOL.sub(reached, line)
        for line in text.splitlines()
    ]
    return re.sub(r"\trts\n\t\.size(?=\t(\w+),)", named, "\n".join(lines) + "\n")


def _name(name: str) -> str:
    """A name for MacsBug, and that no constants follow it."""
    return f'\t.byte {0x80 | len(name)}\n\t.ascii "{name}"\n\t.balign 2\n\t.short 0\n'


def _glue(folder: Path) -> str:
    """The Toolbox routines that the game calls."""
    _run(folder, "as", "-m68000", "-o", "game.o", "game.s")
    names = set(_run(folder, "nm", "--undefined-only", "game.o").split()) - {"U"}
    return m68k_glue((entry for entry in entries("m68k") if entry.name in names), slot=2)


def _packed(image: LinkedImage) -> bytes:
    sections = image.sections
    data, zeroed = sections[".data"], sections[".bss"]
    addresses = [
        struct.pack(">h", data.address + one.offset - (1 << 32))
        for one in image.references
        if one.section == ".data" and one.kind == "R_68K_32"
    ]
    world = (_PARAMETERS + len(_ENTRY), data.size + zeroed.size, len(_ENTRY), _PARAMETERS)
    description = read_description(FOLDER / "turncoat.yaml")
    size = struct.pack(">HII", 0, description.memory, description.memory)
    fork = make_resource_fork(
        [
            Resource("CODE", 0, "", 0, struct.pack(">4L", *world) + _ENTRY),
            Resource("CODE", 1, "Main", 0, _HEADER + sections[".text"].data),
            Resource("DATA", 0, "", 0, data.data),
            Resource("ZERO", 0, "", 0, struct.pack(">H", zeroed.size)),
            Resource("DREL", 0, "", 0, struct.pack(">H", len(addresses)) + b"".join(addresses)),
            Resource("SIZE", -1, "", 0, size),
            *description.resources,
        ]
    )
    return make_macbinary("Turncoat", type="APPL", creator=description.creator, resource_fork=fork)


def _places(image: LinkedImage) -> Iterator[tuple[str, str]]:
    for name, (section, offset) in image.symbols.items():
        address = image.sections[section].address + offset
        yield name, f"CODE 1+{address:#x}" if section == ".text" else f"A5-{(1 << 32) - address:#x}"


if __name__ == "__main__":
    game = make_old_game()
    (FOLDER / "Turncoat.bin").write_bytes(game.application)
    for name, place in sorted(game.places.items(), key=lambda item: item[1]):
        print(f"{place:16} {name}")
