"""``macproof disk``: put programs on a disk image, in a shared folder, or on a file server."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from emu.base.errors import InputError, UsageError
from emu.base.files import open_file, write_whole
from emu.base.printable import one_line
from emu.commands.interface.outputs import output_file, output_folder
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.disk import shared_folder
from emu.disk.contents import UNKNOWN, DiskFile, places
from emu.disk.emulators import EMULATORS, MARK, Mounts, advice, command_line, preferences
from emu.disk.image import Image, is_untouched, make_image, parse_size, shown_size
from emu.disk.programs import file_of_word, own_programs, read_programs
from emu.disk.readme_text import make_readme, measures
from emu.program.mac_file.mac_file import host_files
from emu.results.scenes_file import SCENES_NAME, make_scenes_file
from emu.toolchain.sources import mac_sources

_SCHEMA = "macproof.disk/1"
_DEFAULT = Path("macproof.dsk")
_DEFAULT_NAME = "macproof"


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "programs",
        nargs="*",
        metavar="PROGRAM",
        help="a Mac file: MacBinary, AppleDouble, disk.dsk:Name, ...; FILE=NAME renames it "
        "(default: the kit's own)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="FILE",
        help=f"the disk image (default: {_DEFAULT}, unless a folder serves instead)",
    )
    parser.add_argument(
        "--size", metavar="SIZE", help="800K, 1440K, 10M, ... (default: the smallest that fits)"
    )
    parser.add_argument(
        "--name", metavar="NAME", help=f"the disk's name (default: {_DEFAULT_NAME})"
    )
    _add_folder_options(parser)
    _add_emulator_options(parser)
    parser.add_argument(
        "--programs-only",
        action="store_true",
        help="no Read Me, and no scenes for PortCheck",
    )
    parser.add_argument(
        "--force", action="store_true", help="replace files that macproof did not write"
    )
    parser.add_argument(
        "--json", type=output_file, metavar="FILE", help="also write a summary as JSON"
    )


def _add_folder_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        type=output_folder,
        metavar="DIR",
        help="a shared folder for Basilisk II and SheepShaver",
    )
    parser.add_argument(
        "--apple-double",
        type=output_folder,
        metavar="DIR",
        help="AppleDouble pairs for a file server",
    )
    parser.add_argument(
        "--server",
        choices=[shared_folder.NETATALK, shared_folder.SAMBA],
        help="for --apple-double: netatalk keeps .AppleDouble/NAME, samba ._NAME beside a file "
        "(default: netatalk)",
    )


def _add_emulator_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--for",
        dest="emulator",
        choices=list(EMULATORS),
        help="print how this emulator mounts the disk, and what you have to supply",
    )
    parser.add_argument(
        "--prefs",
        type=output_file,
        metavar="FILE",
        help="write the emulator's preferences into this file, not on the screen",
    )
    parser.add_argument("--rom", type=Path, metavar="FILE", help="your ROM, for --for")
    parser.add_argument("--system", type=Path, metavar="FILE", help="your System disk, for --for")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Make the disk or folders. Nothing is written until all of it is known to be possible."""
    _check(arguments)
    size = None if arguments.size is None else parse_size(arguments.size)
    words = arguments.programs
    files = list(read_programs(words)) if words else own_programs(mac_sources())
    if not arguments.programs_only:
        files += _companions(files)
    wanted = _Wanted.of(arguments)
    refuse_overwriting(_output_files(arguments, wanted, files), _read(arguments))
    name = _DEFAULT_NAME if arguments.name is None else arguments.name
    image = make_image(files, size, name) if wanted.image else None
    prefs = _preferences(arguments, wanted)
    _refuse_to_overwrite(arguments, wanted, image, prefs)
    for folder, layout in wanted.folders:
        shared_folder.check_folder(folder, files, layout, replace=arguments.force)
    if wanted.image and image:
        write_whole(wanted.image, image.contents)
    for folder, layout in wanted.folders:
        shared_folder.write_folder(folder, files, layout, replace=arguments.force)
    if arguments.prefs is not None:
        write_whole(arguments.prefs, prefs)
    if arguments.json is not None:
        text = json.dumps(_summary(arguments, wanted, image, files), indent=1, sort_keys=True)
        write_whole(arguments.json, (text + "\n").encode())
    if not arguments.quiet:
        for line in _lines(arguments, wanted, image, files, prefs):
            console.print(Text(line), soft_wrap=True)
    return 0


