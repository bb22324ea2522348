"""Which programs go on a disk: those that are named, or the kit's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from emu.disk.contents import DiskFile, file_from
from emu.disk.image import LARGEST
from emu.errors import UsageError
from emu.program.mac_file import parse_mac_file, read_mac_file
from emu.toolchain.fat import make_fat_application

PREBUILT = Path(__file__).parents[2] / "mac_src" / "prebuilt" / "mac"
"""Where the kit's own applications lie: a folder of MacBinary files for each processor."""

_OLD, _NEW = "68000", "601"


def own_programs(folder: Path = PREBUILT) -> list[DiskFile]:
    """The kit's prebuilt applications in the order of their names, fat where there are both halves.

    Raises:
        ProgramError: one of them is damaged.
        UsageError: there are none.
    """
    found = {path.name for cpu in (_OLD, _NEW) for path in (folder / cpu).glob("*.bin")}
    if not found:
        raise UsageError(
            f"there are no prebuilt applications in {folder}; name the programs for the disk"
        )
    files = []
    for name in sorted(found):
        halves = [folder / cpu / name for cpu in (_OLD, _NEW)]
        there = [path for path in halves if path.is_file()]
        if len(there) == len(halves):
            file = file_from(parse_mac_file(make_fat_application(*halves), folder / name))
        else:
            file = file_from(read_mac_file(there[0]))
        files.append(file)
    return files


def read_programs(words: Iterable[str]) -> Sequence[DiskFile]:
    """The Mac files that the words name.

    Args:
        words: FILE, or FILE=NAME to call it something else on the disk; FILE as `read_mac_file`
            takes it, so also one in an image (disk.dsk:Name).

    Raises:
        ProgramError: a file cannot be read.
        UsageError: a name is wrong, or all of it is too much for any disk.
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


def _parted(word: str) -> tuple[str, str]:
    path, equals, name = word.rpartition("=")
    try:
        if not equals or Path(word).exists():
            return word, ""
    except (OSError, ValueError):  # too long for a file's name, which a word with two may be
        pass
    if not path or not name:
        raise UsageError(f"{word}: FILE=NAME has a file before the sign and a name behind it")
    return path, name
