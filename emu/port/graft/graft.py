"""Makes one image of new functions that lives in the memory of the old program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from emu.base.errors import ProgramError, UsageError
from emu.base.yaml_document import did_you_mean
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.abi.call_form import Piece
from emu.machine.cpu import CPUS, Cpu
from emu.port.graft.assembly import CALL, NEW, symbol_of
from emu.port.graft.borders import GraftTerms, form_of, signature_of
from emu.port.graft.link import LinkedGraft, link
from emu.port.graft.old_tables import OldTables
from emu.port.graft.places import GraftPlaces, places_of
from emu.port.graft.units import PortObjects, compile_units
from emu.port.model import Claims
from emu.port.project.project import Project
from emu.program import GuestType, Program


@dataclass(frozen=True, slots=True)
class GraftedFunction:
    """A new function in the memory of the old program.

    Attributes:
        name: its name in the source.
        address: where it is entered as the old program calls.
        size: the bytes of its code, without what is at the border between old and new.
        old: the address of the old function.
        arguments: bytes of its arguments on the stack as the old program calls.
        result: the type of its result; None if it has none.
        result_registers: where the old program expects its result, the higher half of 64 bits
            first; none if it has none
            or it is in memory.
        result_at: of a result that Pascal's caller looks for on the stack, how far behind the first
            argument it is; -1 of others.
        scratch: the registers that the old convention lets it change.
        result_address: where the old program passes the address of room for its result; None if it
            is in registers.
    """

    name: str
    address: int
    size: int
    old: int
    arguments: int
    result: GuestType | None
    result_registers: tuple[str, ...]
    scratch: frozenset[str]
    result_address: Piece | None = None
    result_at: int = -1


@dataclass(frozen=True, slots=True)
class Graft:
    """New functions, linked for a place in the memory of the old program.

    Attributes:
        address: where the image lies.
        image: its bytes.
        functions: the new functions, by name.
        program: types, lines and addresses of all that was linked; its variables are the old
            program's own.
        remarks: what a user has to know of it, a sentence each.
    """

    address: int
    image: bytes = field(repr=False)
    functions: Mapping[str, GraftedFunction]
    program: Program = field(repr=False)
    remarks: tuple[str, ...] = ()


def build_graft(
    project: Project,
    claims: Claims,
    objects: PortObjects | None,
    address_of: Callable[[str], int | None],
    at: int,
    names: Collection[str],
    build: str = "O2",
    *,
    together: bool = False,
    pointer_to: Callable[[str], int | None] = lambda place: None,
) -> Graft:
    """Make new functions that can be called in the old program.

    Its globals are the old program's. What a new function calls is the old program's, too, unless
    ``together`` is true: then it is new for all of ``names``.

    Args:
        project: the port.
        claims: what its marks say.
        objects: its compiled units; None to compile them here.
        address_of: gives the address of a place in the old program; None while it is not there.
        at: where the image is to lie.
        names: the functions that are to be new, by their names in the source.
        build: the name of the build.
        together: whether new functions call each other.
        pointer_to: gives what a pointer to a function of a 68K program holds, by its place, if that
            is not the address of its code.

    Raises:
        ToolMissingError, CompileError: as of `compile_units`.
        UsageError: the port has no such function.
        ProgramError: a global or a function has no place; the message says where it is used.
    """
    if objects is None:
        objects = compile_units(project, build)
    places = places_of(claims, objects, project)
    chosen = _choice(project, places, objects, names)
    addresses = _addresses(places, address_of)
    for reference, name in chosen.items():
        if reference not in addresses:
            place = places.functions[reference].place
            raise ProgramError(project.path, f"{name} is not in memory: its place is {place}")
    terms = GraftTerms(objects, addresses, {}, None, tuple(chosen), together)
    if objects.target.architecture == "powerpc":
        terms = _with_tables(terms, OldTables.of(project, address_of), places)
    else:
        held = {name: pointer_to(one.place) for name, one in places.functions.items()}
        own = {name: value for name, value in held.items() if value is not None}
        terms = replace(terms, pointers=own)
    linked = link(terms, at, project.path)
    grafted = {
        name: _function(name, reference, terms, linked) for reference, name in chosen.items()
    }
    remarks = (*linked.remarks, *_new_pointers(objects, addresses, linked))
    return Graft(at, linked.content, grafted, linked.program, remarks)


def _with_tables(terms: GraftTerms, old: OldTables, places: GraftPlaces) -> GraftTerms:
    """The terms of a PowerPC graft: with pointers to old functions, R2 and glue to the Toolbox."""
    glue = old.glue(_called_outside(terms.objects, terms.addresses))
    return replace(
        terms,
        addresses={**glue, **terms.addresses},
        pointers=old.pointers(places.functions),
        table=old.table,
    )


def _new_pointers(
    objects: PortObjects, addresses: Mapping[str, int], linked: LinkedGraft
) -> Iterator[str]:
    """What to know of functions that only the port has, and to which it makes pointers."""
    for unit in objects.units:
        for reference in sorted(unit.pointed - addresses.keys()):
            if NEW + reference in linked.symbols:
                yield (
                    f"{symbol_of(reference)} of {unit.path.name} has no place in the old program: "
                    "a pointer to it is none that the old program knows"
                )


def _called_outside(objects: PortObjects, addresses: Mapping[str, int]) -> frozenset[str]:
    """The functions that units call, and which neither they nor marks have."""
    called = {
        name.removeprefix(CALL)
        for unit in objects.units
        for name in unit.undefined
        if name.startswith(CALL)
    }
    defined = {symbol.reference for unit in objects.units for symbol in unit.symbols}
    return frozenset(called - defined - addresses.keys())


def _choice(
    project: Project, places: GraftPlaces, objects: PortObjects, names: Collection[str]
) -> dict[str, str]:
    """The references of the functions that are to be new, and their names.

    Raises:
        UsageError: there is no such function, or it is only declared.
    """
    defined = {
        symbol.reference for unit in objects.units for symbol in unit.symbols
    } & places.functions.keys()
    by_name = {places.functions[reference].name: reference for reference in defined}
    for name in names:
        if name not in by_name:
            hint = did_you_mean(name, by_name)
            raise UsageError(f"{project.path}: no source defines a function {name}{hint}")
    return {by_name[name]: name for name in names}


def _addresses(places: GraftPlaces, address_of: Callable[[str], int | None]) -> dict[str, int]:
    """The addresses of all names in the old program, but of those that are not in memory now."""
    found = {name: claim.place for name, claim in places.functions.items()}
    addresses = ((name, address_of(place)) for name, place in {**places.globals, **found}.items())
    return {name: address for name, address in addresses if address is not None}


def _function(name: str, reference: str, terms: GraftTerms, linked: LinkedGraft) -> GraftedFunction:
    cpu = CPUS[terms.objects.target.cpu]
    signature = signature_of(linked.program, reference)
    form = None if signature is None else form_of(terms.objects, cpu, reference, signature)
    arguments, registers, room, result_at = 0, tuple[str, ...](), None, -1
    if form is not None and form.outer is not None:
        arguments = form.outer.stack_bytes
        pieces = () if form.outer.result is None else form.outer.result.pieces
        if form.outer.result is not None and form.outer.result.by_address:
            (room,) = pieces
        elif pieces:
            registers = tuple(piece.register for piece in pieces if piece.register)
            result_at = -1 if registers else pieces[0].at
    return GraftedFunction(
        name,
        linked.entry(reference),
        linked.symbols[NEW + reference][1],
        terms.addresses[reference],
        arguments,
        None if form is None else form.result,
        registers,
        _scratch(terms.objects.dialect.convention, cpu),
        room,
        result_at,
    )


def _scratch(convention: str, cpu: Cpu) -> frozenset[str]:
    """The registers that a function may change."""
    outer = CALLING_CONVENTIONS[convention]
    kept = {*outer.preserved(cpu), cpu.stack_pointer, *(register.name for register in cpu.state)}
    return frozenset(outer.registers(cpu).names or ()) - kept
