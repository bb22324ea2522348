"""The code fragment resource ('cfrg' 0): where a file's PowerPC fragments are.

Source: Inside Macintosh: PowerPC System Software, chapter 3, "The Code Fragment Resource"; Mac OS
Runtime Architectures, chapter 3.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import ProgramError

CODE_FRAGMENTS = "cfrg"
_HEADER = struct.Struct(">8I")
_RECORD = struct.Struct(">4s4xIIIhBBII8xH")
_ARCHITECTURES = {b"pwpc": "powerpc", b"m68k": "m68k"}
_USAGES = {0: "library", 1: "application", 2: "addition", 3: "stub library", 4: "weak stub library"}
_PLACES = {
    0: "memory",
    1: "data fork",
    2: "resource",
    3: "byte stream",
    4: "named fragment",
    5: "bundle",
    6: "bundle",
}


@dataclass(frozen=True, slots=True)
class CodeFragment:
    """One entry of a code fragment resource.

    Attributes:
        name: the fragment's name.
        architecture: "powerpc", or "m68k" for CFM-68K, or the four characters of another.
        usage: "application", "library", "addition" (loaded by a program on its own account),
            "stub library" or "weak stub library".
        where: "data fork", "resource" or "memory" (in ROM); other values do not occur in files.
        offset: bytes from the beginning of the data fork.
        length: bytes; 0 means up to the end of the fork.
        stack_size: bytes the application asks for its stack; 0 means the system's default.
        current_version: its version.
        definition_version: programs that were linked with this version or a later one can use it.
    """

    name: str
    architecture: str
    usage: str
    where: str
    offset: int
    length: int
    stack_size: int
    current_version: int
    definition_version: int

    def cut(self, fork: bytes, path: Path) -> bytes:
        """The fragment's container, out of a data fork.

        Raises:
            ProgramError: it does not lie in the data fork, or not within it.
        """
        if self.where != "data fork":
            raise ProgramError(path, f"its fragment {self.name} lies in a {self.where}")
        end = self.offset + self.length if self.length else len(fork)
        if self.offset >= len(fork) or end > len(fork):
            raise ProgramError(
                path,
                f"its fragment {self.name} has bytes {self.offset} to {end} of the data fork, "
                f"which has {len(fork)}",
                where="'cfrg' 0",
            )
        return fork[self.offset : end]


def parse_code_fragments(data: bytes, path: Path) -> tuple[CodeFragment, ...]:
    """Read a code fragment resource.

    Raises:
        ProgramError: it is of another version, cut off, or has a usage or place that is unknown.
    """

    def error(problem: str) -> ProgramError:
        return ProgramError(path, problem, where="'cfrg' 0")

    if len(data) < _HEADER.size:
        raise error(f"it has {len(data)} of the header's {_HEADER.size} bytes")
    header = _HEADER.unpack_from(data)
    if header[2] != 1:
        raise error(f"it is of version {header[2]}, not 1")
    fragments = []
    start = _HEADER.size
    for index in range(header[7]):
        end = start + _RECORD.size
        if end + 1 > len(data):
            raise error(f"fragment {index} of {header[7]} is cut off")
        code, current, definition, stack, _, usage, place, offset, length, size = (
            _RECORD.unpack_from(data, start)
        )
        name_end = end + 1 + data[end]
        if size < _RECORD.size + 1 + data[end] or start + size > len(data):
            raise error(f"fragment {index} has {size} bytes, which cannot be")
        if usage not in _USAGES or place not in _PLACES:
            raise error(f"fragment {index} is of usage {usage} and in place {place}, both unknown")
        fragments.append(
            CodeFragment(
                name=data[end + 1 : name_end].decode("mac_roman"),
                architecture=_ARCHITECTURES.get(code, code.decode("mac_roman")),
                usage=_USAGES[usage],
                where=_PLACES[place],
                offset=offset,
                length=length,
                stack_size=stack,
                current_version=current,
                definition_version=definition,
            )
        )
        start += size
    return tuple(fragments)
