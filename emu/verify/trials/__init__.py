"""Trying a case's routine on a given scene: what it does, also where it faults or never returns."""

from __future__ import annotations

from emu.verify.trials.bench import Bench, Outcomes
from emu.verify.trials.trial import Outcome, Setup

__all__ = ["Bench", "Outcome", "Outcomes", "Setup"]
