"""Whether a processor has the instructions that were executed.

An engine executes more than the processor it stands for: Unicorn's 68000 runs some instructions of
the 68020, its 68040 those that Apple's software does for a real one, its 601 those of a supervisor.
A program that needs such an instruction does not run on the real processor, whatever it computed
here. The check looks at code, a block at a time, and needs nothing that is running.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from emu.checks.isa_m68k import check_68000, check_68040
from emu.checks.isa_model import Finding
from emu.checks.isa_ppc import check_601
from emu.machine import CodeBlock

Check = Callable[[int, bytes], list[Finding]]

_CHECKS: Mapping[str, Check] = MappingProxyType(
    {"68000": check_68000, "68040": check_68040, "601": check_601}
)


def check_block(cpu: str, block: CodeBlock) -> list[Finding]:
    """What the processor of that name has not, in a block; nothing for one without a table.

    Args:
        cpu: a name of `emu.machine.CPUS`.
        block: code that was entered at its beginning.
    """
    check = _CHECKS.get(cpu)
    return check(block.address, block.code) if check else []


def is_checked(cpu: str) -> bool:
    """Whether there is a table for the processor of that name."""
    return cpu in _CHECKS
