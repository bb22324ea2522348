"""What says that an instruction is left to the processor."""

from __future__ import annotations


class NotLiftedError(Exception):
    """An instruction is not lifted; the message is why, as a clause."""
