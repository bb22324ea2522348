"""The engine host: the case's sources compiled by this computer's compiler, called natively.

It is an independent oracle of results: neither an emulator nor a cross compiler has a part in them.
Values go by their meaning into a guest's image and out of it. Nothing is known of registers and
stack, nor of memory that no variable names.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.engines.base.driven_process import DrivenProcess
from emu.engines.host_layout import HostLayout
from emu.machine import CallSite
from emu.machine.abi.call_form import is_aggregate
from emu.machine.calls.call_entry import CallEntry, Calls
from emu.machine.calls.other_engine import EngineRefusal, MakeEngine, OtherEngine, StoppedCall
from emu.machine.cpu import Cpu
from emu.machine.memory.memory import GuestMemory
from emu.program import Program
from emu.toolchain.programs.native import host_compiler

SECONDS = 10.0
"""A call that takes longer is given up."""

_WORDS, _FLOATS = 6, 8
_ARGUMENTS = np.dtype(
    [("words", "i8", _WORDS), ("floats", "f8", _FLOATS), ("word", "i8"), ("number", "f8")]
)


class HostEngine(OtherEngine):
    """Makes calls of a native program.

    Args:
        program: the guest program, in whose images calls begin and end.
        memory: guest memory with it.
        native: the file of the native program, from `emu.toolchain.programs.native`.
        name: the engine's name.

    Raises:
        ToolMissingError, UsageError: as of `host_compiler`.
    """

    def __init__(self, program: Program, memory: GuestMemory, native: Path, name: str) -> None:
        self.version = f"{name} {host_compiler()}"
        self._program = program
        self._native = native
        self._layout = HostLayout(program, memory, native)
        self._processes: dict[int, DrivenProcess] = {}

    def run(self, entry: CallEntry, calls: Calls) -> StoppedCall | None:
        """Make calls up to the first that does not return; see `OtherEngine.run`."""
        site, count = calls.site, len(calls)
        self._require_simple(site)
        layout, size = self._layout, _ARGUMENTS.itemsize
        offsets = [entry.data.offset(pair.guest.address) for pair in layout.pairs]
        process, record = self._process(site), size + layout.size
        given = process.calls.resized(count * record).reshape(count, record)
        left = process.made.resized(count * record).reshape(count, record)
        given[:, :size] = self._arguments(entry, calls)
        layout.lay(calls.before, offsets, given[:, size:])
        done, why = process.make(count, record)
        calls.after[:done] = calls.before[:done]
        layout.take(given[:done, size:], left[:done, size:], offsets, calls.after[:done])
        results = self._results(site, left[:done, :size])
        calls.frames[:done] = entry.contract.expected_frames(
            calls.entry_frames[:done], site, results
        )
        return StoppedCall(done, why) if why else None

    def _require_simple(self, site: CallSite) -> None:
        kinds = [field.type for _, field in site.arguments]
        passed = kinds if site.result is None else [*kinds, site.result.type]
        if site.needs_memory or any(kind.wide or is_aggregate(kind) for kind in passed):
            raise self._refusal("a struct or a long double is passed or returned by value")
        floats = sum(kind.kind == "float" for kind in kinds)
        if floats > _FLOATS or len(kinds) - floats > _WORDS:
            raise self._refusal(f"it has more than {_WORDS} whole numbers or {_FLOATS} floats")

    def _refusal(self, why: str) -> EngineRefusal:
        return EngineRefusal(f"{self._program.path}: {why}, which the engine host cannot do")

    def _process(self, site: CallSite) -> DrivenProcess:
        """A process that calls a routine; the one that is there, if it lives."""
        running = self._processes.get(site.routine)
        if running is not None and not running.has_ended:
            return running
        if running is not None:
            running.close()
        layout = self._layout
        names = [symbol.name for symbol in self._program.symbols if symbol.address == site.routine]
        place = next((layout.symbols[name] for name in names if name in layout.symbols), None)
        if place is None:
            raise self._refusal(f"it calls {', '.join(names)}, which the native program lacks")
        process = DrivenProcess([str(self._native)], SECONDS, byte_order=sys.byteorder)
        has_float = site.result is not None and site.result.type.kind == "float"
        variables = [(pair.host.address, pair.host.type.size, 1) for pair in layout.pairs]
        variables += [(variable.address, variable.type.size, 0) for variable in layout.others]
        words = [*process.descriptors, place, int(has_float), len(variables)]
        trouble = process.begin(np.array([*words, *sum(variables, ())], np.int64).tobytes())
        if trouble:
            raise self._refusal(f"the native program {trouble} before any call")
        self._processes[site.routine] = process
        return process

    def _arguments(self, entry: CallEntry, calls: Calls) -> NDArray[np.uint8]:
        """The arguments of each call, as bytes of `_ARGUMENTS`."""
        arguments = np.zeros(len(calls), _ARGUMENTS)
        site = calls.site
        records = site.records(calls.before, entry.data.offset(site.address) if site.address else 0)
        words = floats = 0
        for _, field in site.arguments:
            part = np.ascontiguousarray(records[:, field.offset : field.offset + field.type.size])
            values = part.view(field.type.dtype)[:, 0]
            if field.type.kind == "float":
                arguments["floats"][:, floats] = _in_register(values)
                floats += 1
                continue
            if field.type.kind == "pointer":
                self._require_known(values, field.name)
                values = self._layout.to_host(values).view(np.int64)
            arguments["words"][:, words] = values
            words += 1
        return arguments.view(np.uint8).reshape(len(calls), _ARGUMENTS.itemsize)

    def _require_known(self, values: NDArray[Any], name: str) -> None:
        """Refuse a pointer to memory that belongs to no variable of the program."""
        again = self._layout.to_guest(self._layout.to_host(values))
        wild = self._layout.to_host(values) >> np.uint64(48) != 0
        if wild.any() or (again != values).any():
            raise self._refusal(f"the argument {name} points to memory that the case provides")

    def _results(self, site: CallSite, results: NDArray[np.uint8]) -> NDArray[Any] | None:
        """The result of each call, of the guest's type; None if there is none."""
        if site.result is None:
            return None
        kind = site.result.type
        records = np.ascontiguousarray(results).view(_ARGUMENTS)[:, 0]
        if kind.kind == "float":
            bits = np.ascontiguousarray(records["number"]).view(np.uint8).reshape(-1, 8)
            part = bits if kind.size == 8 else bits[:, :4]
            native = np.ascontiguousarray(part).view(f"f{kind.size}")[:, 0]
            return np.asarray(native.astype(kind.dtype))
        words = np.ascontiguousarray(records["word"])
        if kind.kind == "pointer":
            return self._layout.to_guest(words.view(np.uint64)).astype(kind.dtype)
        return words.astype(kind.dtype)

    def close(self) -> None:
        """End its processes."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()


def _in_register(values: NDArray[Any]) -> NDArray[np.float64]:
    """Floats as a register holds them: a short one in the lower half, whose upper half is free."""
    if values.dtype.itemsize == 8:
        return values.astype(np.float64)
    bits = np.zeros((len(values), 8), np.uint8)
    bits[:, :4] = values.astype(np.float32).view(np.uint8).reshape(-1, 4)
    return bits.view(np.float64)[:, 0]


def host_of(name: str) -> Callable[[Path | None], MakeEngine]:
    """What makes an engine of that name from the file of a native program."""

    def with_native(native: Path | None) -> MakeEngine:
        return functools.partial(_host_engine, native, name)

    return with_native


def _host_engine(
    native: Path | None, name: str, cpu: Cpu, program: Program, memory: GuestMemory
) -> OtherEngine:
    if native is None:
        raise EngineRefusal(
            f"{program.path}: the engine {name} compiles a case's sources for this computer, and "
            "of this program there are none"
        )
    return HostEngine(program, memory, native, name)
