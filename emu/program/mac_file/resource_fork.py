"""Reads and writes resource forks (Inside Macintosh: More Macintosh Toolbox, chapter 1).

The header, the map and every extent that they announce are checked against the fork. Resources may
share data, as for the Resource Manager; together they have no more bytes in memory than the largest
fork has.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import ProgramError, UsageError
from emu.program.mac_file.expansion import expand, is_compressed
from emu.program.mac_file.forks import LARGEST_FORK, require_disjoint

COMPRESSED = 0x01
"""The attribute of a resource that System 7 and later expand when they load it."""

_FORK = "the resource fork"
_HEADER_SIZE = 16
_DATA_START = 256  # the rest of the header is the system's and the application's
_TYPE_LIST = 28  # the fixed part of a map; the list of types follows, at once or later
_SMALLEST_MAP = _TYPE_LIST + 2
_TYPE_ENTRY, _REFERENCE = 8, 12
_NO_NAME = 0xFFFF
_LARGEST_OFFSET = 0xFFFFFF  # references have 24 bits for the place of the data


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource.

    Attributes:
        type: four characters, decoded from MacRoman ("CODE"); upper and lower case differ.
        id: -32768 to 32767.
        name: decoded from MacRoman; "" for a resource that has none.
        attributes: the attribute byte of the map (0x40 system heap, 0x20 purgeable, 0x10 locked,
            0x08 protected, 0x04 preload, 0x01 compressed).
        data: the contents in the file, without the length in front of them.
    """

    type: str
    id: int
    name: str
    attributes: int
    data: bytes

    @property
    def compressed(self) -> bool:
        """Whether the data must be expanded before use."""
        return bool(self.attributes & COMPRESSED) and is_compressed(self.data)

    @property
    def contents(self) -> bytes:
        """The data as a program gets them: expanded if they are compressed.

        Raises:
            ExpansionError: they are compressed and cannot be expanded.
        """
        return expand(self.data) if self.compressed else self.data


@dataclass(frozen=True, slots=True)
class ResourceFork(Mapping[tuple[str, int], Resource]):
    """The resources of a file, also as a mapping from type and ID to the resource.

    The Resource Manager does not prevent two resources of one type and ID in a fork. The mapping
    finds the first of them, as GetResource does.

    Attributes:
        resources: all of them, in the order of the map.
        damaged: what is wrong with resources that were left out.
    """

    resources: tuple[Resource, ...] = ()
    damaged: tuple[str, ...] = ()
    _by_key: Mapping[tuple[str, int], Resource] = field(
        init=False, repr=False, compare=False, hash=False
    )

    def __post_init__(self) -> None:
        by_key = {(resource.type, resource.id): resource for resource in reversed(self.resources)}
        object.__setattr__(self, "_by_key", dict(reversed(by_key.items())))

    def __getitem__(self, key: tuple[str, int]) -> Resource:
        return self._by_key[key]

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)

    @property
    def types(self) -> tuple[str, ...]:
        """Every type once, in the order of the map."""
        return tuple(dict.fromkeys(resource.type for resource in self.resources))

    def find(self, type: str, id: int) -> Resource | None:
        """The resource of that type and ID, or None."""
        return self._by_key.get((type, id))

    def named(self, type: str, name: str) -> Resource | None:
        """The first resource of that type and name; as for GetNamedResource, case is ignored."""
        wanted = name.lower()
        for resource in self.resources:
            if resource.type == type and resource.name and resource.name.lower() == wanted:
                return resource
        return None

    def of_type(self, type: str) -> tuple[Resource, ...]:
        """The resources of one type, in the order of the map."""
        return tuple(resource for resource in self.resources if resource.type == type)


def looks_like_resource_fork(data: bytes) -> bool:
    """Whether a header leads to a data area and a map that fit into the bytes given."""
    try:
        _areas(data, Path())
    except ProgramError:
        return False
    return True


