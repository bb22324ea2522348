"""The system's globals in low memory, which THINK C's MacHeaders declared by their names.

Programs use these names for their own variables, too: ``Time``, ``MenuList``. So none is declared
before GCC finds that a program uses it and does not declare it. Then the prefix header gets ::

    extern short MemErr __asm__("0x220");

To the assembler the name of this variable is its address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.guest.system_globals import SYSTEM_GLOBALS, SystemGlobal
from emu.toolchain.mac_c.named_headers import PREFIX

_UNDECLARED = re.compile(r"error: '(\w+)' (?:undeclared|was not declared)")
_TYPES = {"INTEGER": "short", "LONGINT": "long"}
_GLOBALS: Mapping[str, SystemGlobal] = {
    variable.name: variable
    for variable in (*SYSTEM_GLOBALS, SystemGlobal("Ticks", LowMemory.TICKS, "LONGINT"))
}


def declare_low_memory(complaint: str, stage: Path) -> bool:
    """Declare the globals that a program lacks; whether the prefix header has changed.

    Args:
        complaint: the compiler's messages.
        stage: the folder with the prefix header; no global is declared if that has no MacHeaders.
    """
    path = stage / PREFIX
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if "MacHeaders" not in text:
        return False
    lines = {
        _declaration(_GLOBALS[name])
        for name in _UNDECLARED.findall(complaint)
        if name in _GLOBALS and _declaration(_GLOBALS[name]) not in text
    }
    path.write_text(text + "".join(sorted(lines)), encoding="utf-8")
    return bool(lines)


def _declaration(variable: SystemGlobal) -> str:
    kind = _TYPES.get(variable.kind, variable.kind)
    return f'extern {kind} {variable.name} __asm__("0x{variable.address:X}");\n'
