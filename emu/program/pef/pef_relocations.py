"""Carries out PEF relocation instructions once, into a table of relocated words.

The instructions of a section move a pointer through the section and add the address of a section
or of an imported symbol to the words at the pointer. The movements do not depend on any address.
Therefore the table (which word, plus which address) is made when a file is read, and placing the
section in memory takes a few array operations.

Source: Mac OS Runtime Architectures, chapter 8, "Relocation Instruction Set".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ProgramError

_MOST_STEPS = 1 << 20
"""A file with more instructions than this, counting repetitions, is damaged: one megabyte of a real
program takes about twelve thousand."""
_TOO_LONG = f"its relocations take more than {_MOST_STEPS:,} steps"

# What an instruction does once it is decoded.
_SKIP_RUN, _RUN, _IMPORT_RUN, _IMPORT, _SET_C, _SET_D, _SECTION, _MOVE, _GO, _REPEAT = range(10)

# A run relocates each item of an array. For each kind of run: the offset within an item of the word
# that section C's address is added to, the same for section D (-1: no such word), the item's size.
_RUNS = {0: (0, -1, 4), 1: (-1, 0, 4), 2: (0, 4, 12), 3: (0, 4, 8), 4: (-1, 0, 8)}

_Instruction = tuple[int, int, int]


@dataclass(slots=True)
class StepBudget:
    """How many steps the relocations of one file may still take."""

    left: int = _MOST_STEPS


@dataclass(frozen=True, slots=True, eq=False)
class Relocations:
    """The words of a section to which the address of a section or symbol is added.

    Attributes:
        offsets: (n,) offsets of 32-bit words from the section's beginning. The same word may occur
            several times; different words do not overlap.
        sources: (n,) whose address is added: a section's index, or ``-1 - index`` of an import.
    """

    offsets: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    sources: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.offsets)

    def apply(self, image: bytes, sections: Sequence[int], imports: Sequence[int]) -> bytes:
        """A section's image with all addresses added.

        Args:
            image: the section as it is in the file, at its full size.
            sections: how far each section lies from its default address.
            imports: the address of each imported symbol.
        """
        if not len(self):
            return image
        # One table for sections and imports: a negative source is an index from the table's end.
        table = np.array([*sections, *reversed(imports)], dtype=np.int64) & 0xFFFFFFFF
        places, which = np.unique(self.offsets, return_inverse=True)
        added = np.zeros(len(places), dtype=np.int64)
        np.add.at(added, which, table[self.sources])
        data: NDArray[Any] = np.frombuffer(image, dtype=np.uint8).copy()
        index = places[:, np.newaxis] + np.arange(4)
        words = data[index].view(">u4")[:, 0].astype(np.int64) + added
        data[index] = (words & 0xFFFFFFFF).astype(">u4").view(np.uint8).reshape(-1, 4)
        return data.tobytes()


def overlapping(offsets: NDArray[np.int64]) -> bool:
    """Whether two words share bytes without being the same word."""
    gaps = np.diff(np.sort(offsets))
    return bool(((gaps > 0) & (gaps < 4)).any())


def read_relocations(
    blocks: Sequence[int],
    *,
    size: int,
    sections: int,
    imports: int,
    budget: StepBudget,
    path: Path,
    where: str,
) -> Relocations:
    """The relocations that a section's instructions describe.

    Args:
        blocks: the instructions as 16-bit numbers.
        size: bytes of the section they relocate.
        sections: how many sections are placed in memory.
        imports: how many symbols are imported.
        budget: how many steps the file may still take; the steps of this section are taken off.
        path: the file, for messages.
        where: which section it is, for messages.

    Raises:
        ProgramError: an instruction is unknown or cut off, leaves the section, names a section or
            import that does not exist, or the file's steps are used up.
    """
    if len(blocks) > budget.left:
        raise ProgramError(path, _TOO_LONG, where=where)
    machine = _Machine(size, sections, imports, budget, path, where)
    machine.run(_Decoder(blocks, path, where).decode())
    return machine.relocations()


class _Decoder:
    """Reads relocation instructions out of their 16-bit blocks."""

    def __init__(self, blocks: Sequence[int], path: Path, where: str) -> None:
        self._blocks = blocks
        self._path = path
        self._where = where
        self._position = 0
        self._instructions: list[_Instruction] = []
        self._at_block: dict[int, int] = {}

    def decode(self) -> list[_Instruction]:
        while self._position < len(self._blocks):
            self._at_block[self._position] = len(self._instructions)
            block = self._blocks[self._position]
            is_long = 0xA000 <= block < 0xA800 or 0xB000 <= block < 0xB4C0
            instruction = self._long(block) if is_long else self._short(block)
            self._instructions.append(instruction)
            self._position += 2 if is_long else 1
        return self._instructions

    def _short(self, block: int) -> _Instruction:
        if block < 0x4000:
            return _SKIP_RUN, block >> 6 & 0xFF, block & 0x3F
        if block < 0x4A00:
            return _RUN, block >> 9 & 0xF, (block & 0x1FF) + 1
        if block < 0x4C00:
            return _IMPORT_RUN, (block & 0x1FF) + 1, 0
        if 0x6000 <= block < 0x6800:
            return (_IMPORT, _SET_C, _SET_D, _SECTION)[block >> 9 & 3], block & 0x1FF, 0
        if 0x8000 <= block < 0x9000:
            return _MOVE, (block & 0xFFF) + 1, 0
        if 0x9000 <= block < 0xA000:
            return self._repeat((block >> 8 & 0xF) + 1, (block & 0xFF) + 1)
        raise self._error(f"0x{block:04x} is no relocation instruction")

    def _long(self, block: int) -> _Instruction:
        """An instruction of two blocks, with the lower half of its operand in the second."""
        if self._position + 1 >= len(self._blocks):
            raise self._error("its second half is missing")
        low = self._blocks[self._position + 1]
        if block < 0xB000:
            return _IMPORT if block & 0x400 else _GO, (block & 0x3FF) << 16 | low, 0
        operand = (block & 0x3F) << 16 | low
        if block < 0xB400:
            return self._repeat((block >> 6 & 0xF) + 1, operand)
        return (_SECTION, _SET_C, _SET_D)[block >> 6 & 3], operand, 0

    def _repeat(self, count: int, times: int) -> _Instruction:
        first = self._at_block.get(self._position - count)
        if first is None:
            raise self._error(f"it repeats {count} blocks, which do not begin with an instruction")
        if any(kind == _REPEAT for kind, _, _ in self._instructions[first:]):
            raise self._error("it repeats a repetition")
        return _REPEAT, first, times

    def _error(self, problem: str) -> ProgramError:
        where = self._where
        return ProgramError(self._path, f"relocation {self._position}: {problem}", where=where)


class _Machine:
    """The state that relocation instructions change, and the words that they relocate."""

    def __init__(
        self,
        size: int,
        sections: int,
        imports: int,
        budget: StepBudget,
        path: Path,
        where: str,
    ) -> None:
        self._budget = budget
        self._size = size
        self._sections = sections
        self._imports = imports
        self._path = path
        self._where = where
        self._position = 0
        self._section_c = 0
        self._section_d = 1
        self._next_import = 0
        self._words = 0
        # Runs of words: offset of the first, distance, count, source of the first, step of sources.
        self._runs: list[tuple[int, int, int, int, int]] = []

    def run(self, instructions: list[_Instruction]) -> None:
        """Carry out everything, repetitions too."""
        for index, instruction in enumerate(instructions):
            kind, first, times = instruction
            if kind != _REPEAT:
                self._step(instruction)
                continue
            body = instructions[first:index]  # which has been carried out once already
            if times * len(body) > self._budget.left:
                raise self._error(_TOO_LONG)
            for _ in range(times):
                for repeated in body:
                    self._step(repeated)

    def relocations(self) -> Relocations:
        """The relocated words, each with what is added to it."""
        if not self._runs:
            return Relocations()
        runs = np.array(self._runs, dtype=np.int64)
        start, distance, count, source, source_distance = runs.T
        # The number of each word within its own run.
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        offsets = np.repeat(start, count) + within * np.repeat(distance, count)
        sources = np.repeat(source, count) + within * np.repeat(source_distance, count)
        if overlapping(offsets):
            raise self._error("two relocated words overlap")
        return Relocations(offsets, sources)

    def _step(self, instruction: _Instruction) -> None:
        self._budget.left -= 1
        if self._budget.left < 0:
            raise self._error(_TOO_LONG)
        kind, first, second = instruction
        if kind == _RUN:
            place_c, place_d, size = _RUNS[first]
            if place_c >= 0:
                self._add(place_c, size, second, self._section_c)
            if place_d >= 0:
                self._add(place_d, size, second, self._section_d)
            self._position += size * second
        elif kind == _GO:
            self._position = first
        elif kind == _MOVE:
            self._position += first
        elif kind == _IMPORT:
            self._next_import = first
            self._add_imports(1)
        elif kind == _IMPORT_RUN:
            self._add_imports(first)
        elif kind == _SKIP_RUN:
            self._position += 4 * first
            self._add(0, 4, second, self._section_d)
            self._position += 4 * second
        elif kind == _SET_C:
            self._section_c = self._section(first)
        elif kind == _SET_D:
            self._section_d = self._section(first)
        else:
            self._add(0, 4, 1, self._section(first))
            self._position += 4

    def _add(self, place: int, distance: int, count: int, section: int) -> None:
        if count:
            self._require_room(place, distance, count)
            # Sections C and D are 0 and 1 until they are set. `_section` checks that they exist
            # only here, where they are used.
            self._runs.append((self._position + place, distance, count, self._section(section), 0))

    def _add_imports(self, count: int) -> None:
        if self._next_import + count > self._imports:
            raise self._error(
                f"a relocation names import {self._next_import + count - 1}, and there are "
                f"{self._imports}"
            )
        self._require_room(0, 4, count)
        self._runs.append((self._position, 4, count, -1 - self._next_import, -1))
        self._next_import += count
        self._position += 4 * count

    def _section(self, index: int) -> int:
        if index >= self._sections:
            raise self._error(
                f"a relocation names section {index}, which is not among the {self._sections} "
                "placed in memory"
            )
        return index

    def _require_room(self, place: int, distance: int, count: int) -> None:
        first = self._position + place
        last = first + distance * (count - 1)
        if last + 4 > self._size:
            raise self._error(
                f"a relocation writes at offset {last}, beyond the section's {self._size} bytes"
            )
        self._words += count
        if self._words > self._size:  # a word is relocated once, seldom twice
            raise self._error("there are more relocations than the section has bytes")

    def _error(self, problem: str) -> ProgramError:
        return ProgramError(self._path, problem, where=self._where)
