"""All reports."""

from __future__ import annotations

from tests.engines.faults.fault import EngineFault
from tests.engines.faults.float_faults import FLOAT_FAULTS
from tests.engines.faults.m68k_faults import M68K_FAULTS
from tests.engines.faults.power_faults import POWER_FAULTS

UNICORN, QEMU = "2.1.4", "7.2"
"""The versions that the reports are about."""
FAULTS: dict[str, tuple[EngineFault, ...]] = {
    "Integer instructions of the 68K": M68K_FAULTS,
    "Floating-point instructions of the 68K": FLOAT_FAULTS,
    "Instructions of the PowerPC 601": POWER_FAULTS,
}
"""The faults in instructions, by the headings under which the page has them."""
