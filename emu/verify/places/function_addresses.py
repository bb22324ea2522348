"""The values of pointers to functions, which are functions of the program or written in Python."""

from __future__ import annotations

from emu.base.errors import CaseError, ProgramError
from emu.base.functions import resolve
from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.keys.arguments import PythonFunction
from emu.cases.keys.references import OtherProgram
from emu.cases.recorded_calls import called_by
from emu.machine import BareMachine
from emu.machine.abi.function_pointers import find_vector
from emu.program.declarations.places import find_routine
from emu.program.model.signatures import Parameter, Signature
from emu.program.model.types import array_of
from emu.verify.places.heap_areas import WORD, ArgumentSource, HeapAreas
from emu.verify.places.slots.transcripts import (
    Transcript,
    left_out,
    name_of,
    recording,
    transcript_type,
)


class FunctionAddresses:
    """Finds the values of pointers to functions and globals.

    Args:
        case: the case.
        machine: the program on its processor.
        areas: gives memory for transition vectors, and for records of calls.

    Attributes:
        transcripts: the records of how Python functions are called, by the parameters' names.
    """

    def __init__(self, case: Case, machine: BareMachine, areas: HeapAreas) -> None:
        self._case = case
        self._machine = machine
        self._areas = areas
        self.transcripts: dict[str, Transcript] = {}

    def of_name(self, source: ArgumentSource, parameter: Parameter, name: str) -> int:
        """The address of a function or a global of the program; 0 for no name.

        Raises:
            CaseError: the program has neither.
        """
        if not name:
            return 0
        program = self._machine.program
        if name in program.variables:
            return program.variable(name).address
        try:
            return self._pointer(name, find_routine(program, name))
        except ProgramError as error:
            hint = did_you_mean(name, [*program.variables, *program.functions])
            problem = f"there is no function or global {name}{hint}"
            raise self._case.error(source.line(parameter.name), problem) from error

    def of_python(
        self, source: ArgumentSource, parameter: Parameter, argument: PythonFunction
    ) -> int:
        """The pointer by which the routine calls a Python function.

        Raises:
            CaseError: the parameter is no pointer to a function, or to one with other parameters.
        """
        line = f"{source.at}{parameter.name}"

        def blamed(problem: str) -> CaseError:
            return self._case.error(line, f"{argument.dotted}: {problem}")

        if parameter.function is None:
            what = f"{parameter.declaration} is no pointer to a function"
            raise source.error(parameter.name, what)
        function = resolve(argument.dotted, self._case.path.parent)
        self._machine.callbacks.check(parameter, parameter.name, blamed)
        transcript = self._transcript(parameter, parameter.function, argument)
        every = self.transcripts.values()
        record = recording(function, self._machine, transcript, every)
        return self._machine.callbacks.add(record, parameter, parameter.name, blamed)

    def _transcript(
        self, parameter: Parameter, signature: Signature, argument: PythonFunction
    ) -> Transcript:
        """The record of the calls of a Python function, which all calls of routines share."""
        case, name = self._case, parameter.name
        if name not in self.transcripts:
            variable = self._areas.place(name_of(name), transcript_type(signature))
            self._areas.let_hold([variable.address], 0)  # the number of calls
            is_recorded = isinstance(case.routine, OtherProgram) or (
                case.routine is None
                and not case.bulk_reference
                and name in called_by(case, case.reference)
            )
            is_compared = is_recorded and not argument.is_free
            self.transcripts[name] = Transcript(
                name, variable, is_compared, argument.is_free, tuple(left_out(signature))
            )
        return self.transcripts[name]

    def _pointer(self, name: str, code: int) -> int:
        """The value of a pointer to a function of the program: its code, or a transition vector."""
        program, areas = self._machine.program, self._areas
        if not self._machine.convention.has_transition_vectors:
            return code
        pointer = find_vector(program, code)
        if pointer is not None:
            return pointer
        own = areas.variables.get(f"vector of {name}")
        own = own or areas.place(f"vector of {name}", array_of(WORD, (2,)))
        areas.let_hold([own.address], code)
        areas.let_hold([own.address + 4], program.registers.get("r2", 0))
        return own.address
