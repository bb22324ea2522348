"""Tells whether scenes lie in the images of two programs alike, so that they are laid once."""

from __future__ import annotations

import hashlib

from emu.cases.keys.parts import InitialValue
from emu.verify.places.bound_case import BoundCase


def image_layout(bound: BoundCase) -> str:
    """Stands for all that a program adds to the images of scenes and answers.

    Two programs with equal ones have equal images. Most builds of a case do, as their data differ
    in nothing: the 15 programs of ``examples/lzss`` have one layout, the 18 of four-shifts four.

    Args:
        bound: the case laid onto the program.

    Returns:
        A digest; "" if images hold more than the program as loaded, a scene and an answer. Such are
        what a call of the program leaves, addresses of its functions, linked structures, and what
        the Toolbox or an old program says.
    """
    case, layout, slots = bound.case, bound.layout, bound.slots
    has_more = (
        *(case.before, case.is_in_a_row, case.keeps_state, case.routine),
        *(layout.answers, layout.state, layout.linked, layout.transcripts),
        *(slot.phrase.is_function for slot in slots.every),
    )
    if any(has_more):
        return ""
    offset = bound.machine.data.offset
    variables = [*layout.variables.values(), *(one.variable for one in layout.lengths.values())]
    parts = (
        *(slots.inputs, slots.observed, slots.ignored_as(InitialValue.SCRATCH)),
        *(layout.variables, layout.lengths, layout.addresses, layout.fixed),
        [offset(variable.address) for variable in variables],
        [offset(address) for address in (*layout.addresses, *layout.fixed.values())],
    )
    digest = hashlib.sha256(bound.machine.pristine.tobytes())
    digest.update(repr(parts).encode())
    return digest.hexdigest()
