"""Where in memory the code lay that a program executed, and what executed it."""

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


@dataclass(frozen=True, slots=True)
class CheckedCode:
    """How much code was executed while every access to memory was looked at, in bytes.

    Attributes:
        translated: what native code stood for.
        engine: what the engine executed, with hooks; or null if that was not counted, since it
            executed all.
    """

    translated: int
    engine: int | None


def checked_code(mac: Macintosh) -> CheckedCode:
    """Count what a Macintosh has executed whose accesses to memory were looked at."""
    other = mac.engine.other
    return (
        CheckedCode(0, None)
        if other is None
        else CheckedCode(other.executed, other.bytes_on_engine)
    )


def executed_blocks(mac: Macintosh) -> CodeBlocks:
    """Count what a Macintosh has executed, from the list of blocks that its engine keeps anyway."""
    memory = mac.guest.memory
    regions = [memory.find(address) for address, _ in mac.engine.translated.code]
    names = [region.name for region in regions if region is not None and region.name != _SYSTEM]
    on_stack, among_globals = names.count("stack"), names.count("globals")
    return CodeBlocks(len(names) - on_stack - among_globals, on_stack, among_globals)
