"""A case laid onto one program: where each of its values lies in guest memory.

It is made once for a program, before any scene. The stages on the road of a scene read it and
change nothing: `emu.verify.images` writes scenes and answers to these places, and
`emu.verify.batches` makes the calls and compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from emu.cases.case import Case
from emu.cases.programs.subject import UNICORN, Subject
from emu.engines.native_code.engine import TranslatedEngine
from emu.engines.registry import TRANSLATED, engine_of, screen_for
from emu.engines.usual_engine import usual_engine_for
from emu.machine import Budget, Cpu
from emu.machine.calls.batch import USUAL_INSTRUCTIONS
from emu.machine.calls.call_screen import MakeScreen
from emu.machine.calls.other_engine import MakeEngine
from emu.machine.memory.layout import has_shadow
from emu.machine.memory.memory import PAGE
from emu.machine.program_file import program_and_cpu
from emu.program import Program, Variable
from emu.toolbox.single_calls.toolbox_machine import Machine
from emu.verify.calls.call_sequence import CallSequence
from emu.verify.calls.preceding_calls import CalledBefore
from emu.verify.places.argument_layer import lay_arguments, needs_heap
from emu.verify.places.case_slots import CaseSlots
from emu.verify.places.slots.argument_layout import ArgumentLayout
from emu.verify.places.slots.blocks import BlockLengths


@dataclass(frozen=True, slots=True, eq=False)
class BoundCase:
    """Where the values of a case lie in the memory of one program, and what it calls there.

    Attributes:
        case: the case.
        machine: the program on its processor, with a heap if the routine has arguments.
        layout: where the arguments lie in the heap.
        slots: the places that scenes fill in, and those that the case observes or ignores.
        calls: the calls of the routine, or of several in a row.
        preceding: the routines that are called before.
        lengths: the words that hold the sizes of blocks.
        is_odd: whether buffers of bytes begin at odd addresses; see `is_odd`.
    """

    case: Case
    machine: Machine
    layout: ArgumentLayout
    slots: CaseSlots
    calls: CallSequence
    preceding: CalledBefore
    lengths: BlockLengths
    is_odd: bool = False

    @classmethod
    def lay(
        cls,
        case: Case,
        machine: Machine,
        layout: ArgumentLayout | None = None,
        *,
        is_odd: bool = False,
    ) -> BoundCase:
        """Lay a case onto a machine that the caller has.

        Args:
            case: the case.
            machine: the program on its processor.
            layout: where the arguments lie; None lays them.
            is_odd: whether buffers of bytes begin at odd addresses in ``layout``.

        Raises:
            CaseError, ProgramError: a name of the case is not in the program, or of a wrong kind.
        """
        layout = layout or lay_arguments(case, machine)
        return cls(
            case=case,
            machine=machine,
            layout=layout,
            slots=CaseSlots(case, machine, layout),
            calls=CallSequence(machine, layout.routines),
            preceding=CalledBefore(case, machine),
            lengths=BlockLengths(layout.lengths, machine.data),
            is_odd=is_odd,
        )

    @classmethod
    def of(
        cls,
        case: Case,
        subject: Subject,
        *,
        covers: bool = False,
        checked: bool = False,
        screened: bool = False,
        translated: bool = False,
    ) -> BoundCase:
        """Lay a case onto a program, on a new machine.

        Args:
            case: the case.
            subject: the program.
            covers: whether the machine keeps which code calls execute.
            checked: whether its accesses to memory are checked, as far as the engine can.
            screened: whether translated code checks them, and nothing else, where there is some for
                the processor.
            translated: whether translated code makes the calls of a program on Unicorn, where that
                is possible.

        Raises:
            CaseError, ProgramError: as of `lay`.
        """
        program, cpu = program_and_cpu(subject.of_case(case), None)
        name = subject.engine
        # Sanitizers look at memory themselves, and read bytes that are no variable's.
        screened = screened and (checked or not has_shadow(program))
        screen = screen_for(name, cpu) if screened else None
        is_checked = checked and screen is None
        if name == TRANSLATED and is_checked:
            name = UNICORN  # which checks, and has all that translated code has
        engine = engine_of(name).made_for(subject.native)
        if name == TRANSLATED and covers:
            engine = partial(TranslatedEngine, counts=True)
        is_checked = is_checked and name == UNICORN and cpu.memory_hooks
        if translated and name == UNICORN and not is_checked:
            engine = usual_engine_for(program, cpu, counts=covers)
        return cls.on(case, program, cpu, engine, covers=covers, checked=is_checked, screen=screen)

    @classmethod
    def on(
        cls,
        case: Case,
        program: Program,
        cpu: Cpu,
        engine: MakeEngine | None = None,
        *,
        covers: bool = False,
        checked: bool = False,
        screen: MakeScreen | None = None,
    ) -> BoundCase:
        """Lay a case onto a program that has been read, on a new machine.

        The arguments are the case, the program, its processor and its engine (None for Unicorn);
        ``covers`` and ``checked`` are as of `of`, ``screen`` is as of `BareMachine`.

        Raises:
            CaseError, ProgramError: as of `lay`.
        """
        most = case.budget or USUAL_INSTRUCTIONS
        budget = Budget(instructions=most, is_stated=bool(case.budget))
        make = partial(
            Machine,
            program,
            cpu,
            budget=budget,
            engine=engine,
            covers=covers,
            checked=checked,
            screen=screen,
        )
        if not needs_heap(case):
            return cls.lay(case, make(heap_size=0))
        machine = make(heap_size=PAGE)
        layout = lay_arguments(case, machine)
        size = max(layout.size, layout.odd().size)
        if size > PAGE:
            machine.close()
            machine = make(heap_size=size)
            layout = lay_arguments(case, machine)
        return cls.lay(case, machine, layout)

    def odd(self) -> BoundCase:
        """The same case on the same machine, with buffers of bytes at odd addresses."""
        return BoundCase.lay(self.case, self.machine, self.layout.odd(), is_odd=True)

    @property
    def arrangement(self) -> str:
        """What is unusual about the layout: "*s began at an odd address"; "" if nothing is."""
        if not self.is_odd:
            return ""
        names = self.layout.byte_buffers
        where = "an odd address" if len(names) == 1 else "odd addresses"
        return f"{', '.join(names)} began at {where}"

    @property
    def argument_variables(self) -> list[Variable]:
        """The memory of the routine's arguments, and of the Toolbox's answers."""
        return [*self.layout.every(), *self.layout.answers.values()]

    @property
    def variables(self) -> Mapping[str, Sequence[Variable]]:
        """The variables of the program and of the call's arguments, by their names."""
        own = {name: [variable] for name, variable in self.layout.variables.items()}
        return {**self.machine.program.variables, **own}