def _companions(programs: Sequence[DiskFile]) -> Iterator[DiskFile]:
    """The Read Me, and the scenes file if one of the programs reads it."""
    if measures(programs):
        yield DiskFile(SCENES_NAME, "TEXT", "ttxt", 0, make_scenes_file(), b"")
    yield make_readme(programs)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What to write: the image, if any, and folders with their layouts."""

    image: Path | None
    folders: tuple[tuple[Path, str], ...]
    mounts: Mounts

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> _Wanted:
        folders = []
        if arguments.folder is not None:
            folders.append((arguments.folder, shared_folder.EMULATOR))
        if arguments.apple_double is not None:
            folders.append((arguments.apple_double, arguments.server or shared_folder.NETATALK))
        image = arguments.output
        if image is None:
            serves = bool(folders)
            if arguments.emulator is not None:  # no emulator mounts pairs for a file server
                serves = arguments.folder is not None and EMULATORS[arguments.emulator].shares
            image = None if serves else _DEFAULT
        mounts = Mounts(image, arguments.folder, arguments.rom, arguments.system)
        return cls(image, tuple(folders), mounts)


def _check(arguments: argparse.Namespace) -> None:
    if arguments.emulator is None:
        for option in ("prefs", "rom", "system"):
            if getattr(arguments, option) is not None:
                raise UsageError(f"--{option} needs --for EMULATOR")
    elif arguments.prefs is not None and not EMULATORS[arguments.emulator].settings:
        raise UsageError(
            f"{EMULATORS[arguments.emulator].name} has no preferences file: leave out --prefs"
        )
    for option in ("rom", "system"):
        path = getattr(arguments, option)
        if path is not None and not path.is_file():
            raise UsageError(f"--{option} {path}: there is no such file")
    outputs = [arguments.output, arguments.prefs, arguments.json]
    outputs += [arguments.folder, arguments.apple_double, arguments.rom, arguments.system]
    given = [path.resolve() for path in outputs if path is not None]
    if len(set(given)) < len(given):
        raise UsageError("two of the files and folders to write, or to mount, are the same")
    for option in ("size", "name"):
        if getattr(arguments, option) is not None and _Wanted.of(arguments).image is None:
            raise UsageError(f"--{option} is for a disk image: add -o FILE")
    if arguments.server is not None and arguments.apple_double is None:
        raise UsageError("--server is for pairs of files: add --apple-double DIR")


def _output_files(
    arguments: argparse.Namespace, wanted: _Wanted, files: Sequence[DiskFile]
) -> Iterator[NamedFile]:
    """Every file that will be written."""
    for what, path in (
        ("the disk image", wanted.image),
        ("--prefs", arguments.prefs),
        ("--json", arguments.json),
    ):
        if path is not None:
            yield NamedFile(what, path)
    for folder, layout in wanted.folders:
        for part, _ in shared_folder.folder_files(files, layout):
            yield NamedFile(f"a file in {folder}", folder / part)


def _read(arguments: argparse.Namespace) -> Iterator[NamedFile]:
    """Every file that programs are read from, or that the emulator will read."""
    for word in arguments.programs:
        for path in host_files(file_of_word(word)):
            yield NamedFile(f"the program {word}", path)
    for option in ("rom", "system"):
        path = getattr(arguments, option)
        if path is not None:
            yield NamedFile(f"--{option}", path)


def _preferences(arguments: argparse.Namespace, wanted: _Wanted) -> bytes:
    if arguments.emulator is None or not EMULATORS[arguments.emulator].settings:
        return b""
    return preferences(EMULATORS[arguments.emulator], wanted.mounts)


def _refuse_to_overwrite(
    arguments: argparse.Namespace, wanted: _Wanted, image: Image | None, prefs: bytes
) -> None:
    """Refuse to replace a disk that a Mac has changed, or preferences of the user's own."""
    if arguments.force:
        return
    if wanted.image and image and wanted.image.exists() and not is_untouched(wanted.image):
        raise InputError(
            wanted.image,
            "exists, and is not a disk as macproof wrote it: a Mac has changed it, or it is "
            "something else",
            remedy="Nothing has been written. To replace it, add --force.",
        )
    path = arguments.prefs
    if path is not None and path.exists() and not _begins_with(path, MARK.encode()):
        raise InputError(
            path,
            "exists, and macproof did not write it",
            remedy="Nothing has been written. To replace it, add --force.",
        )


