"""Decides what lies between new functions and old ones, and which address every name gets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from emu.base.errors import UsageError
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_form import SANE_EXTENDED, CallForm, ValueForm
from emu.machine.cpu import CPUS, Cpu
from emu.port.graft import powerpc
from emu.port.graft.assembly import CALL, NEW, symbol_of
from emu.port.graft.m68k_border import CallBorder
from emu.port.graft.toolbox_glue import is_routine
from emu.port.graft.units import PortObjects, source_name_of
from emu.program import GuestType, Program
from emu.program.instructions.trap_table import signatures
from emu.program.model.signatures import Signature, parameter_type
from emu.program.model.types import UNKNOWN

ENTRY = "entry."
"""What the symbol begins with of the code by which old code calls a new function."""
_PASCAL = "pascal"


@dataclass(frozen=True, slots=True)
class GraftTerms:
    """What a graft is made of.

    Attributes:
        objects: the compiled units.
        addresses: the addresses of all names that have a place in the old program, by reference;
            of a function, that of its code.
        pointers: what a pointer to such a function holds, if that is not the address of its code:
            the address of its transition vector, or on a 68K of its entry in the jump table. None
            if the old program has no vector of it.
        table: the value of R2 in the old program; None on a 68K.
        chosen: the references of the functions that are to be new.
        together: whether new functions call each other.
    """

    objects: PortObjects
    addresses: Mapping[str, int]
    pointers: Mapping[str, int | None]
    table: int | None
    chosen: tuple[str, ...]
    together: bool

    def symbols(self) -> dict[str, str]:
        """The values of the symbols of all that lies in the old program."""
        values: dict[str, int | None] = {**self.addresses, **self.pointers}
        if self.table is not None:
            values[powerpc.TOC] = self.table
        return {name: f"{value:#x}" for name, value in values.items() if value is not None}

    def entry(self, reference: str) -> int:
        """Where an old function is called.

        On a 68K that is its entry in the jump table, if it has one: its segment may not be loaded.
        """
        entry = None if self.table is not None else self.pointers.get(reference)
        return self.addresses[reference] if entry is None else entry

    @property
    def undefined(self) -> list[str]:
        """All names that a unit needs from elsewhere."""
        return sorted(frozenset[str]().union(*(unit.undefined for unit in self.objects.units)))

    @property
    def called(self) -> list[str]:
        """The references of all functions that units call."""
        return [n.removeprefix(CALL) for n in self.undefined if n.startswith(CALL)]


@dataclass(frozen=True, slots=True)
class BorderPlan:
    """What the linker is given besides the units.

    Attributes:
        symbols: values of symbols: an address or another symbol.
        kept: the symbols that are kept, with all that they need.
        text: assembler text of the code between new and old functions.
        remarks: what is not known of a function, a sentence each.
    """

    symbols: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    text: str = ""
    remarks: tuple[str, ...] = ()

    def entry(self, reference: str) -> str:
        """The symbol where old code enters a new function."""
        return ENTRY + reference if ENTRY + reference in self.kept else NEW + reference


def plan(terms: GraftTerms, runtime: frozenset[str], program: Program | None) -> BorderPlan:
    """Decide what lies between new functions and old ones.

    Args:
        terms: what is linked.
        runtime: the names that are linked besides the units, of the runtime and of the Toolbox.
        program: types of what was linked without anything between, to find what differs; or None.
    """
    forms = None if program is None else _Forms(terms.objects, program)
    made = BorderPlan(terms.symbols())
    pieces: list[str] = []
    defined = {symbol.reference for unit in terms.objects.units for symbol in unit.symbols}
    for reference in terms.called:
        symbol = CALL + reference
        if terms.together and reference in terms.chosen:
            made.symbols[symbol] = NEW + reference
        elif reference in terms.addresses:
            address = f"{terms.entry(reference):#x}"
            border = forms and forms.border(reference, symbol, address)
            if border:
                pieces.append(border.text())
            else:
                made.symbols[symbol] = address
        elif reference in defined or reference in runtime:
            target = NEW + reference if reference in defined else reference
            pieces.append(_jump(symbol, target, terms.objects.target.architecture))
    for reference in terms.chosen:
        border = forms and forms.border(reference, ENTRY + reference, NEW + reference, into=True)
        text = border.text() if border else forms.extension(reference) if forms else ""
        if text:
            pieces.append(text)
            made.kept.append(ENTRY + reference)
        made.kept.append(NEW + reference)
    if terms.table is not None:
        pieces += _tables(terms, defined)
    remarks = tuple(forms.remarks) if forms else ()
    return BorderPlan(made.symbols, made.kept, "".join(pieces), remarks)


def _tables(terms: GraftTerms, defined: Collection[str]) -> Iterator[str]:
    """What only PowerPC code needs: vectors that the old program lacks, and small functions."""
    for name in terms.undefined:
        if name in terms.pointers and terms.pointers[name] is None and name not in defined:
            yield powerpc.vector(name, f"{terms.addresses[name]:#x}")
        elif text := powerpc.saving(name):
            yield text


def _jump(symbol: str, target: str, architecture: str) -> str:
    head = f'\t.section .text.{symbol}, "ax"\n\t.globl {symbol}\n\t.balign 4\n'
    return f"{head}{symbol}:\n\t{'jmp' if architecture == 'm68k' else 'b'} {target}\n"


@dataclass(frozen=True, slots=True)
class OldForm:
    """How the old program calls a function.

    Attributes:
        parameters: the types that are passed.
        result: the type of the result; None if there is none.
        outer: where the old convention has them; None if that is not known.
        inner: where GCC has them; None if that is not known.
        reason: why something is not known; else "".
    """

    parameters: tuple[GuestType, ...]
    result: GuestType | None
    outer: CallForm | None
    inner: CallForm | None
    reason: str = ""


class _Forms:
    """How the functions of a port are called, on both sides."""

    def __init__(self, objects: PortObjects, program: Program) -> None:
        self._objects = objects
        self._program = program
        self._cpu: Cpu = CPUS[objects.target.cpu]
        self.remarks: dict[str, None] = {}

    def border(
        self, reference: str, symbol: str, function: str, *, into: bool = False
    ) -> CallBorder | None:
        """The code for calls of a function; None if none is needed.

        Args:
            reference: the function's reference.
            symbol: the symbol of the code.
            function: the address or symbol of the function.
            into: whether old code calls a new function, and not new code an old one.
        """
        name = symbol_of(reference)
        signature = signature_of(self._program, reference)
        if signature is None:
            return None
        form = form_of(self._objects, self._cpu, reference, signature)
        if form.outer == form.inner and form.outer is not None:
            return None
        if form.outer is None or form.inner is None:
            self.remarks[f"{name} is called as GCC calls it: {form.reason}"] = None
            return None
        caller, callee = (form.outer, form.inner) if into else (form.inner, form.outer)
        border = CallBorder(symbol, function, caller, callee, form.parameters, form.result)
        if not border.is_needed:
            return None
        if signature.is_variadic:
            self.remarks[f"{name} is called as GCC calls it: it takes any number of arguments"] = (
                None
            )
            return None
        return border

    def extension(self, reference: str) -> str:
        """The code that extends narrow arguments of a new PowerPC function; "" if there are none.

        See `powerpc.extension`.
        """
        signature = signature_of(self._program, reference)
        if signature is None or self._objects.target.architecture != "powerpc":
            return ""
        form = form_of(self._objects, self._cpu, reference, signature)
        if form.outer is None or signature.is_variadic:
            return ""
        return powerpc.extension(ENTRY + reference, NEW + reference, form.outer, form.parameters)


def signature_of(program: Program, reference: str) -> Signature | None:
    """How a function is declared; the definition with that code if there are several."""
    name = source_name_of(symbol_of(reference))
    known = [*program.signatures.get(name, ()), *program.signatures.get(symbol_of(reference), ())]
    if name in program.declared:
        known.append(program.declared[name])
    at = next((s.address for s in program.symbols if s.name == NEW + reference), None)
    return next((one for one in known if one.address == at), known[0] if known else None)


def form_of(objects: PortObjects, cpu: Cpu, reference: str, signature: Signature) -> OldForm:
    """How a function is called by the old program and by GCC's code."""
    kinds = tuple(parameter_type(p.type, p.pointed) for p in signature.parameters)
    result = signature.result_type
    name = symbol_of(reference)
    unknown = next((kind for kind in (*kinds, result) if kind is UNKNOWN), None)
    if unknown is not None:
        return OldForm(kinds, result, None, None, "one of its types is not known")
    is_pascal = name in objects.pascal or _is_toolbox(objects, name)
    convention = _PASCAL if is_pascal else objects.dialect.convention
    try:
        outer = _form(CALLING_CONVENTIONS[convention], cpu, kinds, signature)
        inner = _form(CALLING_CONVENTIONS[objects.dialect.inner], cpu, kinds, signature)
    except UsageError as error:
        return OldForm(kinds, result, None, None, str(error))
    if not cpu.has_fpu and SANE_EXTENDED in (value.cast for value in _values(outer)):
        reason = (
            f"{convention} passes floats as 80 bits, which new code has on processors with an FPU"
        )
        return OldForm(kinds, result, None, None, f"{reason}: write cpu: 68040 in port.yaml")
    return OldForm(kinds, result, outer, inner)


def _values(form: CallForm) -> tuple[ValueForm, ...]:
    return (*form.parameters, *([form.result] if form.result else []))


def _is_toolbox(objects: PortObjects, name: str) -> bool:
    """Whether a function is old glue to a Toolbox routine, which headers declare as Pascal's."""
    if objects.target.architecture != "m68k":
        return False
    if name not in signatures() and not is_routine(name):
        return False
    return all(symbol.reference != name for unit in objects.units for symbol in unit.symbols)


def _form(
    convention: CallingConvention, cpu: Cpu, kinds: tuple[GuestType, ...], signature: Signature
) -> CallForm:
    if not signature.is_prototyped and convention.name != _PASCAL:
        return convention.variadic_form(cpu, (), kinds, signature.result_type)
    return convention.form(cpu, kinds, signature.result_type)
