"""Reads a Macintosh file out of any container in which a modern system keeps its two forks.

The contents tell which container it is; the suffix of the name is not looked at.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from emu.base.errors import ProgramError
from emu.base.files import open_file, read_at_most
from emu.program.mac_file.apple_double import APPLE_DOUBLE, APPLE_SINGLE, parse_apple_single
from emu.program.mac_file.companions import (
    HEADER_PREFIXES,
    NETATALK_FOLDER,
    RESOURCE_FOLDER,
    companions,
    read_companions,
)
from emu.program.mac_file.disk_image import find_volumes, open_volumes
from emu.program.mac_file.forks import LARGEST_FORK, FinderInfo, Forks
from emu.program.mac_file.macbinary import HEADER_SIZE, macbinary_version, parse_macbinary
from emu.program.mac_file.resource_fork import (
    ResourceFork,
    looks_like_resource_fork,
    parse_resource_fork,
)
from emu.program.mac_file.unread_formats import (
    UnreadFormat,
    compressed_disk_image,
    unread_format,
)
from emu.program.mac_file.volume_image import ImageVolume

_LARGEST_CONTAINER = 2 * LARGEST_FORK + (1 << 20)
_PEF = b"Joy!peff"
_DISK_IMAGE_TYPES = (b"dImg", b"dimg", b"hdrv", b"rohd", b"DDim")
"""Types of files whose data fork is a disk: those of Disk Copy, ShrinkWrap and DiskDup."""

_LOOKED_FOR = (
    "MacBinary, AppleSingle, AppleDouble (a header file, or %NAME or ._NAME beside it), "
    "a Basilisk II or SheepShaver folder (.rsrc/NAME beside it), an HFS or MFS disk image "
    "(also with a partition map, or in a MacBinary file), "
    "a bare resource fork, a bare PEF"
)


@dataclass(frozen=True, slots=True)
class MacFile:
    """A file as a Mac sees it.

    Attributes:
        path: the file of the host that it was read from; for a file in a disk image, the image, a
            colon and the name inside it.
        name: its own name on the Mac.
        type: its type, four characters ("APPL"), or "????" where the container does not say.
        creator: its creator, likewise.
        flags: its Finder flags, 16 bits.
        data: the data fork.
        resources: the resource fork.
        container: what held it, as a person calls it ("MacBinary III").
        resource_fork: the bytes that ``resources`` was read from, for an exact copy.
        created: when it was made, in seconds since 1904; 0 unless it is from a disk image or
            MacBinary.
        modified: when it was last changed, likewise.
    """

    path: Path
    name: str
    type: str
    creator: str
    flags: int
    data: bytes
    resources: ResourceFork
    container: str
    resource_fork: bytes = field(default=b"", repr=False)
    created: int = 0
    modified: int = 0


def read_mac_file(path: Path | str) -> MacFile:
    """Read a Mac file out of whatever contains it.

    It understands MacBinary I, II and III; AppleSingle; AppleDouble, given its header file or the
    data file beside that; the folders that Basilisk II and SheepShaver share with the host; disk
    images of HFS and MFS, also those of Disk Copy 4.2, of disks with a partition map, and images in
    a MacBinary file; a resource fork alone; and a PEF container alone.

    Args:
        path: the file. ``disk.dsk:Folder:Name`` is a file in an image; ``disk.dsk`` alone is the
            only application in it. If a disk has several volumes, the volume's name comes first:
            ``disk.dsk:Macintosh HD:Folder:Name``.

    Raises:
        ProgramError: the file is missing, damaged, too large, or none of these.
    """
    file, inside = _split(path)
    with _image(file) as (volume, unread):
        if volume is not None:
            return _from_image(volume, inside)
    if inside:
        raise _no_image(file, inside, unread)
    if unread is not None and file.stat().st_size > _LARGEST_CONTAINER:
        raise unread.error(file)
    data = read_at_most(file, _LARGEST_CONTAINER, "a Mac file", ProgramError)
    forks = _contained(data, file)
    if forks is not None and forks.container == "AppleDouble":
        forks = _with_data_file(forks, file)
    if forks is None:
        forks = _beside(data, file) or _bare(data, file, unread)
    return _finish(forks, file)


def unread_contents(file: MacFile) -> UnreadFormat | None:
    """What a file's forks hold, if it is an archive or a disk image that is not read."""
    if "bcem" in file.resources.types:
        return compressed_disk_image()
    return unread_format(io.BytesIO(file.data))


