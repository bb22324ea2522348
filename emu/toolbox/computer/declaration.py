"""Declares a Toolbox routine: its Pascal heading, and the method that does it.

The heading is written as Inside Macintosh prints it. From it follow the places of arguments on the
68K stack and in PowerPC registers, and their form in a log. The trap word is that of the published
table (see `trap_table`), as are the selector and the registers; a declaration gives what the table
does not have::

    @routine("PROCEDURE OffsetRect (VAR r: Rect; dh,dv: INTEGER)")
    def offset_rect(self, r: int, dh: int, dv: int) -> None: ...

    @routine("FUNCTION Translate24To32 (addr24: Ptr): Ptr", trap=0xA091, registers="D0 -> D0")
    def translate_24_to_32(self, address: int) -> int: ...
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any, TypeVar

from emu.program.instructions.trap_table import TrapSignature, signatures
from emu.toolbox.guest.guest_types import GUEST_TYPES, ToolboxType, variable

Handler = Callable[..., Any]
_Method = TypeVar("_Method", bound=Handler)
_HEADING = re.compile(
    r"(?P<kind>PROCEDURE|FUNCTION) +(?P<name>\w+) *(?:\((?P<parameters>[^)]*)\))? *"
    r"(?:: *(?P<result>\w+))?$"
)
_ATTRIBUTE = "toolbox_routines"
_PLACES = {
    **dict.fromkeys((0xA9E7, 0xA9E9, 0xA9EA, 0xA9EB, 0xA9EC, 0xA9ED, 0xA9EE), "stack"),
    **dict.fromkeys((0xA815, 0xA82E, 0xA83D, 0xA88F, 0xA895), "stack"),
    **dict.fromkeys((0xA8B5, 0xA8FD), "long on stack"),
    0xAAA2: "D0 byte",
}
"""Where the selector of a published trap is, if not in D0: on the stack for the packages of 1984
and what was made after them (Inside Macintosh I, chapter 17); see `Selector`."""


@dataclass(frozen=True, slots=True)
class RoutineParameter:
    """A parameter's name and type."""

    name: str
    type: ToolboxType


@dataclass(frozen=True, slots=True)
class Selector:
    """The number that tells routines apart that share one trap, and where a caller puts it.

    Attributes:
        value: the routine's number.
        place: "D0" (its low word, or 24 bits of it if the number has more than 16), "D0 byte" (its
            low byte; callers put the size of the arguments above these bits, and not all the same),
            "stack" (a word pushed after the arguments), or "long on stack" (four bytes pushed
            there).
    """

    value: int
    place: str

    @property
    def key(self) -> int:
        """The part of the number by which routines are told apart."""
        return self.value & {"D0 byte": 0xFF, "D0": 0xFFFFFF}.get(self.place, 0xFFFFFFFF)

    @property
    def stack_size(self) -> int:
        """The bytes that it takes on the stack."""
        return {"D0": 0, "D0 byte": 0, "stack": 2, "long on stack": 4}[self.place]


@dataclass(frozen=True, slots=True)
class Routine:
    """A routine of the Toolbox or the Operating System.

    Attributes:
        name: its name.
        parameters: in the order of its heading.
        result: the type of its result, or None for a procedure.
        trap: its trap word; None for a routine that 68K programs contain themselves (glue code).
        registers: for an Operating System trap, the 68K register of each parameter; None where
            68K parameters are on the stack.
        result_register: for such a trap, the 68K register of the result.
        selector: tells it from others with the same trap.
        imports: names under which PowerPC programs import it.
        variants: further trap words of the same routine, with the PowerPC name of each. The handler
            gets the one that was called as the keyword argument ``trap``.
        moves_memory: whether relocatable blocks may move or be purged when it is called, as
            ``moving_memory.txt`` has it.
        architecture: "m68k" or "powerpc" where the routine is declared for one only; else "".
        variables: which parameters are VAR parameters.
        skips_nil: whether nil is allowed for a VAR parameter, to which nothing is stored then.
        result_bias: what that register has more than the result of the C function has; GetOSEvent
            leaves 0 for an event and -1 for none.
    """

    name: str
    parameters: tuple[RoutineParameter, ...]
    result: ToolboxType | None
    trap: int | None
    registers: tuple[str, ...] | None
    result_register: str
    selector: Selector | None
    imports: tuple[str, ...]
    variants: tuple[tuple[str, int], ...]
    moves_memory: bool
    architecture: str
    variables: tuple[int, ...] = ()
    skips_nil: bool = False
    result_bias: int = 0

    def __hash__(self) -> int:
        """Quick, for what is kept for each routine."""
        return hash(self.name)

    @property
    def heading(self) -> str:
        """The Pascal heading, for messages."""
        kind = "PROCEDURE" if self.result is None else "FUNCTION"
        inside = "; ".join(
            f"VAR {p.name}: {p.type.refers_to}"
            if p.type.name.startswith("VAR ")
            else f"{p.name}: {p.type.name}"
            for p in self.parameters
        )
        result = f": {self.result.name}" if self.result else ""
        return f"{kind} {self.name}{f' ({inside})' if inside else ''}{result}"


