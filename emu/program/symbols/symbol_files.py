"""Finds the file with a Mac application's symbols, which a linker leaves beside it."""

from __future__ import annotations

from pathlib import Path

from emu.program.mac_file.companions import HEADER_PREFIXES
from emu.program.mac_file.mac_file import MacFile
from emu.program.symbols.code_symbols import DEBUG_SUFFIX
from emu.program.symbols.fragment_elf import SUFFIX as PEF_ELF_SUFFIX

_SUFFIXES = {"m68k": (DEBUG_SUFFIX,), "powerpc": (".xcoff", PEF_ELF_SUFFIX)}
_CODE_SUFFIX = ".code.bin"  # of the MacBinary file that Elf2Mac writes
_FORK_FOLDERS = (".rsrc", ".finf", ".AppleDouble")


def find_symbols(file: MacFile, architecture: str) -> Path | None:
    """The linker's output with the symbols of a Mac application; None if it is not beside it.

    Args:
        file: the application.
        architecture: "m68k" or "powerpc", to choose one of a fat application's two programs.
    """
    for suffix in _SUFFIXES[architecture]:
        for folder in _folders(file.path):
            for name in _names(file):
                candidate = folder / f"{name}{suffix}"
                if candidate.is_file():
                    return candidate
    return None


def _folders(path: Path) -> list[Path]:
    """The folders to look into: the file's own, and the one above if this one holds only forks."""
    folder = path.parent
    if folder.name in _FORK_FOLDERS or not folder.is_dir():  # or it is a disk image
        return [folder, folder.parent]
    return [folder]


def _names(file: MacFile) -> list[str]:
    """Possible names of the symbol file before its suffix, from the names of host and Mac."""
    stem = file.path.name
    for prefix in HEADER_PREFIXES:
        stem = stem.removeprefix(prefix)
    names = (
        stem,
        stem.removesuffix(_CODE_SUFFIX),
        Path(stem).stem,
        stem.split(".")[0],
        file.name,
    )
    return [name for name in dict.fromkeys(names) if name and "/" not in name]
