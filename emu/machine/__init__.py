"""Running guest code: memory, processors, calling conventions, and the contract of a call."""

from __future__ import annotations

from emu.machine.abi import Char, Short
from emu.machine.cpu import CPUS, Cpu
from emu.machine.faults import ContractViolation, Fault, GuestFault
from emu.machine.machine import Batch, Budget, Machine

__all__ = [
    "CPUS",
    "Batch",
    "Budget",
    "Char",
    "ContractViolation",
    "Cpu",
    "Fault",
    "GuestFault",
    "Machine",
    "Short",
]