def parse_resource_fork(data: bytes, path: Path, *, strict: bool = True) -> ResourceFork:
    """Read a resource fork; an empty one has no resources.

    Args:
        data: the whole fork.
        path: the file it is from, for messages.
        strict: whether a resource that is not inside the fork is an error. Otherwise it is left
            out: a Macintosh opens such a file, and fails when the resource is asked for.

    Raises:
        ProgramError: it is truncated, its map is damaged (an offset leads outside the fork), or
            resources overlap so much that they would fill memory.
    """
    if not data:
        return ResourceFork()
    data_start, data_size, map_start, map_size = _areas(data, path)
    (name_list,) = struct.unpack_from(">H", data, map_start + 26)
    resources, damaged = [], []
    contents: dict[tuple[int, int], bytes] = {}
    room = LARGEST_FORK
    for kind, reference in _references(data, path, map_start, map_size):
        name = _name(data, path, map_start, map_size, name_list, reference)
        try:
            start, end = _data_extent(data, path, data_start, data_size, reference)
        except ProgramError as error:
            if strict:
                raise
            damaged.append(f"{kind!r}: {error.problem}")
            continue
        number, _, place = struct.unpack_from(">hHL", data, reference)
        if (start, end) not in contents:
            room -= end - start
            if room < 0:
                raise ProgramError(
                    path,
                    f"its resources overlap, and have more than {LARGEST_FORK >> 20} MiB together",
                    where=f"offset {reference} of {_FORK}",
                )
            contents[start, end] = data[start + 4 : end]
        resources.append(Resource(kind, number, name, place >> 24, contents[start, end]))
    return ResourceFork(tuple(resources), tuple(damaged))


def make_resource_fork(resources: Iterable[Resource]) -> bytes:
    """Write a resource fork; the same resources in the same order always give the same bytes.

    In the fork the resources are grouped by type; the types are in the order of their first
    resources.

    Raises:
        UsageError: a type is not four MacRoman characters, an ID, a name or an attribute byte is
            out of range, or there is more of something than a resource map has room for.
    """
    resources = tuple(resources)
    for resource in resources:
        _check_writable(resource)
    sizes = [4 + len(resource.data) for resource in resources]
    if sum(sizes[:-1]) > _LARGEST_OFFSET:
        raise UsageError("a resource fork has no room for more than 16 MiB of data")
    if sum(1 + len(resource.name) for resource in resources if resource.name) > _NO_NAME:
        raise UsageError("a resource fork has no room for more than 64 KiB of names")
    try:
        return _packed(resources)
    except struct.error as error:
        raise UsageError(f"{len(resources)} resources are too many for one map") from error


def _packed(resources: Iterable[Resource]) -> bytes:
    """Lay out a fork: header, data, and a map of types, references and names."""
    data, names, types, references = bytearray(), bytearray(), bytearray(), bytearray()
    members: dict[str, list[tuple[Resource, int]]] = {}
    for resource in resources:
        members.setdefault(resource.type, []).append((resource, len(data)))
        data += struct.pack(">L", len(resource.data)) + resource.data
    references_start = 2 + _TYPE_ENTRY * len(members)
    for kind, several in members.items():
        start = references_start + len(references)
        types += struct.pack(">4sHH", kind.encode("mac_roman"), len(several) - 1, start)
        for resource, place in several:
            name = resource.name.encode("mac_roman")
            name_place = len(names) if name else _NO_NAME
            references += struct.pack(
                ">hHL4x", resource.id, name_place, resource.attributes << 24 | place
            )
            names += bytes([len(name)]) + name if name else b""
    lists = struct.pack(">H", (len(members) - 1) & 0xFFFF) + types + references
    place_of_names = _TYPE_LIST + len(lists)
    map_ = struct.pack(">24xHH", _TYPE_LIST, place_of_names) + lists + names
    header = struct.pack(">4L", _DATA_START, _DATA_START + len(data), len(data), len(map_))
    return header.ljust(_DATA_START, b"\0") + data + map_


def _check_writable(resource: Resource) -> None:
    what = f"resource {resource.type!r} {resource.id}"
    try:
        type_size = len(resource.type.encode("mac_roman"))
        name_size = len(resource.name.encode("mac_roman"))
    except UnicodeEncodeError as error:
        raise UsageError(f"{what}: {error.object!r} has characters outside MacRoman") from error
    if type_size != 4:
        raise UsageError(f"{what}: a type has four characters, not {type_size}")
    if name_size > 255:
        raise UsageError(f"{what}: a name has at most 255 characters, not {name_size}")
    if not -32768 <= resource.id <= 32767:
        raise UsageError(f"{what}: an ID is a signed number of 16 bits")
    if not 0 <= resource.attributes <= 255:
        raise UsageError(f"{what}: attributes 0x{resource.attributes:x} do not fit into a byte")


