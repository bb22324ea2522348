"""Where in memory the code lay that a program executed."""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolbox.macintosh import Macintosh

_SYSTEM = "ROM"


@dataclass(frozen=True, slots=True)
class CodeBlocks:
    """How many blocks of code were executed, each counted once.

    A block ends with a branch, a call or a return. Two blocks that lay at one place one after the
    other, such as trampolines on the stack, are one here.

    Attributes:
        usual: blocks in the heap or in the sections of a fragment, where programs have their code.
        on_stack: blocks on the stack.
        among_globals: blocks among the program's globals.
    """

    usual: int = 0
    on_stack: int = 0
    among_globals: int = 0


def executed_blocks(mac: Macintosh) -> CodeBlocks:
    """Count what a Macintosh has executed, from the list of blocks that its engine keeps anyway."""
    memory = mac.guest.memory
    regions = [memory.find(address) for address, _ in mac.engine.translated.code]
    names = [region.name for region in regions if region is not None and region.name != _SYSTEM]
    on_stack, among_globals = names.count("stack"), names.count("globals")
    return CodeBlocks(len(names) - on_stack - among_globals, on_stack, among_globals)