@dataclass(frozen=True, slots=True)
class Callback:
    """How a routine of the program is called.

    Attributes:
        parameters: in the order of its heading.
        result: the type of its result, or None for a procedure.
        registers: for a 68K routine that is called at interrupt time, the register of each
            parameter; None for one that is called as Pascal calls.
        result_register: where such a routine leaves its result; "" for none.
    """

    parameters: tuple[RoutineParameter, ...]
    result: ToolboxType | None
    registers: tuple[str, ...] | None = None
    result_register: str = ""


@functools.cache
def callback(heading: str, registers: str | None = None) -> Callback:
    """Read how a routine of the program is called; the arguments are those of `routine`.

    Raises:
        ValueError: as of `parse_heading`.
    """
    _, parameters, result = parse_heading(heading)
    if registers is None:
        return Callback(parameters, result)
    return Callback(parameters, result, *_registers(heading, registers))


def parse_heading(heading: str) -> tuple[str, tuple[RoutineParameter, ...], ToolboxType | None]:
    """Read name, parameters and result of a Pascal heading.

    Raises:
        ValueError: it is not a heading, or names a type that is not in `GUEST_TYPES`.
    """
    match = _HEADING.match(heading)
    if not match or (match["kind"] == "FUNCTION") != bool(match["result"]):
        raise ValueError(f"not a heading: {heading}")
    parameters: list[RoutineParameter] = []
    for group in (match["parameters"] or "").split(";"):
        if not group.strip():
            continue
        names, _, type_name = group.partition(":")
        listed = names.strip()
        by_reference = listed.startswith("VAR ")
        listed = listed.removeprefix("VAR ")
        kind = variable(type_name.strip()) if by_reference else _type(type_name.strip(), heading)
        parameters += [RoutineParameter(name.strip(), kind) for name in listed.split(",")]
    result = _type(match["result"], heading) if match["result"] else None
    return match["name"], tuple(parameters), result


@functools.cache
def moving_memory() -> frozenset[str]:
    """The names of the routines that may move memory."""
    text = resources.files("emu.toolbox").joinpath("moving_memory.txt").read_text()
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(name for line in lines for name in line.split())


_LESS_ONE = "d0minus1boolean"
"""The published table's word for a result in D0 that is one less than the function's."""


def _type(name: str, heading: str) -> ToolboxType:
    if name not in GUEST_TYPES:
        raise ValueError(f"{heading}: there is no type {name}; add it to GUEST_TYPES")
    return GUEST_TYPES[name]


def _registers(heading: str, text: str) -> tuple[tuple[str, ...], str]:
    """The registers of a heading's parameters and of its result: "D0,A0 -> D0"."""
    before, _, after = text.partition("->")
    places = tuple(place.strip().lower() for place in before.split(",") if place.strip())
    _, parameters, result = parse_heading(heading)
    if len(places) != len(parameters) or bool(result) != bool(after.strip()):
        raise ValueError(f"{heading}: registers {text!r} do not fit it")
    return places, after.strip().lower()


def _published_registers(published: TrapSignature) -> str | None:
    """The same text, of the table; None where 68K arguments are on the stack."""
    is_of_system = not published.trap & 0x800
    if is_of_system or published.registers or published.result_register:
        return f"{published.registers} -> {published.result_register}"
    return None


