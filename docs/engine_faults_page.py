"""The page with reports of faults in Unicorn and QEMU, from the table that tests execute."""

from __future__ import annotations

from collections.abc import Iterator

from tests.engines.faults.fault import EngineFault, InterfaceFault, Remedy
from tests.engines.faults.interface_faults import INTERFACE_FAULTS
from tests.engines.faults.table import FAULTS, QEMU, UNICORN

_INTRODUCTION = f"""# Faults of Unicorn and QEMU

macproof executes code with [Unicorn](https://github.com/unicorn-engine/unicorn), which was made
from QEMU 5.0. Where Unicorn leaves something else than the processor, macproof's engine executes
the instruction itself, refuses it, or leaves it wrong, as each report says. The reports are ready
to file: one instruction each, with the state before and after.

The state before is 0 but for the registers that are named. `m0` to `m3` are the long words from
0x20300 on; the instruction is at 0x10100. What an engine leaves is the registers that change;
`exception` is Unicorn's number. Unicorn is version {UNICORN}, and QEMU is qemu-user {QEMU} with its
models m68000, m68040 and 604, which names the signal that a program ends with.

[bare.py](../tests/engines/faults/bare.py) is all that is needed to see them: it has Unicorn execute
an instruction, without anything of macproof, and prints what changes. The command is in each
report. [Tests](../tests/engines/faults/test_faults.py) execute every report on Unicorn, on
macproof's engine and, where it is installed, on QEMU. A fault that is mended in a new version makes
them fail.

What the processor leaves is taken from the manuals, and where a report says so from vectors that
others [measured](conformity.md).
"""


def engine_faults_page() -> str:
    """The whole page."""
    parts = [_INTRODUCTION, "\n".join(_summary())]
    for heading, faults in FAULTS.items():
        parts.append(f"## {heading}")
        parts += ["\n".join(_report(fault)) for fault in faults]
    parts.append("## The interface")
    parts += ["\n".join(_program(fault)) for fault in INTERFACE_FAULTS]
    parts.append("## Speed")
    parts.append(
        "Stores take ten times as long as they need to, as [a page of its own](unicorn-stores.md)\n"
        "explains."
    )
    return "\n\n".join(part.strip() for part in parts) + "\n"


def command(fault: EngineFault) -> str:
    """How to see a fault."""
    return f"python bare.py {fault.cpu} {fault.code} {fault.before}".strip()


def _summary() -> Iterator[str]:
    faults = [fault for group in FAULTS.values() for fault in group]
    yield "| macproof's engine | faults | of these in QEMU, too |"
    yield "|---|--:|--:|"
    for remedy in Remedy:
        found = [fault for fault in faults if fault.remedy is remedy]
        shared = sum(fault.is_in_qemu for fault in found)
        yield f"| {remedy} | {len(found)} | {shared} |"


def _report(fault: EngineFault) -> Iterator[str]:
    shared = "; the fault is QEMU's, too" if fault.is_in_qemu else ""
    yield f"### {fault.title}\n"
    yield f"`{fault.assembly}` on a {fault.cpu}: `{command(fault)}`\n"
    yield "| | |\n|---|---|"
    cells = {
        "Unicorn": fault.unicorn,
        "QEMU": fault.by_qemu + shared,
        "the processor": fault.processor,
        "the manual": fault.manual,
        "in the source": fault.cause,
        "macproof": fault.remedy,
    }
    for name, text in cells.items():
        if text:
            yield f"| {name} | {text.replace('|', chr(92) + '|')} |"
    if fault.remark:
        yield f"\n{fault.remark}"


def _program(fault: InterfaceFault) -> Iterator[str]:
    yield f"### {fault.title}\n"
    yield f"```text\n{fault.script}```\n"
    yield f"This prints `{fault.prints}`, where `{fault.expected}` is right. {fault.remark}"
