"""The whole state of a stopped processor, to go on from another time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProcessorContext:
    """A processor's state.

    Attributes:
        engine: the engine's own copy, with flags and floating-point registers.
        registers: those with which the guest will go on, the program counter included.
    """

    engine: object
    registers: tuple[int, ...]
