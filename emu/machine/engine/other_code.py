"""What executes some of a program's code in place of the engine."""

from __future__ import annotations

from typing import Protocol


class OtherCode(Protocol):
    """Executes code that it has, from any place at which it begins.

    Attributes:
        executed: how many bytes of code it has executed.
    """

    executed: int

    @property
    def bytes_on_engine(self) -> int:
        """How many bytes of code the engine has executed."""

    def go_on(self, address: int) -> int:
        """Execute from an address on what there is; where the engine has to go on.

        The engine's registers are as they have to be there, before and afterwards.
        """

    def has_stopped(self) -> bool:
        """Whether it was this that has stopped the engine now, and not another."""