def host_files(path: Path | str) -> tuple[Path, ...]:
    """The file of the host and every existing file from which `read_mac_file` may read a part.

    Args:
        path: as for `read_mac_file`.
    """
    file, _ = _split(path)
    if not file.name:  # "/" or "."
        return (file,)
    folder = file.parent.parent if file.parent.name == NETATALK_FOLDER else file.parent
    beside = (*companions(folder / file.name), folder / _name_of_data_file(file))
    candidates = (
        candidate
        for candidate in dict.fromkeys(beside)
        if candidate != file and _is_file(str(candidate))
    )
    return (file, *candidates)


def read_files_beside(path: Path | str) -> tuple[MacFile, ...]:
    """The other files in the same folder of a disk image; empty for a file outside of an image.

    A damaged resource fork matters only to whom opens it: the file then has its bytes, and no
    resources.

    Args:
        path: as for `read_mac_file`.

    Raises:
        ProgramError: the image is damaged, or the file is not in it.
    """
    file, inside = _split(path)
    with _image(file) as (volume, _):
        if volume is None:
            return ()
        own = volume.find(inside)
        return tuple(
            _neighbour(volume.read(other), Path(f"{file}:{other.name}"))
            for other in volume.files
            if other != own and other.path[:-1] == own.path[:-1]
        )


def read_volume_title(path: Path | str) -> bytes:
    """The MacRoman name of the volume of a file in a disk image; b"" outside of an image.

    Args:
        path: as for `read_mac_file`.

    Raises:
        ProgramError: the image is damaged.
    """
    file, inside = _split(path)
    with _image(file) as (volume, _):
        return b"" if volume is None else volume.title or volume.find(inside).volume


def parse_mac_file(data: bytes, path: Path, inside: str = "") -> MacFile:
    """Read a Mac file from memory, without the files that may lie beside it.

    Args:
        data: the contents of the container.
        path: its file, for messages and for the name where the container has none.
        inside: the file inside a disk image; "" for its only application.

    Raises:
        ProgramError: it is damaged, or none of what `read_mac_file` understands.
    """
    image = io.BytesIO(data)
    volume = _open_image(image, path)
    if volume is not None:
        return _from_image(volume, inside)
    return _finish(_contained(data, path) or _bare(data, path, unread_format(image)), path)


def _split(path: Path | str) -> tuple[Path, str]:
    """The file of the host, and the name inside it: "a.dsk:b:c" gives a.dsk and "b:c"."""
    text = str(path)
    if not _is_file(text):
        for index, character in enumerate(text):
            if character == ":" and _is_file(text[:index]):
                return Path(text[:index]), text[index + 1 :]
    return Path(text), ""


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # a name that is too long or has a zero in it names no file
        return False