def _begins_with(path: Path, mark: bytes) -> bool:
    if not path.is_file():
        return False
    with open_file(path) as file:
        return file.read(len(mark)) == mark


def _summary(
    arguments: argparse.Namespace, wanted: _Wanted, image: Image | None, files: Sequence[DiskFile]
) -> dict[str, object]:
    summary: dict[str, object] = {
        "schema": _SCHEMA,
        "folders": [{"path": str(path), "layout": layout} for path, layout in wanted.folders],
        "files": [
            {
                "name": file.name,
                "type": file.type,
                "creator": file.creator,
                "flags": file.placed_flags,
                "data": len(file.data),
                "resources": len(file.resource_fork),
                "processors": list(file.processors),
                "place": {"vertical": place.vertical, "horizontal": place.horizontal},
                "source": file.source,
            }
            for file, place in zip(files, places(len(files)), strict=True)
        ],
    }
    if image is not None:
        summary["image"] = {
            "path": str(wanted.image),
            "volume": image.name,
            "size": len(image.contents),
            "free": image.free,
            "sha256": hashlib.sha256(image.contents).hexdigest(),
        }
    if arguments.emulator is not None:
        emulator = EMULATORS[arguments.emulator]
        summary["emulator"] = {
            "name": emulator.name,
            "command": command_line(emulator, wanted.mounts, arguments.prefs),
            "preferences": None if arguments.prefs is None else str(arguments.prefs),
            "advice": advice(emulator, wanted.mounts, files),
        }
    return summary


def _lines(
    arguments: argparse.Namespace,
    wanted: _Wanted,
    image: Image | None,
    files: Sequence[DiskFile],
    prefs: bytes,
) -> Iterator[str]:
    if image is not None:
        size, free = shown_size(len(image.contents)), image.free // 1024
        yield f"{wanted.image}: disk {one_line(image.name)!r} of {size}, {free:,}K free"
    for folder, layout in wanted.folders:
        yield f"{folder}: folder for {'emulators' if layout == 'emulator' else layout}"
    for file in files:
        kind = " and ".join(file.processors)
        yield (
            f"  {one_line(file.name):31}  {one_line(file.type)} {one_line(file.creator)}  "
            f"{len(file.data):9,} + {len(file.resource_fork):9,} bytes  {kind}".rstrip()
        )
    for file in files:
        if file.type == UNKNOWN:
            yield (
                f"warning: {one_line(file.name)}: {one_line(file.source)} does not say its type, "
                "so the Finder cannot start it"
            )
    if arguments.emulator is not None:
        emulator = EMULATORS[arguments.emulator]
        yield ""
        yield f"{emulator.name}: {command_line(emulator, wanted.mounts, arguments.prefs)}"
        if arguments.prefs is None and prefs:
            yield "with these preferences (--prefs FILE writes them):"
            yield from (f"    {line}" for line in prefs.decode("utf-8", "replace").splitlines())
        yield from advice(emulator, wanted.mounts, files)
