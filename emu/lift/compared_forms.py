"""Forms of instructions whose lifted meaning was compared with a processor or an engine.

Only instructions of these forms are lifted. The lists are files of ``emu/lift/compared``, written
by ``python -m tests.lift.compare`` and, for the PowerPC, ``python -m tests.lift.compare_ppc``. Of a
processor without a list nothing is lifted.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from emu.lift.m68k.m68k_forms import m68k_form
from emu.lift.powerpc.forms import ppc_form
from emu.machine.cpu import Cpu

_FORM_OF: Mapping[str, Callable[[str, bytes], str]] = {"m68k": m68k_form, "powerpc": ppc_form}
_LISTS = Path(__file__).parent / "compared"


@dataclass(frozen=True, slots=True)
class ComparedForms:
    """What was compared of a processor.

    Attributes:
        processor: its name.
        date: when, as "2026-11-27".
        versions: what was compared with what, with versions.
        forms: for each form, with how many states; in all of them both did the same.
    """

    processor: str
    date: str
    versions: tuple[str, ...]
    forms: Mapping[str, int]


@functools.cache
def compared_forms(processor: str) -> ComparedForms | None:
    """The list of a processor, by its name; None if there is none."""
    path = _LISTS / f"{processor}.json"
    if not path.exists():
        return None
    document = json.loads(path.read_text())
    return ComparedForms(
        processor,
        document["date"],
        tuple(document["versions"]),
        {
            f"{name} {operands}".rstrip(): states
            for name, each in document["forms"].items()
            for operands, states in each.items()
        },
    )


def is_form_compared(cpu: Cpu, code: bytes) -> bool:
    """Whether the form of an instruction is in the list of its processor."""
    compared = compared_forms(cpu.name)
    return compared is not None and _FORM_OF[cpu.architecture](cpu.name, code) in compared.forms


def write_compared(compared: ComparedForms) -> None:
    """Write the list of a processor, a line for each mnemonic."""
    names: dict[str, dict[str, int]] = {}
    for form, states in sorted(compared.forms.items()):
        name, _, operands = form.partition(" ")
        names.setdefault(name, {})[operands] = states
    lines = (f"{json.dumps(name)}: {json.dumps(each)}" for name, each in names.items())
    head = json.dumps({"date": compared.date, "versions": compared.versions}, indent=0)[1:-2]
    text = f'{{{head},\n"forms": {{\n' + ",\n".join(lines) + "\n}}\n"
    (_LISTS / f"{compared.processor}.json").write_text(text)
