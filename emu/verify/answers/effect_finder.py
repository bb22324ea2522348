"""Finds what the routine of an old program writes beside what a case observes: its *effects*.

They are a part of its answer: a port that does not also set ``gErr`` is not the same routine.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.cases.keys.toolbox_state import TOOLBOX
from emu.machine import Surroundings
from emu.program import Variable
from emu.verify.answers.overwriting import OverwriteSearch
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import unchanged
from emu.verify.images.scene_images import SceneImages
from emu.verify.places.slots.argument_layout import SIZE_OF
from emu.verify.places.slots.effects import (
    NO_EFFECTS,
    Effect,
    Effects,
    elements_in,
    leaves,
    left_in,
)
from emu.verify.places.unfilled_globals import place_of

_KINDS = {"integer", "boolean", "enumeration", "float"}


class EffectFinder:
    """Finds the effects of calls of an old program's routine.

    Args:
        bench: the case on the old program.
        images: what some of its calls begin with; they give the layout.
    """

    def __init__(self, bench: Bench, images: SceneImages) -> None:
        self._bound = images.bound
        self._differences = bench.differences(images)
        self._stored: set[int] = set()
        globals_ = bench.machine.program.variables
        own = [variable for variable in self._variables() if variable.name in globals_]
        self._overwritten = OverwriteSearch(bench, images, own)

    def find(self, images: SceneImages, after: NDArray[np.uint8]) -> Effects:
        """Find what the two calls on one scene wrote and the case neither observes nor ignores.

        Args:
            images: what the two calls began with: the same scene, with memory filled differently.
            after: (2, image size) uint8, what the calls left.
        """
        bound, before = self._bound, images.before
        overwritten = self._overwritten.find(images, after)
        wanted = np.stack([unchanged(bound, *pair) for pair in zip(before, after, strict=True)])
        if not overwritten.any() and not self._differences.rows(wanted, after):
            return NO_EFFECTS
        changed = overwritten | self._differences.wrong(wanted, after).any(axis=0)
        values, others = [], []
        for variable in self._variables():
            start = bound.machine.data.offset(variable.address)
            part = changed[start : start + variable.type.size]
            if not part.any():
                continue
            part[:] = False
            for slot in leaves(variable, start):
                left = left_in(slot, before, after)
                is_set = elements_in(slot, overwritten)
                unwritten = left.unwritten & ~is_set
                if unwritten.all():
                    continue
                if left.unclear.any() or slot.type.kind not in _KINDS or slot.type.wide is not None:
                    others.append(f"{slot.name}, {variable.type.size} bytes")
                else:
                    value = np.ma.MaskedArray(left.value, unwritten)
                    values.append(Effect(slot.name, value, is_set))
        others += self._unnamed(changed, before[0], images.around[0])
        return Effects(tuple(values), tuple(others))

    def _variables(self) -> Iterator[Variable]:
        """The memory that arguments point to, the program's globals, and the Toolbox's state."""
        bound, seen = self._bound, set()
        globals_ = bound.machine.program.variables
        for name, several in bound.variables.items():
            is_own = name == TOOLBOX or name.startswith(("*", SIZE_OF))
            for variable in several if is_own or name in globals_ else ():
                if variable.address not in seen and variable.type.size <= bound.machine.data.room(
                    variable.address
                ):
                    seen.add(variable.address)
                    yield variable

    def _unnamed(
        self, changed: NDArray[np.bool_], before: NDArray[np.uint8], around: Surroundings
    ) -> list[str]:
        """The runs of changed bytes that belong to no variable, in words."""
        bound = self._bound
        data = bound.machine.data
        heap = bound.machine.memory.find_region("heap") or range(0)
        places = [data.address(int(offset)) for offset in np.flatnonzero(changed)]
        beside = [bound.layout.beside(place) for place in places if place in heap]
        places = [place for place in places if place not in heap]
        if not set(places) <= self._stored:
            self._stored |= {*places, *self._stores(before, around)}
        words = dict.fromkeys(filter(None, beside))
        for place in places:
            first = last = place
            while first - 1 in self._stored:
                first -= 1
            while last + 1 in self._stored:
                last += 1
            words[f"{place_of(bound.machine, first)}, {last + 1 - first} bytes"] = None
        return list(words)

    def _stores(self, before: NDArray[np.uint8], around: Surroundings) -> set[int]:
        """All addresses that a call stores to, also those whose byte the store did not change."""
        bound = self._bound
        if not bound.calls.is_single:
            return set()
        watch = bound.machine.data.addresses
        try:
            trace, _ = bound.machine.calls.trace(
                bound.calls.first, before, watch=watch, surroundings=around
            )
        except MacproofError:  # then only the bytes that changed are named
            return set()
        ranges = [variable.addresses for variable in self._variables()]
        return {store for store in trace.stores if not any(store in each for each in ranges)}
