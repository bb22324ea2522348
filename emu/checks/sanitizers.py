"""Reads what GCC's sanitizers have found in guest code, and says it in words.

The checks are in the program itself, and so is what they call: ``mac_src/runtime/sanitizers``. It
keeps the findings of a call in a global of the guest, which is data memory like any other. So each
call begins without findings, and the image that it leaves has all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emu.checks.defects import Defect
from emu.machine import BareMachine
from emu.machine.memory import layout
from emu.program import Program, Variable, source_name

LOG = "macproof_findings"
"""The global that the runtime keeps findings in."""

_STAGED = "program/"  # the folder in which sources are compiled
_BEFORE_RETURN = 2  # bytes; this far before the address that a check returns to is its call
_LONGEST_NAME = 200
_CLOSED = 0xFA  # the shadow of a granule of the heap that belongs to no object


class _Found(NamedTuple):
    """A finding as the runtime has written it down.

    ``a`` and ``b`` are its two values; their bits are those of integers of ``type``.
    """

    type: str
    bits: int
    is_signed: bool
    a: int
    b: int
    act: int

    @property
    def value(self) -> int:
        """The first value as a number of the type."""
        return self.number(self.a)

    @property
    def other(self) -> int:
        """The second value as a number of the type."""
        return self.number(self.b)

    def number(self, bits: int) -> int:
        """A number of the type."""
        low = bits & ((1 << self.bits) - 1)
        return low - (1 << self.bits) if self.is_signed and low >> (self.bits - 1) else low


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of finding: the sanitizer, GCC's name of its check, and how it is said."""

    check: str
    name: str
    say: Callable[[_Found], str]


def _overflow(operator: str) -> _Kind:
    def say(entry: _Found) -> str:
        sum_ = f"{entry.value} {operator} {entry.other}"
        return f"signed integer overflow: {sum_} cannot be represented in type {entry.type}"

    return _Kind("undefined", "signed-integer-overflow", say)


def _division(entry: _Found) -> str:
    if entry.other == 0:
        return f"division of {entry.value} by zero"
    return f"division of {entry.value} by {entry.other} cannot be represented in type {entry.type}"


def _shift(entry: _Found) -> str:
    exponent = _signed_64(entry.b)
    if exponent < 0:
        return f"shift exponent {exponent} is negative"
    if exponent >= entry.bits:
        return f"shift exponent {exponent} is too large for {entry.bits}-bit type {entry.type}"
    if entry.value < 0:
        return f"left shift of negative value {entry.value}"
    return (
        f"left shift of {entry.value} by {exponent} places cannot be represented in type "
        f"{entry.type}"
    )


_ACTS = (
    *("load of", "store to", "reference binding to", "member access within", "member call on"),
    *("constructor call on", "downcast of", "downcast of", "upcast of", "cast to virtual base of"),
)


def _mismatch(entry: _Found) -> str:
    act = _ACTS[entry.act] if entry.act < len(_ACTS) else "use of"
    if entry.a == 0:
        return f"{act} null pointer of type {entry.type}"
    if entry.a % entry.b:
        return (
            f"{act} misaligned address 0x{entry.a:08x} for type {entry.type}, which requires "
            f"{entry.b} byte alignment"
        )
    return f"{act} an address with insufficient space for an object of type {entry.type}"


def _pointer(entry: _Found) -> str:
    if entry.a == 0:
        return f"offset of {entry.b} applied to a null pointer"
    return f"pointer 0x{entry.a:08x} with an offset overflows to 0x{entry.b:08x}"


def _signed_64(bits: int) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


def _undefined(name: str, words: str) -> _Kind:
    """A kind whose words name the type at most."""
    return _Kind("undefined", name, lambda found: words.format(found=found))


