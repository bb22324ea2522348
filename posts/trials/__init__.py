"""Calls a case's routine on any scene, and records what it does, even if it faults or hangs."""

from __future__ import annotations

from posts.trials.trial import Setup, TrialOutcome
from posts.trials.trial_runner import Outcomes, TrialRunner

__all__ = ["Outcomes", "Setup", "TrialOutcome", "TrialRunner"]
