"""Reads the DWARF sections of a linked XCOFF file."""

from __future__ import annotations

import functools
import io
from typing import Any

from emu.program.elf.dwarf import DebugInformation, debug_information, told_as_damaged
from emu.program.elf.dwarf_types import TypeReader
from emu.program.xcoff.xcoff_model import XcoffFile

_NAMES = {
    ".dwinfo": "debug_info_sec",
    ".dwabrev": "debug_abbrev_sec",
    ".dwline": "debug_line_sec",
    ".dwstr": "debug_str_sec",
    ".dwrnges": "debug_ranges_sec",
    ".dwloc": "debug_loc_sec",
    ".dwframe": "debug_frame_sec",
    ".dwarnge": "debug_aranges_sec",
}
"""What pyelftools calls each section. Source: AIX Files Reference, "DWARF Sections"."""

# The sections that pyelftools asks for and that XCOFF files do not have.
_ABSENT = (
    "eh_frame_sec",
    "debug_pubtypes_sec",
    "debug_pubnames_sec",
    "debug_addr_sec",
    "debug_str_offsets_sec",
    "debug_line_str_sec",
    "debug_loclists_sec",
    "debug_rnglists_sec",
    "debug_sup_sec",
    "gnu_debugaltlink_sec",
    "debug_types_sec",
)


def read_xcoff_debug_information(xcoff: XcoffFile) -> DebugInformation:
    """Globals, functions, types and lines of a file whose sections lie where it was linked to.

    Raises:
        ProgramError: its debugging sections are damaged.
    """
    sections = {s.name: s.data for s in xcoff.sections if s.kind == "debug" and s.name in _NAMES}
    if not {".dwinfo", ".dwabrev"} <= sections.keys():
        return DebugInformation()
    again = functools.partial(_dwarf, sections)
    with told_as_damaged(xcoff.path, "its debugging information"):
        return debug_information(again(), again, TypeReader(xcoff.path, ">", "EM_PPC"), xcoff.path)


def _dwarf(sections: dict[str, bytes]) -> Any:
    from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo

    debug_sections = {
        _NAMES[name]: DebugSectionDescriptor(io.BytesIO(data), name, 0, len(data), 0)
        for name, data in sections.items()
    }
    config = DwarfConfig(little_endian=False, machine_arch="PowerPC", default_address_size=4)
    return DWARFInfo(config, **{**dict.fromkeys([*_NAMES.values(), *_ABSENT]), **debug_sections})