def routine(
    heading: str,
    *,
    trap: int | None = None,
    registers: str | None = None,
    selector: tuple[str, int] | None = None,
    imports: tuple[str, ...] = (),
    variants: dict[str, int] | None = None,
    architecture: str = "",
    skips_nil: bool = False,
) -> Callable[[_Method], _Method]:
    """Declare that a manager's method does a routine.

    Args:
        heading: in Pascal, as Inside Macintosh prints it.
        trap: the trap word; None if it is that of the published table, as is the selector then, or
            if only PowerPC programs call the routine, by name.
        registers: for an Operating System trap that the table lacks, "D0,A0 -> D0": where each
            parameter and the result are; "D0high" is the high word of one, "" nothing.
        selector: place and number for a trap that several routines share; see `Selector`.
        imports: PowerPC names besides the routine's own and those of the table.
        variants: further forms whose trap words differ by flag bits, as PowerPC name to trap word.
            The method then gets the trap word as the keyword argument ``trap``.
        architecture: "m68k" or "powerpc" if the declaration holds for one only.
        skips_nil: whether nil is allowed for its VAR parameters.
    """
    name, parameters, result = parse_heading(heading)
    published = signatures().get(name)
    if published is not None and trap is None and architecture != "powerpc":
        trap = published.trap
        if published.selector is not None:
            selector = _PLACES.get(trap, "D0"), published.selector
        registers = _published_registers(published) if registers is None else registers
        if not architecture:
            others = (other for other in published.others if other not in (variants or {}))
            imports = (*others, *imports)
    places, result_register = (None, "") if registers is None else _registers(heading, registers)
    declared = Routine(
        name=name,
        parameters=parameters,
        result=result,
        trap=trap,
        registers=places,
        result_register="d0" if result_register == _LESS_ONE else result_register,
        result_bias=-1 if result_register == _LESS_ONE else 0,
        selector=Selector(selector[1], selector[0]) if selector else None,
        imports=(name, *imports),
        variants=tuple((variants or {}).items()),
        moves_memory=name in moving_memory(),
        architecture=architecture,
        variables=tuple(n for n, p in enumerate(parameters) if p.type.name.startswith("VAR ")),
        skips_nil=skips_nil,
    )
    return _declaring(declared)


def is_called_by_name(routine: Routine, architecture: str, *, powerpc_only: bool) -> bool:
    """Whether programs for an architecture may call a routine by its name.

    Args:
        routine: the routine.
        architecture: "m68k" or "powerpc".
        powerpc_only: whether its manager is one of a Power Macintosh; see `Manager`.
    """
    if routine.architecture == "m68k":
        return architecture == "m68k" and routine.trap is None
    return architecture == "powerpc" or not powerpc_only


def procedure(name: str) -> Routine:
    """A procedure without arguments and trap."""
    return Routine(
        name=name,
        parameters=(),
        result=None,
        trap=None,
        registers=None,
        result_register="",
        selector=None,
        imports=(name,),
        variants=(),
        moves_memory=False,
        architecture="",
    )


def _declaring(declared: Routine) -> Callable[[_Method], _Method]:
    def declare(method: _Method) -> _Method:
        setattr(method, _ATTRIBUTE, (*getattr(method, _ATTRIBUTE, ()), declared))
        return method

    return declare


@dataclass(frozen=True, slots=True)
class ManagerRoutine:
    """A routine, the name of the manager that does it, and the name of its method."""

    routine: Routine
    manager: str
    method: str


def routines_of(manager: object) -> Iterator[tuple[Routine, str]]:
    """Every routine that a manager (or its class) declares, with the name of its method."""
    yield from _declared_by(manager if isinstance(manager, type) else type(manager))


@functools.cache
def _declared_by(kind: type) -> tuple[tuple[Routine, str], ...]:
    """The same, looked for once: every `Macintosh` asks for the routines of all managers."""
    return tuple(
        (declared, name)
        for name in dir(kind)
        for declared in getattr(getattr(kind, name), _ATTRIBUTE, ())
    )
