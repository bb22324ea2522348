"""Finds the places in a program that a case names, and checks that they are of the right kinds.

A place of numbers is a `Slot`: a variable, or a member of it, as NumPy sees it in images.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from emu.base.errors import CaseError, ProgramError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import LINKED_LIST, Case
from emu.cases.keys.arguments import RESULT, Phrase
from emu.cases.keys.parts import InitialValue, ObservedVariable
from emu.machine.abi.function_pointers import FunctionPointers
from emu.program import Field, GuestType, Variable
from emu.program.model.static_guards import guard_of
from emu.toolbox.single_calls.toolbox_machine import Machine
from emu.verify.places.blame import Blame
from emu.verify.places.linked_structures.pools import Pools
from emu.verify.places.linked_structures.structures import Structure
from emu.verify.places.slots.argument_layout import RECORD, ArgumentLayout, StructureArea
from emu.verify.places.slots.fields import Slot

_COMPARABLE = {"integer", "boolean", "enumeration", "float", "pointer"}


class CaseSlots:
    """The places that a case fills in, observes and ignores.

    Args:
        case: the case.
        machine: the program on its processor.
        layout: where the arguments of its routine lie.

    Attributes:
        inputs: the places that scenes fill in.
        observed: the places whose values references give.
        ignored: the variables that are not compared.
        results: the places among ``observed`` that hold results of routines, each with the index of
            its routine; empty unless a case calls several routines in a row.
        pools: the arrays that pointers among them point into.
        given: the trees and lists that scenes give.
        linked: the trees and lists that are observed.

    Raises:
        CaseError, ProgramError: a name of the case is not in the program, or of the wrong kind.
    """

    def __init__(self, case: Case, machine: Machine, layout: ArgumentLayout) -> None:
        self._case = case
        self._machine = machine
        self._layout = layout
        self._blame = Blame(case, layout)
        self.inputs = [
            self._slot(self._variable(variable), member, phrase, filled=True)
            for variable, members in case.inputs.items()
            for member, phrase in members.items()
        ]
        self.inputs += [
            self._slot(filling.variable, filling.member, filling.phrase, filled=True)
            for filling in layout.fillings
        ]
        self.inputs = [slot for slot in self.inputs if not slot.phrase.nodes]
        self.results = self._slots_of_results() if case.calls else {}
        self.observed = [
            *self.results,  # first, since they tell which call went wrong
            *(
                self._slot(*self._place(variable), variable.phrase, filled=False)
                for variable in case.observed
                if (variable.variable != RESULT or not case.calls) and not variable.phrase.nodes
            ),
        ]
        for transcript in layout.transcripts:
            if transcript.is_compared:
                self.observed += transcript.slots(machine.data.offset(transcript.variable.address))
        self.given = [
            self._structure(structure_area)
            for structure_area in layout.linked
            if structure_area.is_given
        ]
        self.linked = [
            self._structure(structure_area)
            for structure_area in layout.linked
            if not structure_area.is_given
        ]
        for slot in self.inputs:
            self._require_fillable(slot)
        arrays = {slot.variable.name: slot.variable for slot in [*self.inputs, *self.observed]}
        functions = FunctionPointers(machine.program, machine.convention)
        self.pools = Pools(case.path, (arrays | layout.variables).values(), functions=functions)
        for slot in self.every:
            with self.about(slot):
                self.pools.check(slot)
        self.ignored = [self._variable(name) for name in self._left_of(case.ignored_names)]
        self._begins = {
            variable.variable: variable.begins for variable in case.ignored if variable.is_own
        }
        self._ignore_guards()

    def ignored_as(self, begins: InitialValue) -> list[slice]:
        """The bytes of ignored variables with this initial value: a slice of an image for each."""
        variables = [
            variable for variable in self.ignored if self._begins.get(variable.name) is begins
        ]
        starts = [self._machine.data.offset(variable.address) for variable in variables]
        return [
            slice(at, at + variable.type.size)
            for at, variable in zip(starts, variables, strict=True)
        ]

    def _ignore_guards(self) -> None:
        """Ignore with each static whether it was constructed, and keep both from call to call.

        Where the static is filled with anything, it is constructed anew.
        """
        for static in [variable for variable in self.ignored if "::" in variable.name]:
            guard = guard_of(self._machine.program, static)
            if guard is not None:
                self.ignored.append(guard)
                if self._begins.get(static.name) is InitialValue.KEPT:
                    self._begins[guard.name] = InitialValue.KEPT

    @property
    def every(self) -> list[Slot]:
        """The places that the case observes, and then those that it fills in."""
        return [*self.observed, *self.inputs]

    def implied(self, place: str) -> Slot:
        """Find a place that the case does not name, such as "*out" or "gState.count".

        Raises:
            CaseError, ProgramError: the program has no such place, or none of numbers.
        """
        name, _, member = place.partition(".")
        return self._slot(self._variable(name), member, Phrase(place), filled=False)

    def about(self, slot: Slot) -> AbstractContextManager[None]:
        """Adds the line of the case file to errors about a slot."""
        filled = any(filled_slot is slot for filled_slot in self.inputs)
        return self._blame.about(slot.variable, slot.member, filled=filled)

    def _structure(self, structure_area: StructureArea) -> Structure:
        filling = structure_area.filling
        slot = self._slot(
            filling.variable, filling.member, filling.phrase, filled=structure_area.is_given
        )
        start = self._machine.data.offset(structure_area.area.address)
        return Structure(
            slot,
            structure_area.types,
            structure_area.target,
            structure_area.depth,
            structure_area.area,
            start,
        )

    def _slots_of_results(self) -> dict[Slot, int]:
        """A slot for the results of every routine that returns something, with its index."""
        records, routines = self._layout.variables[RECORD], self._layout.routines
        slots: dict[Slot, int] = {}
        for variable in self._case.observed:
            if variable.variable != RESULT:
                continue
            before = len(slots)
            for index, name in enumerate(routines.names):
                if routines.sites[index].result is not None:
                    path = f"{name}.{RESULT}.{variable.member}".rstrip(".")
                    slots[self._slot(records, path, variable.phrase, filled=False)] = index
            if len(slots) == before:
                raise self._case.error(RESULT, "none of the calls returns anything to be observed")
        return slots

    def _place(self, observed: ObservedVariable) -> tuple[Variable, str]:
        """The variable that is observed, and the path to the member.

        What a member of a global leads to is a variable: "**gRec.data".
        """
        place = f"{observed.variable}.{observed.member}".rstrip(".")
        for name in self._layout.variables:
            if name.startswith("*") and "." in name and f"{place}.".startswith(f"{name}."):
                return self._layout.variables[name], place[len(name) + 1 :]
        return self._variable(observed.variable), self._member(observed)

    def _variable(self, name: str) -> Variable:
        """A global or a static of the program, or a part of the arguments."""
        if name == RESULT and self._case.repeat:
            return self._layout.variables[RECORD]
        if name in self._layout.variables:
            return self._layout.variables[name]
        if name.startswith("*"):
            names = [variable for variable in self._layout.variables if variable.startswith("*")]
            hint = did_you_mean(name, names)
            argument = name.lstrip("*")
            remedy = f"If {argument} is a pointer, say how much room is behind it: {{count: 40}}."
            if argument not in self._case.arguments:
                remedy = ""
            raise self._case.error(name, f"no argument points to {name}{hint}", remedy=remedy)
        if name in self._case.arguments and name not in self._machine.program.variables:
            raise self._case.error(
                f"observe.{name}:",
                f"{name} is an argument, which has no value after the call",
                remedy=f'What it points to is "*{name}".',
            )
        return self._machine.program.variable(name)

    def _left_of(self, names: Sequence[str]) -> list[str]:
        """The variables of the program among some that are to be ignored.

        An optimising compiler drops a static that is only written, so it need not be ignored.
        """
        program = self._machine.program
        statics = [name for name in (*program.variables, *program.dropped) if "::" in name]
        for name in names:
            if "::" in name and name not in statics:
                hint = did_you_mean(name, statics)
                raise self._case.error(name, f"there is no static variable {name}{hint}")
        return [name for name in names if name not in program.dropped]

    def _member(self, observed: ObservedVariable) -> str:
        """The path to what is observed: results of several calls are members of their records."""
        if observed.variable != RESULT or not self._case.repeat:
            return observed.member
        return f"{RESULT}.{observed.member}".rstrip(".")

    def _slot(self, variable: Variable, member: str, phrase: Phrase, *, filled: bool) -> Slot:
        """The place of a variable, or of a member of it."""
        with self._blame.about(variable, member, filled=filled):
            return self._find_slot(variable, member, phrase)

    def _find_slot(self, variable: Variable, member: str, phrase: Phrase) -> Slot:
        start = self._machine.data.offset(variable.address)
        kind = variable.type.scalar
        path: list[Field] = []
        for name in member.split(".") if member else []:
            field = kind.field(name)
            if field is None:
                names = [member_field.name for member_field in kind.fields]
                if variable.name in self._layout.variables:
                    raise self._no_member(variable, path, kind, name)
                raise ProgramError(
                    self._machine.program.path,
                    f"{variable.name} is not an array of structs with a {member}, nor such a "
                    f"struct{did_you_mean(name, names)}",
                )
            path.append(field)
            kind = field.type.scalar
        where = ".".join([variable.name, *(member_field.name for member_field in path)])
        if kind.kind == "struct":
            raise CaseError(self._case.path, f"say which member of {where} is meant")
        if kind.kind not in _COMPARABLE:
            raise CaseError(
                self._case.path,
                f"{where} is a {kind.name}; only numbers and pointers can be set or compared",
            )
        if variable.type.size > self._machine.data.room(variable.address):
            raise ProgramError(
                self._machine.program.path,
                f"{variable.name} reaches beyond the program's data memory",
            )
        if phrase.is_function and kind.kind != "pointer":
            raise CaseError(
                self._case.path, f"{where} is a {kind.name}; a function needs a pointer to it"
            )
        if phrase.text and not phrase.is_function and (kind.size != 1 or kind.bits is not None):
            raise CaseError(
                self._case.path, f"{where} is a {kind.name}; a text needs an array of bytes"
            )
        if phrase.alone and phrase.text not in ("pascal", "c"):
            raise CaseError(
                self._case.path, f"{where} is no pascal or c text, so it cannot be compared alone"
            )
        if phrase.tolerance and kind.kind != "float":
            raise CaseError(
                self._case.path, f"{where} is a {kind.name}; only floats can have within"
            )
        if phrase.into and kind.kind != "pointer":
            raise CaseError(self._case.path, f"{where} is a {kind.name}, not a pointer")
        return Slot(variable, tuple(path), kind, start, phrase)

    def _no_member(
        self, variable: Variable, path: Sequence[Field], kind: GuestType, name: str
    ) -> CaseError:
        """An error about a part of the arguments that has no such member."""
        where = ".".join([variable.name, *(field.name for field in path)])
        hint = did_you_mean(name, [field.name for field in kind.fields])
        what = f"has no member {name}{hint}" if kind.fields else "is no struct"
        remedy = "As room for what a pointer leads to, count is a whole number." * (
            name == "count" and kind.kind == "pointer"
        )
        return CaseError(self._case.path, f"{where} ({kind.name}) {what}", remedy=remedy)

    def _require_fillable(self, slot: Slot) -> None:
        if slot.phrase.attribute == LINKED_LIST and (slot.type.kind != "pointer" or not slot.shape):
            raise CaseError(
                self._case.path,
                f"{slot.name} is a {slot.type.name}, not a pointer in an array, so it cannot "
                "be filled with a linked list",
            )
        if slot.phrase.alone:
            with self.about(slot):
                problem = f"{slot.name} is an input, which is not compared, so not alone either"
                raise CaseError(self._case.path, problem)
        if slot.phrase.tolerance:
            with self.about(slot):
                problem = (
                    f"{slot.name} is an input, which is not compared, so it cannot have within"
                )
                raise CaseError(self._case.path, problem)
