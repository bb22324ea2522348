"""Adds to errors about places in guest memory the line of the case file that names the place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.keys.arguments import RESULT
from emu.program import Variable
from emu.verify.places.slots.argument_layout import CALLS, RECORD, SCRIPT, ArgumentLayout


class Blame:
    """Finds the line of a case file that names a place, and the declaration of its routine.

    Args:
        case: the case.
        layout: where the arguments of its routine lie.
    """

    def __init__(self, case: Case, layout: ArgumentLayout) -> None:
        self._case = case
        self._layout = layout

    @contextmanager
    def about(self, variable: Variable, member: str = "", *, filled: bool) -> Iterator[None]:
        """Adds the line to errors raised inside, and the prototype if they are about an argument.

        Args:
            variable: the variable that the errors are about.
            member: the path to a member of it, or "".
            filled: whether a scene fills it; otherwise the case observes it.
        """
        try:
            yield
        except CaseError as error:
            if error.where:
                raise
            problem = error.problem
            if self._is_of_a_call(variable.name):
                prototype = self._layout.prototype(variable.name, member)
                problem = f"{problem}; the routine is {prototype}" if prototype else problem
            name = self._named(variable.name, member, filled)
            told = self._case.error(name, problem, error.remedy)
            told.rows = error.rows
            raise told from error

    def _is_of_a_record(self, name: str) -> bool:
        return name.partition("[")[0] == RECORD

    def _is_of_a_call(self, name: str) -> bool:
        return name in self._layout.variables or self._is_of_a_record(name)

    def _named(self, name: str, member: str, filled: bool) -> str:
        """The name under which the case file has a variable."""
        if name in (CALLS, SCRIPT):
            return "script:" if self._case.script else "repeat:"
        if self._case.calls and self._is_of_a_record(name):
            routine, _, parameter = member.partition(".")
            names = [call.routine for call in self._case.calls]
            place = name.removeprefix(RECORD) or f"[{names.index(routine)}]"
            return f"calls{place}.{parameter.partition('.')[0]}" if filled else RESULT
        if name == RECORD:
            return member.partition(".")[0]
        return name.lstrip("*") if filled and name != RESULT else name
