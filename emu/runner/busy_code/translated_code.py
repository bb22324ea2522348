"""Translates the busy code of a program that runs, and keeps the translation."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from llvmlite import binding as llvm

from emu.base.errors import InputError
from emu.base.files import read_file
from emu.base.processes.black_box import black_box
from emu.lift.decoder import Decoder
from emu.lift.lifter_version import lifter_version
from emu.lift.native.objects import LoadedObject, compile_object, host_processor
from emu.lift.resumable.access_screen import AccessScreen, ScreenedMemory
from emu.lift.resumable.kept_registers import kept_registers
from emu.lift.resumable.register_cache import ASKED_AT, EXECUTED_AT
from emu.lift.resumable.resumable_module import FUNCTION, translate_resumable
from emu.machine.cpu import Cpu
from emu.toolchain import build_cache

_FUNCTION_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
_SUFFIX = ".o"
_OLDEST_LLVM = (20,)
"""That of llvmlite 0.45, the oldest with all passes that are used."""

Fetch = Callable[[int, int], bytes]


def can_translate() -> bool:
    """Whether this process may translate code: llvmlite is new enough.

    A process that records each instruction, to tell of which one another process has died, has to
    leave all of them to the engine.
    """
    return llvm.llvm_version_info >= _OLDEST_LLVM and black_box() is None


@dataclass(frozen=True, slots=True)
class TranslatedPart:
    """Code of a program as native code.

    Attributes:
        content: the object.
        roots: the addresses from which the code was found.
        code: what it was translated from, by addresses.
        entries: the addresses at which it can be entered.
        places: the offsets of registers in its state.
        floats: the numbers of the floating-point registers that it uses.
        size: the bytes of its state.
    """

    content: bytes = field(repr=False)
    roots: tuple[int, ...]
    code: tuple[tuple[int, bytes], ...] = field(repr=False)
    entries: tuple[int, ...]
    places: tuple[int, ...]
    floats: tuple[int, ...]
    size: int


def translated_part(
    cpu: Cpu,
    fetch: Fetch,
    roots: Sequence[int],
    memory: ScreenedMemory,
    is_executed: Callable[[int], bool],
) -> TranslatedPart:
    """Translate what can be reached from some addresses; see `translate_resumable`."""
    kept = kept_registers(cpu.architecture)
    screen = AccessScreen(cpu, kept.stack_pointer, memory)
    module = translate_resumable(Decoder(cpu, fetch), roots, kept, screen, is_executed)
    return TranslatedPart(
        compile_object(module.text),
        tuple(roots),
        tuple(module.code.items()),
        module.entries,
        module.places,
        module.floats,
        module.size,
    )


def key_of_part(cpu: Cpu, memory: ScreenedMemory, page: int, code: bytes) -> str:
    """The key under which code is kept of which the first busy block lies on a page of memory."""
    digest = hashlib.sha256(code).hexdigest()
    who = lifter_version(), host_processor(), cpu.name
    return build_cache.key_of("busy code", *who, str(memory), f"{page:x}", digest)


def keep(key: str, part: TranslatedPart) -> None:
    """Keep code for other runs; where nothing can be kept, it is translated each time."""
    numbers = part.roots, part.entries, part.places, part.floats, part.size
    code = [(at, content.hex()) for at, content in part.code]
    head = json.dumps([*numbers, code]).encode()
    with contextlib.suppress(InputError):
        build_cache.keep(key, _SUFFIX, head + b"\n" + part.content, {})


def kept_part(key: str) -> TranslatedPart | None:
    """Code that was kept; None if there is none, or its file is damaged."""
    found = build_cache.find(key, _SUFFIX)
    if found is None:
        return None
    head, _, content = read_file(found.path).partition(b"\n")
    roots, entries, places, floats, size, code = json.loads(head)
    pieces = tuple((at, bytes.fromhex(text)) for at, text in code)
    return TranslatedPart(
        content, tuple(roots), pieces, tuple(entries), tuple(places), tuple(floats), size
    )


class LoadedPart:
    """Native code in this process, and the state that it works on.

    Args:
        part: the code.
        memory: where the byte of guest memory with the address 0 would lie.
        shadow: where the shadow begins.
        asked_at: where the word is that is not 0 if the code has to be left.
    """

    def __init__(self, part: TranslatedPart, memory: int, shadow: int, asked_at: int) -> None:
        self.part = part
        self.state: Any = (ctypes.c_uint8 * part.size)()
        self._object = LoadedObject(part.content)
        self._function = _FUNCTION_TYPE(self._object.address(FUNCTION))
        self._arguments = ctypes.addressof(self.state), memory % (1 << 64), shadow % (1 << 64)
        self._counter = ctypes.c_uint32.from_buffer(self.state)
        self._executed = ctypes.c_uint64.from_buffer(self.state, EXECUTED_AT)
        ctypes.c_uint64.from_buffer(self.state, ASKED_AT).value = asked_at

    def execute(self, address: int) -> tuple[int, int]:
        """Execute from an entry on; where it was left, and the bytes of code that were executed."""
        self._counter.value = address
        self._executed.value = 0
        self._function(*self._arguments)
        return self._counter.value, self._executed.value
