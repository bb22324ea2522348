"""Calls a case's routine on any scene, and records what it does, even if it faults or hangs."""

from __future__ import annotations

from posts.trials.trial import Outcome, Setup
from posts.trials.trial_runner import Outcomes, TrialRunner

__all__ = ["Outcome", "Outcomes", "Setup", "TrialRunner"]
