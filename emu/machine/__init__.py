"""Runs guest code: memory, processors, calling conventions, and the contract of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.base.late_names import late_names

if TYPE_CHECKING:
    from emu.machine.abi.call_site import CallSite
    from emu.machine.calls.batch import Batch, Budget, SystemCallPolicy
    from emu.machine.calls.faults import ContractViolation, Fault, GuestFault
    from emu.machine.code_coverage.new_code import CodeBlock
    from emu.machine.cpu import CPUS, Cpu
    from emu.machine.engine.quirks.stale_code import StaleCode
    from emu.machine.machine import BareMachine
    from emu.machine.memory.surroundings import PLAIN, Surroundings
else:
    __getattr__ = late_names(
        __name__,
        {
            "abi.call_site": ("CallSite",),
            "calls.batch": (
                "Batch",
                "Budget",
                "SystemCallPolicy",
            ),
            "calls.faults": (
                "ContractViolation",
                "Fault",
                "GuestFault",
            ),
            "code_coverage.new_code": ("CodeBlock",),
            "cpu": (
                "CPUS",
                "Cpu",
            ),
            "engine.quirks.stale_code": ("StaleCode",),
            "machine": ("BareMachine",),
            "memory.surroundings": (
                "PLAIN",
                "Surroundings",
            ),
        },
    )

__all__ = [
    "CPUS",
    "PLAIN",
    "BareMachine",
    "Batch",
    "Budget",
    "CallSite",
    "CodeBlock",
    "ContractViolation",
    "Cpu",
    "Fault",
    "GuestFault",
    "StaleCode",
    "Surroundings",
    "SystemCallPolicy",
]
