"""Small Mac files in every container, written here by hand or by machfs, never by the readers."""

from __future__ import annotations

import binascii
import struct
from collections.abc import Sequence

import machfs
from machfs import btree

DATA = bytes(range(256)) * 3 + b"the end"
RESOURCES = (
    ("CODE", 0, b"", 0x20, bytes(24)),
    ("CODE", 1, b"Main", 0, b"\0\1\0\2NuNu"),
    ("SIZE", -1, b"", 0, bytes(10)),
    ("vers", 1, b"\x8dversion", 0x01, b""),
)
"""Type, ID, name in MacRoman, attributes and data, in the order of the map."""

NAME, TYPE, CREATOR, FLAGS = "Four Shifts", "APPL", "MPrf", 0x2140


def resource_fork(resources: Sequence[tuple[str, int, bytes, int, bytes]] = RESOURCES) -> bytes:
    """A resource fork as in Inside Macintosh: header, 240 free bytes, data, map."""
    data, references, names = b"", {}, b""
    for kind, number, name, attributes, contents in resources:
        place = len(names) if name else 0xFFFF
        if name:
            names += bytes([len(name)]) + name
        reference = struct.pack(">hHL4x", number, place, attributes << 24 | len(data))
        references.setdefault(kind, []).append(reference)
        data += struct.pack(">L", len(contents)) + contents
    types, lists = struct.pack(">H", (len(references) - 1) & 0xFFFF), b""
    for kind, found in references.items():
        start = 2 + 8 * len(references) + len(lists)
        types += struct.pack(">4sHH", kind.encode("mac_roman"), len(found) - 1, start)
        lists += b"".join(found)
    body = types + lists + names
    tail = struct.pack(">HH", 28, 28 + len(types) + len(lists)) + body
    header = struct.pack(">4L", 256, 256 + len(data), len(data), 24 + len(tail))
    return header + bytes(240) + data + header + bytes(8) + tail


def pad(fork: bytes, size: int = 128) -> bytes:
    """A fork with zeros up to a multiple of a size."""
    return fork + bytes(-len(fork) % size)


def macbinary(version: int, data: bytes = DATA, resources: bytes | None = None) -> bytes:
    """A MacBinary file of version 1 to 3; 0 is version 2 as Retro68 writes it."""
    resources = resource_fork() if resources is None else resources
    header = bytearray(128)
    header[1] = len(NAME)
    header[2 : 2 + len(NAME)] = NAME.encode()
    header[65:73] = (TYPE + CREATOR).encode()
    header[73] = FLAGS >> 8
    struct.pack_into(">2L", header, 83, len(data), len(resources))
    if version != 1:
        header[101] = FLAGS & 0xFF
    if version == 3:
        header[102:106] = b"mBIN"
    if version in (2, 3):
        header[122:124] = bytes([127 + version, 129])
    if version != 1:
        repair_macbinary(header)
    return bytes(header) + pad(data) + pad(resources)


def repair_macbinary(file: bytearray) -> None:
    """Make the checksum right again."""
    if len(file) >= 128:
        struct.pack_into(">H", file, 124, binascii.crc_hqx(bytes(file[:124]), 0))


def finder_info() -> bytes:
    """32 bytes of Finder information."""
    return struct.pack(">4s4sH22x", TYPE.encode(), CREATOR.encode(), FLAGS)


def apple_single(
    *, double: bool = False, version: int = 0x20000, entries: dict[int, bytes] | None = None
) -> bytes:
    """An AppleSingle file, or an AppleDouble header file, with its entries in order."""
    if entries is None:
        entries = {3: NAME.encode(), 9: finder_info(), 2: resource_fork()}
        if not double:
            entries[1] = DATA
    table, place = b"", 26 + 12 * len(entries)
    for number, contents in entries.items():
        table += struct.pack(">3L", number, place, len(contents))
        place += len(contents)
    magic = 0x00051607 if double else 0x00051600
    head = struct.pack(">LL16xH", magic, version, len(entries))
    return head + table + b"".join(entries.values())


