"""Why something is not decided."""

from __future__ import annotations

from emu.base.errors import MacproofError


class UndecidedError(MacproofError):
    """Nothing is proved and nothing refuted; the message is the reason, as a clause."""


class ProofTimeError(UndecidedError):
    """The time of a proof is over, or z3 has given up."""
