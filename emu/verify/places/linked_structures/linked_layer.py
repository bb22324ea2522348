"""Finds places in the guest heap for the trees and lists that a case gives and observes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from emu.cases.case import Case
from emu.cases.keys.arguments import RESULT, Phrase
from emu.machine import BareMachine
from emu.program import GuestType, Variable
from emu.program.model.types import array_of
from emu.verify.places.linked_structures.structures import arena_size, transcript_type
from emu.verify.places.slots.argument_layout import Filling, StructureArea
from emu.verify.places.slots.node_types import NodeTypes

_BYTE = GuestType("unsigned char", "integer", np.dtype("u1"))


class LinkedLayer:
    """Allocates memory for linked structures.

    Args:
        case: the case.
        machine: the program on its processor.
        variables: the variables that are allocated already, by name.
        place: allocates memory for a variable of a name and a type.
    """

    def __init__(
        self,
        case: Case,
        machine: BareMachine,
        variables: dict[str, Variable],
        place: Callable[[str, GuestType], Variable],
    ) -> None:
        self._case = case
        self._machine = machine
        self._variables = variables
        self._place = place

    def lay(self, fillings: Sequence[Filling]) -> list[StructureArea]:
        """Places for all structures.

        Args:
            fillings: what scenes fill in of the arguments.

        Raises:
            CaseError: what should lead to a structure is no pointer to structs.
        """
        given = [
            (variable, member, phrase)
            for variable, members in self._case.inputs.items()
            for member, phrase in members.items()
        ]
        areas = [self._linked(*place, is_given=True) for place in given if place[2].nodes]
        areas += [
            self._lay(filling, filling.variable.name, is_given=True)
            for filling in fillings
            if filling.phrase.nodes
        ]
        roots = {f"*{filling.member}": filling for filling in fillings if filling.phrase.nodes}
        for observed in self._case.observed:
            if observed.phrase.nodes and observed.variable in roots and not observed.member:
                root = replace(roots[observed.variable], phrase=observed.phrase)
                areas.append(self._lay(root, observed.variable, is_given=False))
            elif observed.phrase.nodes:
                areas.append(
                    self._linked(
                        observed.variable, observed.member, observed.phrase, is_given=False
                    )
                )
        return areas

    def _linked(self, name: str, member: str, phrase: Phrase, *, is_given: bool) -> StructureArea:
        if name == RESULT and (self._case.calls or self._case.repeat):
            raise self._case.error(
                name,
                "the results of several calls cannot be trees or lists",
                remedy="Observe the global, or what an argument points to, that leads to them.",
            )
        if name not in self._variables and name.startswith("*"):
            raise self._case.error(name, f"no argument points to {name}")
        variables = self._variables.get(name)
        variable = self._machine.program.variable(name) if variables is None else variables
        return self._lay(Filling(variable, member, phrase), name, is_given=is_given)

    def _lay(self, filling: Filling, name: str, *, is_given: bool) -> StructureArea:
        where = f"{filling.variable.name}.{filling.member}".rstrip(".")
        line = filling.member.partition(".")[0] if is_given and filling.member else name
        types = NodeTypes(self._machine.program, filling.phrase.without)
        kind = filling.variable.type
        roots = int(np.prod(kind.shape, dtype=np.int64))
        for name_of_member in filling.member.split(".") if filling.member else []:
            field = kind.field(name_of_member)
            if field is None:
                raise self._case.error(line, f"{where} has no member {name_of_member}")
            kind = field.type
            roots *= int(np.prod(kind.shape, dtype=np.int64))
        try:
            target, depth = types.add(kind.scalar)
        except ValueError as error:
            problem = f"{where}, which is to lead to nodes, {error}"
            raise self._case.error(line, problem) from None
        limit = filling.phrase.nodes
        if is_given:
            what, size = "nodes", arena_size(limit, types.size)
        else:
            what, size = "transcript", transcript_type(roots, limit, types.size).itemsize
        area = self._place(f"the {what} of {where}", array_of(_BYTE, (size,)))
        del self._variables[area.name]  # no place that a case can name
        return StructureArea(filling, area, types, target, depth, is_given)
