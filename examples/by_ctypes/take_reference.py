"""What Take has to do: as the shared library of this computer does it, asked by ctypes."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np


class Stack(ctypes.Structure):
    """The struct of the library."""

    _fields_ = (("values", ctypes.POINTER(ctypes.c_int16)), ("count", ctypes.c_int16))


@dataclass(frozen=True)
class Scene:
    """A stack, what lies at out, and how many were taken before."""

    values: np.ndarray
    out: int
    taken: int
    objects: int
    generator: str
    seed: int

    def keep(self, indices: np.ndarray) -> Scene:
        """The same with some of its numbers."""
        return replace(self, values=self.values[indices], objects=len(indices))


def make_stack(generator: str, objects: int, seed: int, *, width: int, height: int) -> Scene:
    """A stack of random numbers."""
    words = np.random.PCG64([seed, objects]).random_raw(objects + 2).astype(np.int16)
    return Scene(words[2:], int(words[0]), int(words[1]), objects, generator, seed)


def take(scene: Scene) -> SimpleNamespace:
    """What the library leaves of a stack."""
    library = ctypes.CDLL(str(Path(__file__).with_name("libtake.so")))
    values = (ctypes.c_int16 * 20)(*scene.values.tolist())
    stack, out = Stack(values, scene.objects), ctypes.c_int16(scene.out)
    taken = ctypes.c_int32.in_dll(library, "gTaken")
    taken.value = scene.taken  # before each scene, or it keeps what the last one left
    is_taken = library.Take(ctypes.byref(stack), ctypes.byref(out))
    return SimpleNamespace(is_taken=is_taken, left=stack.count, out=out.value, taken=taken.value)


def take_in_python(scene: Scene) -> SimpleNamespace:
    """The same without the library, so that it can be proved."""
    if not scene.objects:
        return SimpleNamespace(is_taken=0, left=0, out=scene.out, taken=scene.taken)
    last = scene.values.tolist()[-1]
    taken = (scene.taken + 1 + 2**31) % 2**32 - 2**31  # the counter wraps
    return SimpleNamespace(is_taken=1, left=scene.objects - 1, out=last, taken=taken)
