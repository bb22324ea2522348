"""Makes the glue between C and the Toolbox: a short function under each routine's name.

The C compiler pushes arguments last to first, each as a long. A 68K Toolbox routine expects them
first to last, short ones as words, or in registers, and is called by a trap. On a Power Macintosh
the calling conventions of Linux and of Apple differ in the stack frame and in records passed by
value: Linux passes the record's address, Apple its contents. The arguments of each routine are
those declared in `emu.toolbox`.

On 68K some routines have no trap, or one whose arguments differ from those of the C function, which
is that of the Power Macintosh. The libraries of 1994 had code for them. Here they are called by
their names, see `emu.toolbox.calls.named_calls`, unless the runtime has such code.

Every function is a section of its own, so that the linker keeps only those that a program calls. It
is weak, so that the runtime can define a better one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emu.toolbox.calls.absent_routines import absent_routines
from emu.toolbox.calls.named_calls import CALL_BY_NAME
from emu.toolbox.calls.powerpc import CALL_PREFIX
from emu.toolbox.computer.declaration import Routine, is_called_by_name, procedure, routines_of
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import GUEST_TYPES, ParameterKind, ToolboxType
from emu.toolbox.managers.all_managers import MANAGERS

IMPORT_PREFIX = "__import_"
"""The prefix of the symbol for the word that holds the address of a routine's transition vector."""

_LINKAGE_AREA = 24
_REGISTER_ARGUMENTS = 8
_REGISTERS = {f"{kind}{number}" for kind in "da" for number in range(8)}
_SLOT = 4
_BYTES = (ParameterKind.BOOLEAN, ParameterKind.BYTE)
_CALLER_LINKAGE = 8
"""The offset of the ninth argument in the stack frame of Linux's convention, in bytes."""


@dataclass(frozen=True, slots=True)
class GlueEntry:
    """A routine under one of its names; ``trap`` is None if 68K programs call it by its name."""

    name: str
    routine: Routine
    trap: int | None


def entries(
    architecture: str, managers: Iterable[type[Manager]] | None = None
) -> tuple[GlueEntry, ...]:
    """All routines that programs can call, ordered by name.

    Args:
        architecture: "m68k" or "powerpc".
        managers: the managers that declare the routines; those of macproof's Toolbox if not given.
    """
    declared = [
        (routine, manager.powerpc_only)
        for manager in (MANAGERS.values() if managers is None else managers)
        for routine, _ in routines_of(manager)
    ]
    by_name = {
        name: GlueEntry(name, routine, None)
        for routine, powerpc_only in declared
        if is_called_by_name(routine, architecture, powerpc_only=powerpc_only)
        for name in (*routine.imports, *dict(routine.variants))
    }
    in_c = {r.name: r.heading for r, _ in declared if r.architecture == "powerpc"}
    as_in_c = [
        routine
        for routine, _ in declared
        if in_c.get(routine.name, routine.heading) == routine.heading
    ]
    if architecture == "powerpc":
        # Headers declare for both what only a 68K Macintosh has; here a call tells its name.
        others = {
            name: GlueEntry(name, routine, None)
            for routine in as_in_c
            if routine.architecture == "m68k"
            for name in (*routine.imports, *dict(routine.variants))
        }
        by_name = others | by_name
        return tuple(by_name[name] for name in sorted(by_name))
    by_trap = {
        name: GlueEntry(name, routine, trap)
        for routine in as_in_c
        if routine.architecture in ("", "m68k") and _REGISTERS.issuperset(routine.registers or ())
        for name, trap in (*((n, routine.trap) for n in routine.imports), *routine.variants)
        if trap is not None
    }
    both = by_name | by_trap
    return tuple(both[name] for name in sorted(both))


def absent_entries() -> tuple[GlueEntry, ...]:
    """The routines that the Toolbox lacks: their glue calls them by name, which ends the run."""
    return tuple(GlueEntry(name, procedure(name), None) for name in sorted(absent_routines()))


@functools.cache
def all_entries(architecture: str) -> tuple[GlueEntry, ...]:
    """What a program can call by its name: `entries`, then those of `absent_entries` left."""
    present = entries(architecture)
    names = {entry.name for entry in present}
    return (*present, *(entry for entry in absent_entries() if entry.name not in names))


def system_call_glue(architecture: str, table: Iterable[GlueEntry], slot: int = _SLOT) -> str:
    """Assembler text of the glue for a program that no loader loads, such as that of a case.

    Its PowerPC functions execute ``sc`` themselves, at the symbol `CALL_PREFIX` with the name.

    Args:
        architecture: "m68k" or "powerpc".
        table: the routines.
        slot: the bytes that the 68K compiler pushes for a char or a short; of 2, a char is in the
            upper one.
    """
    if architecture == "m68k":
        return m68k_glue(table, slot)
    return "".join(
        _piece(glue_entry.name, _powerpc_lines(glue_entry, _system_call(glue_entry)))
        for glue_entry in table
    )


