"""Instructions before which an engine has to stop."""

from __future__ import annotations

import unicorn
from unicorn import unicorn_const


class WatchedInstructions:
    """Stops an engine before each of some instructions, and lets it execute that one afterwards.

    Args:
        engine: the engine.

    Attributes:
        is_met: whether the current run has come to one of them.
    """

    def __init__(self, engine: unicorn.Uc) -> None:
        self.is_met = False
        self._engine = engine
        self._hooks: dict[int, int] = {}
        self._passing = -1  # the instruction at which the engine stopped last, or -1
        self._stopped_at = -1

    @property
    def places(self) -> frozenset[int]:
        """Their addresses."""
        return frozenset(self._hooks)

    def add(self, address: int) -> None:
        """Stop before the instruction at an address from now on."""
        if address not in self._hooks:
            self._hooks[address] = self._engine.hook_add(
                unicorn_const.UC_HOOK_CODE, self._on_instruction, begin=address, end=address
            )
            self._engine.ctl_flush_tb()  # hooks are built into translated code

    def remove(self, address: int) -> None:
        """Take back `add`."""
        hook = self._hooks.pop(address, None)
        if hook is not None:
            self._engine.hook_del(hook)
            self._engine.ctl_flush_tb()

    def add_again(self) -> None:
        """Have the engine ask other hooks first, which were added since."""
        for address in list(self._hooks):
            self.remove(address)
            self.add(address)

    def begin(self, address: int) -> None:
        """Prepare a run from an address; if the last one stopped there, it is executed now."""
        self.is_met = False
        self._passing = address if address == self._stopped_at else -1
        self._stopped_at = -1

    def end(self, address: int) -> None:
        """Note where a run has ended."""
        # The engine may have been stopped again before it could pass.
        if self.is_met or self._passing == address:
            self._stopped_at = address

    def _on_instruction(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        if address == self._passing:
            self._passing = -1
            return
        self.is_met = True
        uc.emu_stop()
