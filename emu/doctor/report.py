"""The data of ``macproof doctor``: what was looked for, and what was found of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

SCHEMA = "macproof.doctor/1"
READY, NOT_READY = "ready", "not ready"


class State(Enum):
    """What is known of something that macproof can use."""

    PRESENT = "present"
    """It is there and can be used."""
    MISSING = "missing"
    """It is not there, and only what `Facility.cost` says is not possible without it."""
    NEEDED = "needed"
    """It is not there or cannot be used, and the main job, ``macproof verify``, needs it."""


@dataclass(frozen=True, slots=True)
class Facility:
    """Something that macproof can use, and whether this computer has it.

    Attributes:
        group: what kind of thing it is, such as "compilers".
        name: its name, such as "m68k-linux-gnu-g++".
        state: whether it is there.
        detail: its version or place; or what is wrong, and how to get it.
        cost: what is not possible without it, as a sentence; "" if it is there.
    """

    group: str
    name: str
    state: State
    detail: str
    cost: str = ""


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """What macproof can use on this computer.

    Attributes:
        verdict: "ready" if the main job can run, else "not ready".
        version: the version of macproof.
        system: the operating system and the processor.
        facilities: all that was looked for.
    """

    verdict: str
    version: str
    system: str
    facilities: Sequence[Facility]