def poweropen_glue(table: Iterable[GlueEntry]) -> str:
    """Assembler text of `system_call_glue` for XCOFF: its code calls as the Toolbox is called."""
    return "".join(["\t.toc\n", *map(_xcoff_piece, table)])


def _xcoff_piece(entry: GlueEntry) -> str:
    name, symbol = entry.name, CALL_PREFIX + entry.name
    lines = ["sc", *(_powerpc_result(entry.routine.result) if entry.routine.result else ()), "blr"]
    return (
        f"\t.csect .{name}[PR],2\n\t.globl .{name}\n\t.globl .{symbol}\n.{name}:\n.{symbol}:\n"
        + "".join(f"\t{line}\n" for line in lines)
        + f"\t.csect {name}[DS],2\n\t.globl {name}\n{name}:\n\t.long .{name}, TOC[tc0], 0\n"
    )


def _system_call(entry: GlueEntry) -> list[str]:
    symbol = CALL_PREFIX + entry.name
    return [f".globl {symbol}", f"{symbol}:", "sc"]


def glue(architecture: str, table: Iterable[GlueEntry] | None = None) -> str:
    """Assembler text of the glue for an architecture; of all routines if none are given."""
    if table is None:
        return _whole_glue(architecture)
    return m68k_glue(table) if architecture == "m68k" else powerpc_glue(table)


@functools.cache
def _whole_glue(architecture: str) -> str:
    return glue(architecture, all_entries(architecture))


@dataclass(frozen=True, slots=True)
class _Slots:
    """Where the compiler puts a char or a short that it pushes.

    Attributes:
        size: the bytes of the slot; a short is in the last two.
        char: the offset of a char in it.
    """

    size: int = 4
    char: int = 3


def m68k_glue(
    table: Iterable[GlueEntry], slot: int = _SLOT, *, chars_in_upper_bytes: bool = True
) -> str:
    """Assembler text of the glue for 68K programs.

    Args:
        table: the routines.
        slot: as for `system_call_glue`.
        chars_in_upper_bytes: whether a char is in the upper byte of a slot of 2, as Retro68 has it,
            or in the lower one, as GCC for Linux has it with ``-mshort``.
    """
    slots = _Slots(slot, 0 if slot == 2 and chars_in_upper_bytes else slot - 1)
    return "".join(_piece(entry.name, _m68k_lines(entry, slots)) for entry in table)


def powerpc_glue(table: Iterable[GlueEntry]) -> str:
    """Assembler text of the glue for PowerPC programs, with the words that the loader fills in."""
    pieces = []
    for entry in table:
        pieces.append(_piece(entry.name, _powerpc_lines(entry, _import_call(entry))))
        slot = IMPORT_PREFIX + entry.name
        pieces.append(
            f'\t.section .data.{slot}, "aw"\n\t.globl {slot}\n\t.balign 4\n{slot}:\n\t.long 0\n'
        )
    return "".join(pieces)


def _piece(name: str, lines: Iterable[str]) -> str:
    body = "".join(f"\t{line}\n" if not line.endswith(":") else f"{line}\n" for line in lines)
    return (
        f'\t.section .text.{name}, "ax"\n\t.weak {name}\n\t.type {name}, @function\n\t.balign 4\n'
        f"{name}:\n{body}\t.size {name}, . - {name}\n"
    )


# -- 68K -------------------------------------------------------------------------------------------


def _m68k_lines(entry: GlueEntry, slots: _Slots) -> Iterator[str]:
    # The Toolbox may change D0 to D2, A0 and A1, but Linux's convention preserves D2.
    yield "move.l %d2, -(%sp)"
    if entry.trap is None:
        yield from _stack_call(entry.routine, ["pea 9f(%pc)"], CALL_BY_NAME, slots)
    elif entry.routine.registers is None:
        yield from _stack_call(entry.routine, _selector(entry.routine), entry.trap, slots)
    else:
        yield from _register_call(entry.routine, entry.trap, slots)
    yield "move.l (%sp)+, %d2"
    yield "rts"
    if entry.trap is None:
        yield "9:"
        yield f'.asciz "{entry.name}"'
        yield ".balign 2"


def _arguments(routine: Routine, slots: _Slots) -> Iterator[tuple[str, int]]:
    """The size of each argument, as an instruction has it, and its offset behind the first slot."""
    at = 0
    for parameter in routine.parameters:
        if parameter.type.stack_size == 4:
            yield "l", at
            at += 4
            continue
        is_byte = parameter.type.shape in _BYTES
        yield "b" if is_byte else "w", at + (slots.char if is_byte else slots.size - 2)
        at += slots.size


