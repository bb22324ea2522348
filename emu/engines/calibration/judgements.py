"""Who is right where engines disagree, by the manuals of the processors."""

from __future__ import annotations

from emu.engines.calibration.m68k_rulings import M68K_LEFT_OPEN, M68K_RULINGS
from emu.engines.calibration.power_rulings import POWER_LEFT_OPEN, POWER_RULINGS

JUDGEMENTS = (*M68K_RULINGS, *POWER_RULINGS)
"""The first that explains a disagreement is taken."""

LEFT_OPEN = (*M68K_LEFT_OPEN, *POWER_LEFT_OPEN)
"""What is not compared."""
