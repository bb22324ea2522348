"""What the pointers of one recorded call lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from emu.port.carry.moments import CallMoment
from emu.program import GuestType
from emu.program.model.signatures import Parameter
from emu.program.model.types import UNKNOWN

NULL, MEMORY, HANDLE = "null", "memory", "handle"
FUNCTION, INTO = "function ", "into "
"""What a pointer leads to, in the words of a `CallShape`; the last two stand before a name."""

BYTE = GuestType("unsigned char", "integer", np.dtype(">u1"))
_WORD = 4
_HANDLE_DEPTH = 2


class UntypedError(ValueError):
    """Something in a call cannot be typed; the text is a clause that says what."""


class StrayError(UntypedError):
    """A function used an address to which nothing leads.

    Args:
        address: the address.
    """

    def __init__(self, address: int) -> None:
        super().__init__(f"it uses 0x{address:x}, to which nothing leads")
        self.address = address


@dataclass(frozen=True, slots=True)
class PointerTarget:
    """Memory that a pointer leads to.

    Attributes:
        name: the parameter or global that is the pointer.
        element: the type of one element of it.
        start: its address.
        size: how many of its bytes the old function used, from the first to the last of them.
    """

    name: str
    element: GuestType
    start: int
    size: int = 0

    @property
    def count(self) -> int:
        """How many elements the function used, at least one."""
        return max(1, -(-self.size // self.element.size))

    @property
    def addresses(self) -> range:
        """Where these elements lie."""
        return range(self.start, self.start + self.count * self.element.size)


@dataclass(slots=True)
class CallShape:
    """What all pointers of one call lead to.

    Attributes:
        kinds: by the name of the parameter or global, what it leads to, such as "into board".
        indices: of those that lead into a global, the index of the element there.
        targets: the memory that the others lead to, by the same names.
        masters: where master pointers of handles lie.
    """

    kinds: dict[str, str] = field(default_factory=dict)
    indices: dict[str, int] = field(default_factory=dict)
    targets: dict[str, PointerTarget] = field(default_factory=dict)
    masters: list[range] = field(default_factory=list)

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """What calls that one case can have share."""
        return tuple(sorted(self.kinds.items()))

    def words(self) -> str:
        """The shape as a clause: "at leads into board, list is null"."""
        return ", ".join(f"{name} {_words(kind)}" for name, kind in self.key)


def _words(kind: str) -> str:
    if kind.startswith(INTO):
        return f"leads {kind}"
    return {NULL: "is null", MEMORY: "leads to memory of its own", HANDLE: "is a handle"}.get(
        kind, f"is the {kind}"
    )


@dataclass(frozen=True, slots=True)
class KnownPlaces:
    """What has a name in the old program.

    Attributes:
        globals: the address and type of each global that the new function works on.
        others: where the other globals with marks lie.
        functions: the names of functions by their addresses.
    """

    globals: Mapping[str, tuple[int, GuestType]]
    others: Mapping[str, range]
    functions: Mapping[int, str]

    def global_at(self, address: int) -> str:
        """The global with a byte; "" if it is in none."""
        for name, (start, kind) in self.globals.items():
            if start <= address < start + kind.size:
                return name
        return ""

    def other_at(self, address: int) -> str:
        """The other global with a byte; "" if it is in none, like a literal."""
        return next((name for name, place in self.others.items() if address in place), "")


def add_pointer(
    shape: CallShape, known: KnownPlaces, moment: CallMoment, declared: Parameter, value: int
) -> None:
    """Find what a pointer leads to, and add it to a shape.

    Raises:
        UntypedError: it cannot be typed.
    """
    name = declared.name
    if value == 0:
        shape.kinds[name] = NULL
    elif value in known.functions:
        shape.kinds[name] = FUNCTION + known.functions[value]
    elif len(declared.pointed) > _HANDLE_DEPTH:
        raise UntypedError(f"{name} leads to memory by three pointers")
    elif len(declared.pointed) == _HANDLE_DEPTH:
        block = int.from_bytes(moment.before(value, _WORD), "big")
        if not block:
            raise UntypedError(f"{name} leads to a null pointer")
        shape.kinds[name] = HANDLE
        shape.masters.append(range(value, value + _WORD))
        shape.targets[name] = PointerTarget(name, _element(declared.pointed[-1]), block)
    elif found := known.global_at(value):
        start, kind = known.globals[found]
        index, rest = divmod(value - start, kind.scalar.size)
        if rest:
            raise UntypedError(f"{name} leads into an element of {found}")
        shape.kinds[name], shape.indices[name] = INTO + found, index
    elif declared.function is not None:
        raise UntypedError(f"{name} leads to a function that no mark names")
    else:
        shape.kinds[name] = MEMORY
        shape.targets[name] = PointerTarget(
            name, _element((declared.pointed or (UNKNOWN,))[-1]), value
        )


def _element(kind: GuestType) -> GuestType:
    """The type of what a case has behind a pointer: characters are bytes."""
    return BYTE if kind is UNKNOWN or kind.name == "char" or not kind.size else kind


def with_sizes(
    targets: Sequence[PointerTarget], used: Sequence[int], most: int
) -> Iterator[PointerTarget]:
    """Targets with their sizes, given the addresses that a function used.

    Each address belongs to the target that begins last before it.

    Args:
        targets: the targets, ordered by their addresses.
        used: the addresses, in their order; all are behind the start of the first target.
        most: how far from its start a target may go.

    Raises:
        UntypedError: two targets overlap.
        StrayError: an address is too far from any.
    """
    ends = {target.name: target.start for target in targets}
    starts = [target.start for target in targets]
    for address, place in zip(used, np.searchsorted(starts, used, side="right"), strict=True):
        if place == 0 or address - starts[place - 1] >= most:
            raise StrayError(address)
        ends[targets[place - 1].name] = address + 1
    for number, target in enumerate(targets):
        found = PointerTarget(
            target.name, target.element, target.start, ends[target.name] - target.start
        )
        if number + 1 < len(targets) and found.addresses.stop > starts[number + 1]:
            other = targets[number + 1].name
            raise UntypedError(f"{target.name} and {other} lead to the same memory")
        yield found