def _stack_call(
    routine: Routine, selector: Iterable[str], trap: int, slots: _Slots
) -> Iterator[str]:
    pushed = 4  # D2
    if routine.result is not None:
        pushed += routine.result.stack_size
        yield f"subq.l #{routine.result.stack_size}, %sp"
    for parameter, (size, at) in zip(routine.parameters, _arguments(routine, slots), strict=True):
        yield f"move.{size} {4 + at + pushed}(%sp), -(%sp)"
        pushed += parameter.type.stack_size
    yield from selector
    yield f".short 0x{trap:04X}"
    if routine.result is not None:
        yield from _stack_result(routine.result)


def _selector(routine: Routine) -> Iterator[str]:
    if routine.selector is not None and not routine.selector.stack_size:
        yield f"move.l #{routine.selector.value}, %d0"
    elif routine.selector is not None:
        size = "w" if routine.selector.stack_size == 2 else "l"
        yield f"move.{size} #{routine.selector.value}, -(%sp)"


def _stack_result(result: ToolboxType) -> Iterator[str]:
    if result.stack_size == 4:
        yield "move.l (%sp)+, %d0"
        yield "movea.l %d0, %a0"  # C expects a pointer result in A0
    elif result.shape in _BYTES:
        yield "moveq #0, %d0"
        yield "move.b (%sp)+, %d0"
    else:
        yield "move.w (%sp)+, %d0"
        yield "ext.l %d0"


def _register_call(routine: Routine, trap: int, slots: _Slots) -> Iterator[str]:
    assert routine.registers is not None
    for register, (size, at) in zip(routine.registers, _arguments(routine, slots), strict=True):
        # A slot of 4 bytes has the whole of what the compiler has made a long.
        whole = "l" if slots.size == _SLOT else size
        yield f"move.{whole} {8 + (at & -4 if slots.size == _SLOT else at)}(%sp), %{register}"
    yield from _selector(routine)
    yield f".short 0x{trap:04X}"
    if routine.result is None:
        return
    if routine.result_register != "d0":
        yield f"move.l %{routine.result_register}, %d0"
    if routine.result_bias:
        yield f"addq.l #{-routine.result_bias}, %d0"
    if routine.result.shape is ParameterKind.SIGNED_16:
        yield "ext.l %d0"
    elif routine.result.stack_size == 4:
        yield "movea.l %d0, %a0"
    elif routine.result.shape is not ParameterKind.UNSIGNED_16:
        yield "and.l #0xFF, %d0"


# -- PowerPC ---------------------------------------------------------------------------------------


def _powerpc_lines(entry: GlueEntry, call: Iterable[str]) -> Iterator[str]:
    routine = entry.routine
    kinds = [parameter.type for parameter in routine.parameters]
    if routine.result is not None and routine.result.is_record:
        kinds.insert(0, GUEST_TYPES["Ptr"])  # both conventions: where the record is wanted
    words = max(len(kinds), _REGISTER_ARGUMENTS)
    frame = -(-(_LINKAGE_AREA + 4 * words) // 16) * 16
    yield "mflr 0"
    yield "stw 0, 4(1)"
    yield f"stwu 1, -{frame}(1)"
    yield "stw 2, 20(1)"
    for index, kind in enumerate(kinds):
        yield from _powerpc_argument(kind, index, frame)
    yield from call
    yield "lwz 2, 20(1)"
    yield f"addi 1, 1, {frame}"
    yield "lwz 0, 4(1)"
    yield "mtlr 0"
    if routine.result is not None:
        yield from _powerpc_result(routine.result)
    yield "blr"


def _powerpc_argument(kind: ToolboxType, index: int, frame: int) -> Iterator[str]:
    """Put an argument where Apple's convention has it.

    Args:
        kind: its type.
        index: its number.
        frame: the size of the stack frame, in bytes.
    """
    register = 3 + index if index < _REGISTER_ARGUMENTS else 11
    if index >= _REGISTER_ARGUMENTS:
        yield f"lwz 11, {frame + _CALLER_LINKAGE + 4 * (index - _REGISTER_ARGUMENTS)}(1)"
    if kind.is_record:
        yield f"lwz {register}, 0({register})"
    if index >= _REGISTER_ARGUMENTS:
        yield f"stw 11, {_LINKAGE_AREA + 4 * index}(1)"


def _import_call(entry: GlueEntry) -> Iterator[str]:
    slot = IMPORT_PREFIX + entry.name
    yield "bcl 20, 31, 1f"
    yield "1:"
    yield "mflr 12"
    yield f"addis 12, 12, ({slot} - 1b)@ha"
    yield f"lwz 12, ({slot} - 1b)@l(12)"
    yield "lwz 0, 0(12)"
    yield "lwz 2, 4(12)"
    yield "mtctr 0"
    yield "bctrl"


def _powerpc_result(result: ToolboxType) -> Iterator[str]:
    if result.shape is ParameterKind.SIGNED_16:
        yield "extsh 3, 3"
    elif result.shape is ParameterKind.UNSIGNED_16:
        yield "clrlwi 3, 3, 16"
    elif result.stack_size == 2:
        yield "clrlwi 3, 3, 24"
