"""Makes the C prototypes of routines that programs may call and the Toolbox does not have.

They are those of ``emu/toolbox/absent``, a file a header. The header of the same name in
``mac_src/compat`` ends by including the one in ``absent``, which is made here.
"""

from __future__ import annotations

from itertools import groupby

from emu.toolbox.calls.absent_routines import absent_routines

_TEXT = """/* Routines of {header} that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <{header}>

#ifndef ABSENT_{guard}_H
#define ABSENT_{guard}_H

#ifdef __cplusplus
extern "C" {{
#endif

{prototypes}
#ifdef __cplusplus
}}
#endif

#endif
"""


def absent_headers() -> dict[str, str]:
    """The text of every header of absent routines, by its name."""
    by_header = groupby(absent_routines().values(), lambda routine: routine.header)
    return {
        header: _TEXT.format(
            header=header,
            guard=header.removesuffix(".h").upper(),
            prototypes="".join(f"{routine.prototype}\n" for routine in routines),
        )
        for header, routines in by_header
    }
