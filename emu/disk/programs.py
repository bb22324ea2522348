"""Finds the programs for a disk: those that the user names, or macproof's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from emu.base.errors import ToolMissingError, UsageError
from emu.disk.contents import DiskFile, file_from
from emu.disk.image import LARGEST
from emu.program.mac_file.mac_file import parse_mac_file, read_mac_file
from emu.toolchain.mac_app.applications import find_applications
from emu.toolchain.mac_app.fat import make_fat_application
from emu.toolchain.mac_app.mac_prebuilt import PREBUILT_CPUS, prebuilt_application, prebuilt_folder


def own_programs(mac_sources: Path) -> list[DiskFile]:
    """Make fat applications of macproof's prebuilt ones, in the order of their names.

    Args:
        mac_sources: the folder with the sources that they must have been made from.

    Raises:
        ProgramError: one of them is damaged, or differs from the manifest.
        ToolMissingError: one of them is missing, or was made from other sources.
    """
    files = []
    for application in sorted(find_applications([], mac_sources), key=lambda app: app.title):
        try:
            old, new = (
                prebuilt_application(application, cpu, mac_sources).path for cpu in PREBUILT_CPUS
            )
        except ToolMissingError as error:
            raise ToolMissingError(
                f"{error}; then macproof build --app --fat, and name what it made for the disk"
            ) from error
        path = prebuilt_folder(mac_sources) / old.name
        files.append(file_from(parse_mac_file(make_fat_application(old, new), path)))
    return files


def read_programs(words: Iterable[str]) -> Sequence[DiskFile]:
    """Read the Mac files that the words of the command line name.

    Args:
        words: FILE, or FILE=NAME to give it another name on the disk. `read_mac_file` reads FILE,
            so it may also be a file in a disk image (disk.dsk:Name).

    Raises:
        ProgramError: a file cannot be read.
        UsageError: a name is wrong, or the files together are too large for any disk.
    """
    files: list[DiskFile] = []
    total = 0
    for word in words:
        path, name = _parted(word)
        file = file_from(read_mac_file(path), name)
        total += len(file.data) + len(file.resource_fork)
        if total > LARGEST:
            raise UsageError(f"the programs do not fit on a disk of {LARGEST >> 20}M")
        files.append(file)
    return files


def file_of_word(word: str) -> str:
    """The part FILE of a word such as FILE=NAME.

    Raises:
        UsageError: nothing stands before the equals sign, or nothing behind it.
    """
    return _parted(word)[0]


def _parted(word: str) -> tuple[str, str]:
    path, equals, name = word.rpartition("=")
    try:
        if not equals or Path(word).exists():
            return word, ""
    except (
        OSError,
        ValueError,
    ):  # the word is too long for a file name, so it is no file name with a "=" in it
        pass
    if not path or not name:
        raise UsageError(f"{word}: FILE=NAME has a file before the sign and a name behind it")
    return path, name
