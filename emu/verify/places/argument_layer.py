"""Gives the arguments of a case's routines, and what they point to, addresses in the guest heap.

A case and a machine go in; an `ArgumentLayout` comes out. No values are written yet.
"""

from __future__ import annotations

from dataclasses import replace

from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.keys.arguments import RESULT, Call, Members, Phrase
from emu.cases.keys.toolbox_state import TOOLBOX
from emu.machine import BareMachine
from emu.machine.calls.system import GivenBlock
from emu.program import Field, GuestType, Variable
from emu.program.model.signatures import Parameter
from emu.program.model.types import array_of, struct_of
from emu.verify.calls.call_sequence import Routines
from emu.verify.calls.called_routine import CalledRoutine, CalledRoutines, observes_result
from emu.verify.places.heap_areas import BYTE, WORD, ArgumentPlace, ArgumentSource, HeapAreas
from emu.verify.places.linked_structures.linked_layer import LinkedLayer
from emu.verify.places.pointed_memory import PointedMemory, require_members
from emu.verify.places.slots.argument_layout import (
    CALLS,
    RECORD,
    SCRIPT,
    SIZE_OF,
    ArgumentLayout,
    Filling,
)
from emu.verify.places.slots.state import offsets, state_type
from emu.verify.places.toolbox_answers import ANSWERS


def lay_arguments(case: Case, machine: BareMachine) -> ArgumentLayout:
    """Give the arguments of a case's routines, and what they point to, addresses in the heap.

    Args:
        case: the case.
        machine: the program on its processor, with a heap. The heap may be too small for the
            layout; `ArgumentLayout.size` says how much is needed.

    Raises:
        CaseError: the arguments are not those that the routine declares.
        UsageError: the calling convention cannot pass one of them.
    """
    if not has_arguments(case):
        signature = machine.program.signature(case.call)
        needs = signature.needs(case.call) if signature is not None else ""
        if needs:
            raise case.error(case.call, f"{needs}, and the case gives no arguments")
        site = machine.typed_site(machine.program.function(case.call), (), (), None)
        routines = Routines((site,), (case.call,))
        if needs_heap(case):
            return _Layer(case, machine).lay_state(routines)
        return ArgumentLayout(routines, {}, [], {})
    layer = _Layer(case, machine)
    return layer.lay_several() if case.calls else layer.lay()


def has_arguments(case: Case) -> bool:
    """Whether a case gives its routine anything, or observes its result."""
    given = case.all_arguments or case.calls or case.repeat or case.toolbox or case.structures
    return bool(given or case.environment) or observes_result(case)


def needs_heap(case: Case) -> bool:
    """Whether anything of a case lies in the heap: arguments, or the Toolbox's state."""
    return has_arguments(case) or bool(case.toolbox_state)


