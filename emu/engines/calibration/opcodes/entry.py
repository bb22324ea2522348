"""What the map of a processor's opcodes has for one form with one kind of operands."""

from __future__ import annotations

from dataclasses import dataclass

from emu.engines.calibration.instructions import ProbeInstruction


@dataclass(frozen=True, slots=True)
class MapEntry:
    """An instruction of the map.

    Attributes:
        mnemonic: its name.
        instruction: what is probed; None if it cannot be.
        left_out: why it cannot be probed, as the name of a kind ("privileged"); "" if it can.
    """

    mnemonic: str
    instruction: ProbeInstruction | None
    left_out: str = ""
