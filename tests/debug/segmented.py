"""Builds an application of two segments with symbols, as Retro68 makes one."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.toolchain.builds import BUILDS
from emu.toolchain.mac_app.compile import ApplicationCompiler
from emu.toolchain.mac_app.elf_image import read_linked_image
from emu.toolchain.mac_app.link_68k import code_resources, relocation_list
from emu.toolchain.sources import mac_sources

SOURCE = Path(__file__).with_name("segmented.cpp")
_SECOND = ".code00002"
_PARAMETERS = 32
_ENTRIES = bytes.fromhex("0000 3F3C 0001 A9F0 0000 3F3C 0002 A9F0")


def build_segmented(folder: Path) -> Path:
    """Write the application and, beside it, the linked file; its path."""
    builder = ApplicationCompiler("68000", mac_sources(), BUILDS["O0"], (), True, (), None)
    elf = builder.elf([SOURCE])
    image = read_linked_image(elf, SOURCE)
    first = replace(
        image,
        sections={name: part for name, part in image.sections.items() if name != _SECOND},
        references=tuple(part for part in image.references if part.section != _SECOND),
    )
    _, below, _, _ = struct.unpack_from(">4L", code_resources(first)[0].data)
    world = struct.pack(">4L", _PARAMETERS + len(_ENTRIES), below, len(_ENTRIES), _PARAMETERS)
    resources = [
        Resource("CODE", 0, "", 0, world + _ENTRIES),
        *code_resources(first)[1:],
        Resource("CODE", 2, "Second", 0, struct.pack(">HH", 8, 1) + image.sections[_SECOND].data),
        Resource("RELA", 2, "", 0, relocation_list(())),
    ]
    fork = make_resource_fork(resources)
    path = folder / "Segmented.bin"
    path.write_bytes(make_macbinary("Segmented", type="APPL", creator="????", resource_fork=fork))
    (folder / "Segmented.code.bin.gdb").write_bytes(elf)
    return path
