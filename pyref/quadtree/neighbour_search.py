"""Scenes of cells, and the answers that neighbour routines must give for them.

These are the scenes and references of the cases that run the neighbour routines by themselves.
A scene holds 512 consecutive codes of 16 bits and as many of 32 bits: random ones, or those of
cells where a step carries through many bits. 128 scenes hold every code of 16 bits.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.quadtree.morton import NARROW, WIDE, Codes, encode, neighbours
from pyref.quadtree.morton_as_printed import (
    REPAIRED_MINUS_ONE,
    REPAIRED_STEPS,
    as_int16,
    neighbours_of_listing,
    top_right_of_listing,
)
from pyref.scene import check_origin
from pyref.streams import Stream


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Cells by their codes.

    Attributes:
        codes: uint16 of shape ``(n,)``.
        wide_codes: uint32 of shape ``(n,)``.
        generator: the name of the generator.
        seed: the generator's seed.
    """

    codes: NDArray[np.uint16]
    wide_codes: NDArray[np.uint32]
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many cells of each kind there are."""
        return len(self.codes)

    def keep(self, indices: ArrayLike) -> Cells:
        """Some of the cells only, in the order of ``indices``."""
        chosen = np.asarray(indices, dtype=np.intp).reshape(-1)
        return replace(self, codes=self.codes[chosen], wide_codes=self.wide_codes[chosen])


def make_cells(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Cells:
    """Make cells from a seed.

    Args:
        generator: "every-code": the next piece of all codes of 16 bits for every next seed, and
            random codes of 32 bits. "far-carries": the same codes of 16 bits, and of 32 bits those
            of cells whose column or row is next to a power of two or to the border.
        objects: how many of each kind.
        seed: 0 <= seed < 2**64.
        width: not used.
        height: not used.

    Raises:
        ValueError: for another generator, or a number outside the limits.
    """
    check_origin(generator, seed, ("every-code", "far-carries"))
    objects, seed = operator.index(objects), operator.index(seed)
    if objects < 0:
        raise ValueError(f"there cannot be {objects} cells")
    first = seed % (1 << 16) * objects
    codes = (first + np.arange(objects)) % (1 << 16)
    if generator == "far-carries":
        wide = _far_carries(Stream(seed), objects)
    else:
        words = np.random.PCG64(seed).random_raw(objects) >> np.uint64(32)
        wide = words.astype(np.uint32)
    # Every scene has the corners of the plane, because random cells rarely hit them.
    rare = np.array([0, WIDE.mask_x, WIDE.mask_y, WIDE.mask], dtype=np.uint32)[:objects]
    wide[: len(rare)] = rare
    return Cells(codes.astype(np.uint16), wide, generator, seed)


def _far_carries(stream: Stream, objects: int) -> NDArray[np.uint32]:
    """Codes of 32 bits: two coordinates in three lie next to a power of two, 0 and 65,536 included.

    From there a step to one side carries or borrows through as many bits as the power has.
    """
    draws = stream.below(2 * objects, 17, 3, 3, WIDE.cells)
    near = ((1 << draws[:, 0]) + draws[:, 1] - 1) % WIDE.cells
    places = np.where(draws[:, 2] > 0, near, draws[:, 3])
    return encode(places[:objects], places[objects:], WIDE).astype(np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class RightAnswer:
    """The right neighbours of cells; every array has a row for each cell.

    Attributes:
        toroidal: uint16 of shape ``(n, 8)``.
        wide_toroidal: uint32 of shape ``(n, 8)``.
        bounded: uint16 of shape ``(n, 8)``; the cell itself where there is no neighbour.
        wide_bounded: likewise, uint32.
        existing: uint8 of shape ``(n,)``, bit s for slot s.
        wide_existing: likewise.
    """

    toroidal: NDArray[np.uint16]
    wide_toroidal: NDArray[np.uint32]
    bounded: NDArray[np.uint16]
    wide_bounded: NDArray[np.uint32]
    existing: NDArray[np.uint8]
    wide_existing: NDArray[np.uint8]


def find_neighbours(cells: Cells) -> RightAnswer:
    """Find the neighbours of cells through their coordinates."""
    narrow = neighbours(cells.codes, NARROW, toroidal=False)
    wide = neighbours(cells.wide_codes, WIDE, toroidal=False)
    return RightAnswer(
        toroidal=neighbours(cells.codes, NARROW).codes.astype(np.uint16),
        wide_toroidal=neighbours(cells.wide_codes, WIDE).codes.astype(np.uint32),
        bounded=narrow.codes.astype(np.uint16),
        wide_bounded=wide.codes.astype(np.uint32),
        existing=narrow.existing,
        wide_existing=wide.existing,
    )


@dataclass(frozen=True, slots=True, eq=False)
class PrintedAnswer:
    """The answers of the printed routines and of their corrected forms.

    Attributes:
        printed: uint16 of shape ``(n, 8)``, by the printed assembly.
        repaired: the same with its two constants corrected: the right neighbours.
        top_right_printed: int16 of shape ``(n,)``, by the printed expression.
        top_right_repaired: the same with its one constant replaced: the right neighbour's code,
            still as a signed number.
    """

    printed: NDArray[np.uint16]
    repaired: NDArray[np.uint16]
    top_right_printed: NDArray[np.int16]
    top_right_repaired: NDArray[np.int16]


def find_neighbours_as_printed(cells: Cells) -> PrintedAnswer:
    """The answers of the printed routines for cells."""
    return PrintedAnswer(
        printed=_narrow(neighbours_of_listing(cells.codes)),
        repaired=_narrow(neighbours_of_listing(cells.codes, REPAIRED_STEPS)),
        top_right_printed=as_int16(top_right_of_listing(cells.codes)),
        top_right_repaired=as_int16(top_right_of_listing(cells.codes, REPAIRED_MINUS_ONE)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class AssemblyAnswer:
    """The answers of the assembly with different registers; each uint16 of shape ``(n, 8)``.

    Attributes:
        apart: as printed, input and temporaries in registers of their own.
        shared: as printed, the first temporary in the register of the input.
        repaired: with its two constants replaced and registers apart.
    """

    apart: NDArray[np.uint16]
    shared: NDArray[np.uint16]
    repaired: NDArray[np.uint16]


def find_neighbours_in_assembly(cells: Cells) -> AssemblyAnswer:
    """The answers of the printed assembly for cells, with two assignments of registers."""
    return AssemblyAnswer(
        apart=_narrow(neighbours_of_listing(cells.codes)),
        shared=_narrow(neighbours_of_listing(cells.codes, input_overwritten=True)),
        repaired=_narrow(neighbours_of_listing(cells.codes, REPAIRED_STEPS)),
    )


def _narrow(codes: Codes) -> NDArray[np.uint16]:
    return codes.astype(np.uint16)