_KINDS = (
    None,
    _overflow("+"),
    _overflow("-"),
    _overflow("*"),
    _undefined(
        "signed-integer-overflow",
        "negation of {found.value} cannot be represented in type {found.type}",
    ),
    _Kind("undefined", "integer-divide-by-zero", _division),
    _Kind("undefined", "shift", _shift),
    _Kind(
        "undefined",
        "bounds",
        lambda entry: f"index {_signed_64(entry.a)} out of bounds for type {entry.type}",
    ),
    _undefined("unreachable", "execution reached a point that the source calls unreachable"),
    _undefined("return", "the function ended without returning a value"),
    _undefined("vla-bound", "variable length array has {found.value} elements"),
    _undefined("bool", "load of {found.value}, which is not a valid value for type {found.type}"),
    _Kind("undefined", "alignment", _mismatch),
    _Kind("undefined", "pointer-overflow", _pointer),
    _undefined("nonnull-attribute", "null pointer passed for an argument that must not be null"),
    _undefined("returns-nonnull-attribute", "null pointer returned where none may be"),
    _undefined("builtin", "zero passed to a builtin function that has no result for it"),
    _Kind("address", "read", lambda entry: f"read of {_bytes(entry.a)} out of bounds"),
    _Kind("address", "write", lambda entry: f"write of {_bytes(entry.a)} out of bounds"),
)
"""By the number of the kind in ``findings.h``."""


def near(program: Program, address: int, more: Sequence[Variable] = ()) -> str:
    """Where an address lies among a program's globals, and more variables.

    Such as "2 bytes behind the end of gTable, which has 10 bytes".
    """
    variables = [
        *(variable for several in program.variables.values() for variable in several),
        *more,
    ]
    return _nearest(
        [(variable.name, variable.address, variable.type.size) for variable in variables], address
    )


def _nearest(objects: Sequence[tuple[str, int, int]], place: int) -> str:
    """Where a place lies among objects, each its name, start and size; "" if there are none."""
    distances = [
        (max(start - place, place - start - size + 1, 0), name, start, size)
        for name, start, size in objects
        if size
    ]
    if not distances:
        return ""
    distance, name, start, size = min(distances, key=lambda candidate: candidate[0])
    if not distance:
        return f"byte {place - start} of {name}"
    if place < start:
        return f"{_bytes(start - place)} before {name}, which has {_bytes(size)}"
    return f"{_bytes(distance - 1)} behind the end of {name}, which has {_bytes(size)}"


def near_local(description: str, offset: int) -> str:
    """Where a place in a stack frame lies among its locals.

    Args:
        description: GCC's description of the frame: the number of locals, and of each its offset,
            its size, the length of its name, and name and line: "1 32 14 7 loc:12".
        offset: the place, as an offset in the frame.
    """
    named = re.findall(r"(\d+) (\d+) \d+ ([^ :]+)(?::\d+)?", description.partition(" ")[2])
    return _nearest([(name, int(start), int(size)) for start, size, name in named], offset)


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"