def hfs_file(data: bytes = DATA, resources: bytes | None = None, type: str = TYPE) -> machfs.File:
    """A file to put on a volume."""
    file = machfs.File()
    file.data = data
    file.rsrc = resource_fork() if resources is None else resources
    file.type, file.creator, file.flags = type.encode(), CREATOR.encode(), FLAGS
    return file


def hfs_image(files: dict[tuple[str, ...], machfs.File] | None = None) -> bytes:
    """An HFS volume of 400 KiB, with one application and a text in a folder if nothing is given."""
    volume = machfs.Volume()
    if files is None:
        files = {
            (NAME,): hfs_file(),
            ("Folder", "Inner", "Notes"): hfs_file(b"text", b"", "TEXT"),
        }
    for path, file in files.items():
        for depth in range(1, len(path)):
            if path[:depth] not in volume:
                volume[path[:depth]] = machfs.Folder()
        volume[path] = file
    image: bytes = volume.write(size=400 << 10)
    return image


def disk_copy(volume: bytes) -> bytes:
    """The volume behind a header of Disk Copy 4.2."""
    header = struct.pack(">64pLLLLBBH", b"Disk", len(volume), 0, 0, 0, 0, 0x22, 0x0100)
    return header + volume


FRAGMENTS = 8


def fragmented_hfs_image() -> tuple[bytes, bytes]:
    """A volume whose only file lies backwards in eight parts, and what the file then contains.

    Five of the parts are listed in the extents overflow file, by two records.
    """
    contents = b"".join(bytes([65 + index]) * 512 for index in range(FRAGMENTS))
    image = bytearray(hfs_image({(NAME,): hfs_file(contents, b"")}))
    blocks_start = 512 * struct.unpack_from(">H", image, 1024 + 28)[0]
    entry = file_record(image, NAME)
    number, first = struct.unpack_from(">LH", image, entry + 20)
    first = struct.unpack_from(">H", image, entry + 74)[0]
    parts = [(first + index, 1) for index in reversed(range(FRAGMENTS))] + [(0, 0)]
    records = [struct.pack(">6H", *sum(parts[index : index + 3], ())) for index in (0, 3, 6)]
    image[entry + 74 : entry + 86] = records[0]
    overflow = [(struct.pack(">LH", number, 3 * index), records[index]) for index in (1, 2)]
    # make_btree puts the zero in front of a key that stands for the data fork here.
    tree = btree.make_btree(overflow, bthKeyLen=7, blksize=512)
    # The last blocks of the volume are free.
    place = struct.unpack_from(">H", image, 1024 + 18)[0] - len(tree) // 512
    start = blocks_start + 512 * place
    image[start : start + len(tree)] = tree
    struct.pack_into(">L6H", image, 1024 + 130, len(tree), place, len(tree) // 512, 0, 0, 0, 0)
    backwards = b"".join(
        contents[512 * index : 512 * index + 512] for index in reversed(range(FRAGMENTS))
    )
    return bytes(image), backwards


def file_record(image: bytes, name: str) -> int:
    """The offset of a file's record in the catalogue of an image, behind its key."""
    start, end = catalogue(image)
    key = image.index(bytes([len(name)]) + name.encode("mac_roman"), start, end)
    place = key + 1 + len(name)
    place += (place - key) & 1  # the record begins 6 bytes before, and its contents evenly in it
    assert image[place] == 2, "the first entry of that name is not a file"
    return place


def catalogue(image: bytes) -> tuple[int, int]:
    """Start and end of the catalogue, which machfs writes in one piece."""
    return _tree(image, 146)


def extents_overflow(image: bytes) -> tuple[int, int]:
    """Start and end of the extents overflow file."""
    return _tree(image, 130)


def _tree(image: bytes, field: int) -> tuple[int, int]:
    (block_size,) = struct.unpack_from(">L", image, 1024 + 20)
    (blocks_start,) = struct.unpack_from(">H", image, 1024 + 28)
    size, first, _ = struct.unpack_from(">L2H", image, 1024 + field)
    start = 512 * blocks_start + block_size * first
    return start, start + size


PEF = b"Joy!peffpwpc" + bytes(28)
