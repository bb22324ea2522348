"""How the routines that a case calls get their arguments, by each calling convention.

The names of parameters in the case file are checked against the declaration of the routine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.keys.arguments import RESULT, Call, name_of_further
from emu.machine import BareMachine, CallSite
from emu.program import GuestType
from emu.program.model.signatures import Parameter, Signature, parameter_type
from emu.program.model.types import UNKNOWN


@dataclass(frozen=True, slots=True)
class CalledRoutine:
    """A routine as a case calls it.

    Attributes:
        site: how it gets its arguments; the record of them has no address yet.
        parameters: the declarations of its arguments, also of those in place of ``...``.
        prototype: its declaration as in C, for messages.
    """

    site: CallSite
    parameters: tuple[Parameter, ...]
    prototype: str


def observes_result(case: Case) -> bool:
    """Whether a case observes what its routine returns."""
    return any(observed.variable == RESULT for observed in case.observed)


class CalledRoutines:
    """The routines of a program as a case calls them.

    Args:
        case: the case.
        machine: the program on its processor.
    """

    def __init__(self, case: Case, machine: BareMachine) -> None:
        self._case = case
        self._machine = machine

    def of(self, call: Call, at: str) -> CalledRoutine:
        """How a routine gets its arguments.

        Args:
            call: the routine, and its arguments.
            at: what comes before the names of parameters in the names of the case's lines.

        Raises:
            CaseError: the arguments are not those that the routine declares.
            UsageError: the calling convention cannot pass one of them.
        """
        program = self._machine.program
        routine = program.function(call.routine)
        signature = program.signature(call.routine)
        if signature is None:
            raise self._case.error(
                at.rstrip(".") or call.routine,
                f"nothing is known of the parameters of {call.routine}; say how it is declared, as "
                f'in prototype: "short {call.routine}(short a)"',
            )
        prototype = signature.declaration(call.routine)
        further = [self._of_further(n, kind, prototype) for n, kind in enumerate(call.further)]
        parameters = (*signature.parameters, *further)
        self._require_names(call, signature, parameters, at)
        types = [parameter_type(parameter.type, parameter.pointed) for parameter in parameters]
        names = [parameter.name or str(number) for number, parameter in enumerate(parameters)]
        declared = len(signature.parameters) if signature.is_variadic else None
        result = self._result(signature, prototype)
        site = self._machine.typed_site(routine, names, types, result, declared)
        return CalledRoutine(site, parameters, prototype)

    def _of_further(self, number: int, written: str, prototype: str) -> Parameter:
        """An argument in place of ``...`` as a parameter of its own."""
        from emu.program.declarations.c_declarations import parse_parameter  # few need it

        name, machine = name_of_further(number), self._machine
        try:
            model = machine.convention.data_model()
            return parse_parameter(written, name, machine.program.types.get, model)
        except UsageError as error:
            raise self._case.error(name, f"{prototype}: {error}") from error

    def _require_names(
        self, call: Call, signature: Signature, parameters: Sequence[Parameter], at: str
    ) -> None:
        words = signature.declaration(call.routine)
        names = [parameter.name for parameter in parameters]
        if call.further and not signature.is_variadic:
            first = name_of_further(0)
            raise self._case.error(first, f"{words} takes no further arguments")
        routine = at.rstrip(".") or call.routine
        for name in call.arguments:
            if name not in names:
                hint = did_you_mean(name, names)
                raise self._case.error(f"{at}{name}", f"{words} has no parameter {name}{hint}")
        for parameter in parameters:
            if parameter.name not in call.arguments:
                raise self._case.error(
                    routine,
                    f"{words} needs {parameter.declaration}, which the case does not give under "
                    f"{'calls' if at else 'arguments'}",
                )
        if signature.is_variadic and at:
            raise self._case.error(
                routine, f"{words} takes any number of arguments, which calls cannot give"
            )

    def _result(self, signature: Signature, words: str) -> GuestType | None:
        result = signature.result_type
        is_one_of_several = bool(self._case.calls) and result is None
        if observes_result(self._case) and not is_one_of_several:
            if result is None:
                raise self._case.error(RESULT, f"{words} returns nothing to be observed")
            if result is UNKNOWN:
                raise self._case.error(RESULT, f"{words} returns what macproof cannot show")
        return None if result is UNKNOWN else result
