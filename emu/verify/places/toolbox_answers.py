"""Lays the answers that a scene gives to Toolbox calls into images, for `OperatingSystem.run`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.machine.calls.system import EVERY_TIME
from emu.program import GuestType
from emu.program.model.types import array_of
from emu.verify.places.slots.fields import Slot

MOST_ANSWERS = 255
"""The most answers that a scene can have for one routine."""

ANSWERS = array_of(GuestType("long", "integer", np.dtype(">u4")), (1 + MOST_ANSWERS,))
"""The type of the memory for answers: their number, and then the answers."""


def store_answers(
    case: Case, slot: Slot, images: NDArray[np.uint8], given: Iterable[NDArray[Any]]
) -> None:
    """Put the answers of scenes into the slot of their images.

    Args:
        case: the case, for messages.
        slot: a variable of the type `ANSWERS`.
        images: (scenes, image size) uint8.
        given: the answers of each scene: one number for every call, or a row with one for each.

    Raises:
        CaseError: the answers are anything else, or one has more than 32 bits.
    """
    words = slot.view(images)
    what = f"the scene's {slot.phrase.attribute}, which gives {slot.name},"
    for row, answers in enumerate(given):
        if answers.dtype.kind == "f" or answers.ndim > 1 or answers.size > MOST_ANSWERS:
            raise CaseError(
                case.path,
                f"{what} is {answers.dtype} of shape {answers.shape}, not a whole number or a row "
                f"of up to {MOST_ANSWERS} of them",
            )
        values = answers.reshape(-1).astype(np.int64)
        if np.any((values < -(1 << 31)) | (values >= 1 << 32)):
            raise CaseError(case.path, f"{what} has a number of more than 32 bits")
        words[row, 0] = answers.size if answers.ndim else EVERY_TIME
        words[row, 1 : 1 + answers.size] = values & 0xFFFFFFFF
