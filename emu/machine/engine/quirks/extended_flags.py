"""The flags of a PowerPC's XER, which the engine's interface neither reads nor writes.

The engine keeps each of them in a word of the processor's state, and copies of the state can be
taken and put back. Which words they are is found by setting the flags, once in a process.
Source: Unicorn 2.1.4, ``qemu/target/ppc/cpu.h``: "XER (with SO, OV, CA split out)".
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import unicorn
from unicorn.unicorn_py3 import unicorn as binding

from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import EngineError, find_model, open_engine
from emu.machine.memory.memory import PAGE

_BITS = (31, 30, 29)
"""Summary overflow, overflow and carry."""


class ExtendedFlags:
    """The flags of an engine's processor.

    Args:
        engine: the engine.
        cpu: its processor.

    Raises:
        EngineError: it is not found where another version of the engine keeps them.
    """

    def __init__(self, engine: unicorn.Uc, cpu: Cpu) -> None:
        self._handle = engine._uch
        self._places = _places(cpu)
        self._copy = engine.context_save()
        self._image = _image(self._copy)

    def read(self) -> bytes:
        """Summary overflow, overflow and carry, each 0 or 1."""
        binding.uclib.uc_context_save(self._handle, self._copy.context)
        return bytes(self._image[place] for place in self._places)

    def write(self, flags: bytes) -> None:
        """Change the flags. All other registers get what they had when flags were last read."""
        for place, flag in zip(self._places, flags, strict=True):
            self._image[place] = flag
        binding.uclib.uc_context_restore(self._handle, self._copy.context)


def _image(copy: Any) -> Any:
    return (ctypes.c_uint8 * copy.size).from_address(copy.context.value)


@functools.cache
def _places(cpu: Cpu) -> tuple[int, ...]:
    """Where the lowest byte of each flag is in a copy of the state."""
    engine = open_engine(cpu, find_model(cpu))
    engine.mem_map(PAGE, PAGE)
    cleared, *images, again = (_state_with(engine, bits) for bits in (0, *_BITS, 0))
    steady = [at for at in range(len(cleared)) if cleared[at] == again[at] == 0]
    found = [[at for at in steady if image[at]] for image in images]
    if any(
        len(places) != 1 or image[places[0]] != 1
        for places, image in zip(found, images, strict=True)
    ):
        raise EngineError(
            f"Unicorn {unicorn.__version__} keeps the flags of XER elsewhere than 2.1.4, which is "
            "known to work"
        )
    return tuple(places[0] for places in found)


def _state_with(engine: unicorn.Uc, bit: int) -> bytes:
    """The processor's state with one flag, or without any for 0."""
    value = 1 << bit - 16 if bit else 0
    code = (0x3C60_0000 | value, 0x7C61_03A6, 0x3860_0000)  # lis r3,value; mtxer r3; li r3,0
    engine.mem_write(PAGE, b"".join(word.to_bytes(4, "big") for word in code))
    engine.ctl_remove_cache(PAGE, PAGE + 4 * len(code))
    engine.emu_start(PAGE, PAGE + 4 * len(code))
    return bytes(_image(engine.context_save()))