def _areas(fork: bytes, path: Path) -> tuple[int, int, int, int]:
    """Start and size of the data, then of the map, which both lie in the fork and do not touch."""
    if len(fork) < _HEADER_SIZE:
        raise ProgramError(
            path,
            f"its resource fork is truncated: {len(fork)} of the header's {_HEADER_SIZE} bytes",
        )
    data_start, map_start, data_size, map_size = struct.unpack_from(">4L", fork)
    for what, start, size, field_offset in (
        ("data", data_start, data_size, 0),
        ("map", map_start, map_size, 4),
    ):
        if start < _HEADER_SIZE:
            raise ProgramError(
                path,
                f"the resource {what} begins at offset {start}, inside the header",
                where=f"offset {field_offset} of {_FORK}",
            )
        if start + size > len(fork):
            raise ProgramError(
                path,
                f"the resource fork is truncated: its {what} ends at offset {start + size}, "
                f"the fork at {len(fork)}",
                where=f"offset {field_offset} of {_FORK}",
            )
    if map_size < _SMALLEST_MAP:
        raise ProgramError(
            path,
            f"a resource map has at least {_SMALLEST_MAP} bytes, this one {map_size}",
            where=f"offset 12 of {_FORK}",
        )
    require_disjoint(
        [
            (data_start, data_start + data_size, "the resource data"),
            (map_start, map_start + map_size, "the resource map"),
        ],
        path,
        inside=_FORK,
    )
    return data_start, data_size, map_start, map_size


def _references(
    fork: bytes, path: Path, map_start: int, map_size: int
) -> Iterator[tuple[str, int]]:
    """The type of each resource, and where its reference is in the fork.

    Raises:
        ProgramError: a list leads to a wrong place.
    """
    if not any(fork[map_start : map_start + map_size]):
        raise ProgramError(
            path,
            "the resource map has nothing but zeros, as all behind offset "
            f"{len(fork.rstrip(bytes(1))):,} of the fork: it was not copied to its end",
            where=f"offset {map_start} of {_FORK}",
            remedy="Copy the file again from where it came from.",
        )
    (type_list,) = struct.unpack_from(">H", fork, map_start + 24)
    if not _TYPE_LIST <= type_list <= map_size - 2:
        raise ProgramError(
            path,
            f"the type list is at offset {type_list} of the resource map, not between {_TYPE_LIST} "
            f"and {map_size - 2}",
            where=f"offset {map_start + 24} of {_FORK}",
        )
    (last_type,) = struct.unpack_from(">H", fork, map_start + type_list)
    type_count = (last_type + 1) & 0xFFFF
    types_end = type_list + 2 + _TYPE_ENTRY * type_count
    if types_end > map_size:
        raise ProgramError(
            path,
            f"the list of {type_count} resource types runs out of the map",
            where=f"offset {map_start + type_list} of {_FORK}",
        )
    lists = [(type_list, types_end, "the type list")]
    names = []
    for index in range(type_count):
        entry = map_start + type_list + 2 + _TYPE_ENTRY * index
        raw_type, last_reference, offset = struct.unpack_from(">4sHH", fork, entry)
        name = raw_type.decode("mac_roman")
        start, count = type_list + offset, last_reference + 1
        if start + _REFERENCE * count > map_size:
            raise ProgramError(
                path,
                f"the list of {count} resources of type {name!r} runs out of the map",
                where=f"offset {entry} of {_FORK}",
            )
        lists.append((start, start + _REFERENCE * count, f"the list of type {name!r}"))
        names.append(name)
    require_disjoint(lists, path, inside="the resource map")
    for name, (start, end, _) in zip(names, lists[1:], strict=True):
        for reference in range(map_start + start, map_start + end, _REFERENCE):
            yield name, reference


def _data_extent(
    fork: bytes, path: Path, data_start: int, data_size: int, reference: int
) -> tuple[int, int]:
    number, _, place = struct.unpack_from(">hHL", fork, reference)
    offset = place & _LARGEST_OFFSET
    where = f"offset {reference + 4} of {_FORK}"
    what = f"the data of resource {number} (reference at offset {reference})"
    if offset + 4 > data_size:
        raise ProgramError(path, f"{what} begins outside the resource data", where=where)
    (size,) = struct.unpack_from(">L", fork, data_start + offset)
    if offset + 4 + size > data_size:
        raise ProgramError(
            path,
            f"{what} has {size} bytes and runs out of the resource data",
            where=f"offset {data_start + offset} of {_FORK}",
        )
    return data_start + offset, data_start + offset + 4 + size


def _name(
    fork: bytes, path: Path, map_start: int, map_size: int, name_list: int, reference: int
) -> str:
    (offset,) = struct.unpack_from(">H", fork, reference + 2)
    if offset == _NO_NAME:
        return ""
    start = name_list + offset
    end = start + 1 + (fork[map_start + start] if start < map_size else 0)
    if start >= map_size or end > map_size:
        raise ProgramError(
            path,
            "the name of a resource runs out of the map",
            where=f"offset {reference + 2} of {_FORK}",
        )
    return fork[map_start + start + 1 : map_start + end].decode("mac_roman")