class _Layer:
    """Gives out places for the calls of a case, one after another."""

    def __init__(self, case: Case, machine: BareMachine) -> None:
        self._case = case
        self._machine = machine
        self._routines = CalledRoutines(case, machine)
        self._areas = HeapAreas(machine.memory.region("heap").address)
        self._memory = PointedMemory(case, machine, self._areas)

    def lay(self) -> ArgumentLayout:
        """Places for one routine, called once or many times."""
        case, variables = self._case, self._areas.variables
        call = Call(case.call, case.arguments, case.further)
        called = self._routines.of(call, "")
        record = called.site.record
        most = max(case.object_counts) if case.repeat else 0
        variable = self._areas.place(RECORD, array_of(record, (most,)) if most else record)
        site = replace(called.site, address=variable.address)
        counter = 0
        if case.repeat:
            counter = self._count(case.repeat)
        elif site.result is not None:
            address = variable.address + site.result.offset
            variables[RESULT] = Variable(RESULT, address, site.result.type)
        starts = tuple(variable.address + n * record.size for n in range(max(most, 1)))
        self._fill_call(called, call, ArgumentPlace(variable, "", starts), "")
        self._memory.prototypes |= dict.fromkeys(variables, called.prototype)
        routines = Routines(
            (site,), (call.routine,), record.size, counter=counter, most=max(most, 1)
        )
        return self._finish(routines, max(most, 1))

    def lay_state(self, routines: Routines) -> ArgumentLayout:
        """Places for the Toolbox's state alone."""
        state = self._place_state()
        areas = self._areas
        return ArgumentLayout(routines, areas.variables, [], areas.addresses, state=state)

    def lay_several(self) -> ArgumentLayout:
        """Places for several routines: each call has a struct with a record for each of them."""
        case = self._case
        called: dict[str, CalledRoutine] = {}
        for n, call in enumerate(case.calls):
            called[call.routine] = self._routines.of(call, f"calls[{n}].")
        offset, fields = 0, []
        for name, routine in called.items():
            fields.append(Field(name, routine.site.record, offset))
            offset += routine.site.record.size
        places = struct_of(RECORD, tuple(field for field in fields if field.type.size), offset)
        most = max(1, max(case.object_counts) if case.script else len(case.calls))
        records = self._areas.place(RECORD, array_of(places, (most,)))
        self._fill_calls(called, {field.name: field.offset for field in fields}, records, places)
        sites = tuple(
            replace(field.site, address=field.site.record.size and records.address + place.offset)
            for field, place in zip(called.values(), fields, strict=True)
        )
        counter = self._count(case.script) if case.script else 0
        script = 0
        if case.script:
            codes = self._areas.place(SCRIPT, array_of(BYTE, (most,)))
            self._memory.fillings.append(Filling(codes, "", Phrase(case.script)))
            script = codes.address
        order = tuple(list(called).index(call.routine) for call in case.calls)
        return self._finish(Routines(sites, tuple(called), offset, order, counter, script), most)

    def _fill_calls(
        self,
        called: dict[str, CalledRoutine],
        offsets: dict[str, int],
        records: Variable,
        places: GuestType,
    ) -> None:
        """Fill the arguments of several routines.

        Args:
            called: the routines, by name.
            offsets: where the record of each lies in the struct of a call.
            records: the structs of all calls.
            places: the type of one of them.
        """
        case, size = self._case, places.size
        starts = range(records.address, records.address + records.type.size, size or 1)
        lines = {call.routine: f"calls[{n}]." for n, call in enumerate(case.calls)}
        for n, call in enumerate(case.calls):
            name, inside = call.routine, offsets[call.routine]
            self._memory.prototypes[name] = called[name].prototype
            if case.script:  # any call may be one of this routine
                every = tuple(start + inside for start in starts)
                place, at = ArgumentPlace(records, name, every), lines[name]
            else:
                start = records.address + n * size
                record = Variable(f"{RECORD}[{n}]", start, places)
                place, at = ArgumentPlace(record, name, (start + inside,)), f"calls[{n}]."
            self._fill_call(called[name], call, place, at)

    def _fill_call(self, called: CalledRoutine, call: Call, record: ArgumentPlace, at: str) -> None:
        """Fill the arguments of a call, or of all calls of a routine.

        Args:
            called: the routine.
            call: its arguments.
            record: where the record of them lies.
            at: what comes before the names of parameters in the names of the case's lines.
        """
        source = ArgumentSource(self._case, at, called.prototype)
        for parameter, field in zip(called.parameters, called.site.record.fields, strict=False):
            argument = call.arguments[parameter.name]
            if isinstance(argument, Members):
                require_members(source, parameter, field.type, argument)
            addresses = tuple(start + field.offset for start in record.addresses)
            place = ArgumentPlace(record.variable, record.path(field.name), addresses)
            self._memory.fill(source, parameter, argument, place)

    def _finish(self, routines: Routines, most: int) -> ArgumentLayout:
        """Place what all calls share, and make the layout."""
        case, areas, memory = self._case, self._areas, self._memory
        self._point_globals()
        answers = {name: self._place_answers(name) for name in case.toolbox}
        fixed = {name: self._fix(name, given) for name, given in case.environment.items()}
        blocks = [self._with_length(block) for block in memory.blocks]
        linked = LinkedLayer(case, self._machine, areas.variables, areas.place)
        return ArgumentLayout(
            routines=routines,
            variables=areas.variables,
            fillings=memory.fillings,
            addresses=areas.addresses,
            answers=answers,
            prototypes=memory.prototypes,
            linked=linked.lay(memory.fillings),
            unobserved=self._unobserved(routines, most),
            blocks=blocks,
            lengths=memory.lengths,
            fixed=fixed,
            state=self._place_state(),
            transcripts=list(memory.functions.transcripts.values()),
            byte_buffers=tuple(memory.byte_buffers),
        )

    def _with_length(self, block: GivenBlock) -> GivenBlock:
        """The block with a word for its size; a block that a handle leads to has that already."""
        if block.length:
            return block
        variables = self._areas.variables
        name = next(name for name, v in variables.items() if v.address == block.address)
        length = self._areas.place(f"{SIZE_OF}{name}", WORD)
        self._areas.let_hold([length.address], block.room)
        return replace(block, length=length.address)

    def _fix(self, name: str, given: int | str) -> int:
        """A place for a number of the environment; its address."""
        word = self._areas.place(name, WORD)
        if isinstance(given, str):
            self._memory.fillings.append(Filling(word, "", Phrase(given)))
        else:
            self._areas.let_hold([word.address], given)
        return word.address

    def _place_state(self) -> dict[str, int]:
        """Places for the numbers of the Toolbox's state, which are 0 before each call."""
        parts = self._case.toolbox_state
        if not parts:
            return {}
        start = self._areas.place(TOOLBOX, state_type()).address
        places = {path: start + offset for path, offset in offsets(parts)}
        self._areas.let_hold(range(start, start + state_type().size, 4), 0)
        return places

    def _unobserved(self, routines: Routines, most: int) -> list[Variable]:
        """Results that the case does not observe, and calls that are not compared."""
        transcripts = self._memory.functions.transcripts.values()
        calls = [transcript.variable for transcript in transcripts if not transcript.is_compared]
        return calls if observes_result(self._case) else calls + _results_of(routines, most)

    def _count(self, attribute: str) -> int:
        """A place for the number of calls; its address."""
        calls = self._areas.place(CALLS, WORD)
        self._memory.fillings.append(Filling(calls, "", Phrase(attribute)))
        return calls.address

    def _place_answers(self, name: str) -> Variable:
        from emu.toolbox.declarations import answerable  # reads all managers

        routines = answerable(self._machine.cpu.architecture)
        if name not in routines:
            hint = did_you_mean(name, routines)
            raise self._case.error(
                name, f"the Toolbox has no routine {name} with a number as result{hint}"
            )
        return self._areas.place(f"answers of {name}", ANSWERS)

    def _point_globals(self) -> None:
        """Give the pointers in globals memory of their own."""
        for name, members in self._case.pointers.items():
            variable = self._machine.program.variable(name)
            source = ArgumentSource(self._case, "", f"the global {name}")
            whole = Parameter(name, name, variable.type)
            for member, given in members.items():
                called = f"{name}.{member}".rstrip(".")
                place = ArgumentPlace(variable, member, ())
                self._memory.lead(source, whole, given, place, called, 1)


def _results_of(routines: Routines, most: int) -> list[Variable]:
    """The results of all calls."""
    return [
        Variable(RESULT, site.address + n * routines.stride + site.result.offset, site.result.type)
        for site in routines.sites
        if site.result is not None
        for n in range(most)
    ]