class SanitizerLog:
    """The findings of the sanitizers of one machine's program.

    Args:
        machine: the machine; its program need not have sanitizers.
        objects: what lies in the heap; of the rest of it, nothing may be accessed.
    """

    def __init__(self, machine: BareMachine, objects: Sequence[Variable] = ()) -> None:
        self._machine = machine
        self._objects = objects
        logs = machine.program.variables.get(LOG, ())
        self._log = logs[0] if len(logs) == 1 else None
        self._shadowed = layout.shadowed(machine.program, machine.memory.regions)
        if self._shadowed is not None and objects:
            self._close_heap()

    def _close_heap(self) -> None:
        """Let the shadow of the heap allow accesses of the objects there, and no others."""
        heap = self._machine.memory.region("heap")
        bounds = np.array(
            [
                (variable.address, variable.address + variable.type.size)
                for variable in self._objects
            ]
        )
        granules = np.arange(heap.address, heap.end, layout.GRANULE)[:, np.newaxis]
        allowed = np.where(granules + layout.GRANULE > bounds[:, 0], bounds[:, 1] - granules, 0)
        most = allowed.max(axis=1).clip(0, layout.GRANULE)
        shadow = np.where(most == 0, _CLOSED, most % layout.GRANULE)
        start = self._machine.data.offset(layout.SHADOW + heap.address // layout.GRANULE)
        self._machine.pristine[start : start + len(shadow)] = shadow

    @property
    def memory(self) -> list[range]:
        """The guest addresses of what only the sanitizers write, which no result is."""
        if self._log is None:
            return []
        regions = () if self._shadowed is None else self._shadowed.regions()
        return [
            self._log.addresses,
            *(range(region.address, region.end) for region in regions),
        ]

    def read(self, images: NDArray[np.uint8]) -> dict[int, tuple[Defect, ...]]:
        """The defects that calls have shown.

        Args:
            images: (calls, image size) uint8, what the calls have left.

        Returns:
            The defects in the order in which they happened, by the index of the call; calls
            without any are left out.
        """
        log = self._log
        if log is None:
            return {}
        start = self._machine.data.offset(log.address)
        part = np.ascontiguousarray(images[:, start : start + log.type.size])
        logs = part.view(log.type.dtype)[:, 0]
        return {
            int(call): tuple(
                self._defect(record) for record in logs[call]["kept"][: logs[call]["count"]]
            )
            for call in np.flatnonzero(logs["count"])
        }

    def _defect(self, record: Any) -> Defect:
        kind = _KINDS[record["kind"]]
        assert kind is not None
        if kind.check == "address":
            return self._bad_access(kind, record)
        info = int(record["type_info"])
        entry = _Found(
            type=self._text(int(record["type"])),
            bits=1 << (info >> 1),
            is_signed=bool(info & 1),
            a=_both(record["first"]),
            b=_both(record["second"]),
            act=0,
        )
        name = kind.name
        if kind.say is _mismatch:
            act, address = (int(word) for word in record["first"])
            entry = entry._replace(a=address, act=act)
            name = _mismatch_name(entry)
        thing = near(self._machine.program, entry.a) if name == "object-size" else ""
        return Defect(kind.check, name, kind.say(entry), self._place(record), thing)

    def _bad_access(self, kind: _Kind, record: Any) -> Defect:
        """An access of memory that belongs to no object."""
        size = int(record["first"][0])
        frame, address = (int(word) for word in record["second"])
        entry = _Found("", 0, False, size, 0, 0)
        if frame:
            thing = near_local(self._text(int(record["file"])), address - frame)
        elif self._machine.memory.find(address) is None:
            thing = "no part of a block that the Memory Manager has handed out"
        else:
            thing = near(self._machine.program, address, self._objects)
        place = self._machine.program.locate(int(record["code"]) - _BEFORE_RETURN)
        source = place.source.removeprefix(_STAGED)
        where = f"{source_name(place.symbol) or hex(place.address)} ({source})"
        return Defect(kind.check, kind.name, kind.say(entry), where, thing)

    def _place(self, record: Any) -> str:
        """The function, and the line and column that the compiler has noted."""
        place = self._machine.program.locate(int(record["code"]) - _BEFORE_RETURN)
        function = source_name(place.symbol) or f"0x{place.address:08x}"
        file = self._text(int(record["file"])).removeprefix(_STAGED)
        return f"{function} ({file}:{record['line']}:{record['column']})"

    def _text(self, address: int) -> str:
        """A text of the guest that ends with a 0; "" at address 0."""
        region = self._machine.memory.find(address)
        if region is None:
            return ""
        size = min(_LONGEST_NAME, region.end - address)
        data = self._machine.memory.view(address, size).tobytes()
        return data.partition(b"\0")[0].decode("utf-8", "replace")


def _both(words: Any) -> int:
    return int(words[0]) << 32 | int(words[1])


def _mismatch_name(entry: _Found) -> str:
    """GCC's name of the check, which reports null, alignment and size in the same way."""
    if entry.a == 0:
        return "null"
    return "alignment" if entry.a % entry.b else "object-size"
