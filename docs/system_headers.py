"""Makes the headers that name the system's numbers: trap words, and the globals in low memory.

``Traps.h`` has the words of ``emu/program/traps.txt``, as ``_NewHandle``. ``SysEqu.h`` has the
addresses of the globals, as MPW has them, and ``LoMem.h`` the globals as variables at these
addresses, as THINK C has them; both from `emu.toolbox.guest.system_globals`.
"""

from __future__ import annotations

from emu.program.instructions.trap_table import signatures, trap_table
from emu.toolbox.guest.system_globals import SYSTEM_GLOBALS, SystemGlobal

_TEXT = """/* {header}: {what}. See Types.h for what these headers are.
 * Made by docs/generate.py from {source}.
 */

#ifndef COMPAT_{guard}_H
#define COMPAT_{guard}_H

#include <Types.h>
{more}
{lines}
#endif
"""
_C_TYPES = {"INTEGER": "short", "LONGINT": "long"}
_STRUCTS = {"WindowPtr": "struct GrafPort*", "GrafPtr": "struct GrafPort*", "THz": "struct Zone*"}
_HANDLES = {"RgnHandle": "struct Region**"}


def system_headers() -> dict[str, str]:
    """The text of each of these headers, by its name."""
    globals_of = "emu/toolbox/guest/system_globals.py"
    variables = sorted(SYSTEM_GLOBALS, key=lambda variable: variable.name)
    return {
        "Traps.h": _header(
            "Traps.h", "the words of the traps", "emu/program/traps.txt", _enumeration(_traps())
        ),
        "SysEqu.h": _header(
            "SysEqu.h",
            "the addresses of the system's globals",
            globals_of,
            _enumeration({variable.name: variable.address for variable in variables}),
            more="\n#ifndef COMPAT_LOMEM_H  /* has the globals themselves by these names */",
            end="#endif\n",
        ),
        "LoMem.h": _header(
            "LoMem.h",
            "the system's globals, which lie in low memory",
            globals_of,
            "".join(map(_variable, variables)),
        ),
    }


def _header(name: str, what: str, source: str, lines: str, more: str = "", end: str = "") -> str:
    guard = name.removesuffix(".h").upper()
    return _TEXT.format(
        header=name, what=what, source=source, guard=guard, more=more, lines=lines + end
    )


def _enumeration(numbers: dict[str, int]) -> str:
    members = "".join(f"    {name} = 0x{number:X},\n" for name, number in numbers.items())
    return f"enum\n{{\n{members.rstrip()[:-1]}\n}};\n"


def _traps() -> dict[str, int]:
    """The word of each trap that takes no selector, and of each dispatcher, by Apple's names."""
    words = {f"_{trap.name}": word for word, trap in trap_table().items()}
    for call in signatures().values():
        if call.selector is None:
            words.update({f"_{name}": call.trap for name in (call.name, *call.others)} | words)
    return dict(sorted(words.items()))


def _variable(variable: SystemGlobal) -> str:
    kind = _C_TYPES.get(variable.kind) or _STRUCTS.get(variable.kind) or _HANDLES.get(variable.kind)
    name = f"#define {variable.name}"
    return f"{name:<28}(*({kind or variable.kind}*) 0x{variable.address:X})\n"
