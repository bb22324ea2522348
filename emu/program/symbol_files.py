"""Finds what a linker leaves beside a Mac application: the file with the program's symbols."""

from __future__ import annotations

from pathlib import Path

from emu.program.code_symbols import DEBUG_SUFFIX
from emu.program.fragment_elf import SUFFIX as PEF_ELF_SUFFIX
from emu.program.mac_file import MacFile

_SUFFIXES = {"m68k": (DEBUG_SUFFIX,), "powerpc": (".xcoff", PEF_ELF_SUFFIX)}
_CODE_SUFFIX = ".code.bin"  # of the MacBinary file that Elf2Mac writes
_HEADER_PREFIXES = ("%", "._")  # of AppleDouble headers
_FORK_FOLDERS = (".rsrc", ".finf", ".AppleDouble")


def find_symbols(file: MacFile, architecture: str) -> Path | None:
    """The linker's own output with the symbols of a Mac application, beside it, if it is there.

    Args:
        file: the application.
        architecture: "m68k" or "powerpc", which of its programs is meant.
    """
    for suffix in _SUFFIXES[architecture]:
        for folder in _folders(file.path):
            for name in _names(file):
                candidate = folder / f"{name}{suffix}"
                if candidate.is_file():
                    return candidate
    return None


def _folders(path: Path) -> list[Path]:
    """Where to look: a folder that holds only forks is below the one with the files."""
    folder = path.parent
    if folder.name in _FORK_FOLDERS or not folder.is_dir():  # or it is a disk image
        return [folder, folder.parent]
    return [folder]


def _names(file: MacFile) -> list[str]:
    """What the file may be called before its suffix: by its name here, or that on the Mac."""
    stem = file.path.name
    for prefix in _HEADER_PREFIXES:
        stem = stem.removeprefix(prefix)
    names = (
        stem,
        stem.removesuffix(_CODE_SUFFIX),
        Path(stem).stem,
        stem.split(".")[0],
        file.name,
    )
    return [name for name in dict.fromkeys(names) if name and "/" not in name]