@contextlib.contextmanager
def _image(path: Path) -> Iterator[tuple[ImageVolume | None, UnreadFormat | None]]:
    """The volumes of a disk image, or what else the file is known to be; it may be very large."""
    try:
        image = open_file(path)
    except OSError as error:
        raise ProgramError(path, f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ProgramError(path, f"cannot be read: {error}") from error
    with image:
        if not image.seekable():
            raise ProgramError(path, "it is a pipe", remedy="Write what comes out into a file.")
        try:
            volume = _open_image(image, path)
            yield volume, None if volume else unread_format(image)
        except OSError as error:
            raise ProgramError(path, f"cannot be read: {error.strerror}") from error


def _no_image(path: Path, inside: str, unread: UnreadFormat | None) -> ProgramError:
    """The error for a name inside a file that is no disk image, or none that is read."""
    if unread is None:
        with contextlib.suppress(ProgramError):
            unread = unread_contents(read_mac_file(path))
    if unread is not None:
        return unread.error(path)
    return ProgramError(
        path, f"it is not a disk image of HFS or MFS, so there is no {inside!r} in it"
    )


def _open_image(image: BinaryIO, path: Path) -> ImageVolume | None:
    """The volumes of a disk image, which may lie in a MacBinary file; None for any other file."""
    image.seek(0)
    head = image.read(HEADER_SIZE)
    if head.startswith((APPLE_SINGLE, APPLE_DOUBLE, _PEF)):
        return None
    version = macbinary_version(head, image.seek(0, os.SEEK_END), path)
    if version is not None and head[65:69] not in _DISK_IMAGE_TYPES:
        return None
    starts = find_volumes(image, 0 if version is None else HEADER_SIZE)
    return open_volumes(image, path, starts) if starts else None


def _contained(data: bytes, path: Path) -> Forks | None:
    """The forks of a container that is one file and no disk image; None for any other file."""
    if data.startswith((APPLE_SINGLE, APPLE_DOUBLE)):
        return parse_apple_single(data, path, _name_of_data_file(path))
    version = macbinary_version(data[:HEADER_SIZE], len(data), path)
    return parse_macbinary(data, path, version) if version else None


def _from_image(volume: ImageVolume, inside: str) -> MacFile:
    file = volume.find(inside)
    return _finish(volume.read(file), Path(f"{volume.path}:{file.name}"))


def _bare(data: bytes, path: Path, unread: UnreadFormat | None) -> Forks:
    """The forks of a file that is a resource fork or a PEF container and nothing else."""
    unknown = FinderInfo()
    is_pef = data.startswith(_PEF)
    if not is_pef and not looks_like_resource_fork(data):
        if unread is not None:
            raise unread.error(path)
        raise ProgramError(path, f"it is not a Mac file. Looked for: {_LOOKED_FOR}")
    return Forks(
        name=path.name,
        type=unknown.type,
        creator=unknown.creator,
        flags=unknown.flags,
        data=data if is_pef else b"",
        resource_fork=b"" if is_pef else data,
        container="PEF" if is_pef else "resource fork",
    )


def _beside(data: bytes, path: Path) -> Forks | None:
    """The forks of a data file whose resources are in another file."""
    forks = read_companions(data, path)
    if forks is None or forks.resource_fork:
        return forks
    if forks.container != "AppleDouble":
        return forks if (path.parent / RESOURCE_FOLDER / path.name).is_file() else None
    # Archives made on a Mac have a header beside every file, even beside a file that is a bare
    # resource fork; such a header has no resources.
    return None if looks_like_resource_fork(data) else forks


def _name_of_data_file(path: Path) -> str:
    for prefix in HEADER_PREFIXES:
        if path.name.startswith(prefix) and len(path.name) > len(prefix):
            return path.name[len(prefix) :]
    return path.name


def _with_data_file(header: Forks, path: Path) -> Forks:
    """Add the data fork to an AppleDouble header, if there is a data file."""
    folder = path.parent.parent if path.parent.name == NETATALK_FOLDER else path.parent
    data_file = folder / _name_of_data_file(path)
    if data_file == path or not data_file.is_file():
        return header
    data = read_at_most(data_file, LARGEST_FORK, "a data fork", ProgramError)
    return dataclasses.replace(header, data=data)


def _neighbour(forks: Forks, path: Path) -> MacFile:
    try:
        return _finish(forks, path)
    except ProgramError:
        return _mac_file(forks, path, ResourceFork())


def _finish(forks: Forks, path: Path) -> MacFile:
    return _mac_file(forks, path, parse_resource_fork(forks.resource_fork, path, strict=False))


def _mac_file(forks: Forks, path: Path, resources: ResourceFork) -> MacFile:
    return MacFile(
        path=path,
        name=forks.name,
        type=forks.type,
        creator=forks.creator,
        flags=forks.flags,
        data=forks.data,
        resources=resources,
        container=forks.container,
        resource_fork=forks.resource_fork,
        created=forks.created,
        modified=forks.modified,
    )
