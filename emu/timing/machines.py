"""Macintoshes by name, whose processor there is a cycle model of: clock, caches, and memory.

How long the memory of a Macintosh with a small cache takes is in ``emu/cycles/data/buses.yaml``.

What the models do not have is told with each machine: a speed predicted for it is that of its
processor and clock. `MISSING` names machines of which the processor's own model is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.cycles.base.tables import table

_FAQ = "Macintosh hardware FAQ (E. R. Harold): 8 MHz are 7.83, and 16 are 15.7"
_LOW_END = "Low End Mac, CPUs: Motorola 68040; Apple Fandom, Macintosh Quadra"
_TIDBITS = "TidBITS, 14 March 1994, The Power Macintosh Picture"
_CODE_ONLY = "256 bytes for instructions"
_SHARED = "no wait states; what the screen's turns at the RAM cost at most is told as a sensitivity"
_HITS = "every access is taken to hit the caches: no wait states"


@dataclass(frozen=True, slots=True)
class ModelledMachine:
    """A Macintosh whose speed is predicted.

    Attributes:
        name: as ``--machine`` has it.
        title: its name in full.
        cpu: its processor's name in `emu.cycles.models.MODELS`.
        megahertz: its clock, in MHz.
        caches: the caches on its processor.
        memory: what a prediction takes its memory to be, as a sentence without its full stop.
        source: where clock and caches are published.
    """

    name: str
    title: str
    cpu: str
    megahertz: float
    caches: str
    memory: str
    source: str


def _with_bus(name: str, title: str, cpu: str, caches: str) -> ModelledMachine:
    bus = table("buses")[name]
    memory = f"{8 * bus['bytes']:g} bits wide, {bus['clocks']:g} clocks for each access"
    return ModelledMachine(name, title, cpu, 15.6672, caches, memory, f"{_FAQ}; {bus.source.title}")


def _with_68040(name: str, title: str, megahertz: float) -> ModelledMachine:
    caches = "4 KB for instructions and 4 KB for data"
    return ModelledMachine(name, title, "68040", megahertz, caches, _HITS, _LOW_END)


def _with_601(name: str, title: str, megahertz: float) -> ModelledMachine:
    caches = "32 KB for both"
    return ModelledMachine(name, title, "601", megahertz, caches, _HITS, _TIDBITS)


MACHINES: Mapping[str, ModelledMachine] = MappingProxyType(
    {
        machine.name: machine
        for machine in (
            ModelledMachine("plus", "Macintosh Plus", "68000", 7.8336, "none", _SHARED, _FAQ),
            _with_bus("ii", "Macintosh II", "68020", _CODE_ONLY),
            _with_bus("lc", "Macintosh LC", "68020", _CODE_ONLY),
            _with_bus(
                "se30", "Macintosh SE/30", "68030", "256 bytes for instructions and for data"
            ),
            _with_68040("quadra", "Quadra 700", 25.0),
            _with_68040("950", "Quadra 950", 33.0),
            _with_68040("840av", "Quadra 840AV", 40.0),
            _with_601("6100", "Power Macintosh 6100/60", 60.0),
            _with_601("7100", "Power Macintosh 7100/66", 66.0),
            _with_601("8100", "Power Macintosh 8100/80", 80.0),
        )
    }
)
"""Machines by their names; those that `macproof run` has, too, have the same names there."""

_NO_603 = (
    "GCC's scheduling description (603.md) has its latencies, but macproof lacks the rules of the "
    "MPC603 User's Manual by which it dispatches two instructions a clock, renames registers, "
    "completes instructions in order and folds branches"
)
_NO_604 = (
    "GCC's scheduling description (6xx.md) has its latencies, but macproof lacks the rules of the "
    "MPC604 User's Manual by which it dispatches four instructions a clock, holds them in "
    "reservation stations, completes them in order and predicts branches from their history"
)
MISSING: Mapping[str, str] = MappingProxyType(
    {
        "5200": f"a Power Macintosh 5200 has a 603: {_NO_603}",
        "9500": f"a Power Macintosh 9500 has a 604: {_NO_604}",
    }
)
"""What a model of a machine would need, by the machine's name."""


def memory_of(machine: str | None) -> str:
    """The name of a machine's memory in ``buses.yaml``; "" if its model has no part for memory."""
    return machine if machine is not None and machine in table("buses") else ""


def modelled_machine(name: str) -> ModelledMachine:
    """The machine of a name.

    Raises:
        UsageError: there is none, or there is no cycle model of its processor.
    """
    if name in MISSING:
        raise UsageError(f"{MISSING[name]}, so that there is no cycle model of it")
    if name not in MACHINES:
        raise UsageError(f"there is no machine {name}{did_you_mean(name, MACHINES)}")
    return MACHINES[name]
