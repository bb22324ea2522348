"""The pages of Toolbox routines, from their declarations."""

from __future__ import annotations

import inspect
from collections import defaultdict

from emu.toolbox.computer.declaration import Routine, routines_of
from emu.toolbox.managers.all_managers import MANAGERS

_PROCESSORS = {"": "both", "m68k": "68K", "powerpc": "PowerPC"}

_TABLE = """# The Toolbox routines there are

Made by `make docs` from the declarations in `emu/toolbox/managers`. A routine stands here if
`macproof run` does it. The first column is its heading as Inside Macintosh prints it, the second
its 68K trap word, with `/n` for the selector of a trap that several routines share; a routine
without one is glue that 68K programs bring themselves. The third tells which programs can call it,
and the last what it does here, and where that is less than a Mac does.

A call of a routine that does not stand here ends a run with its name and arguments.
[extending.md](extending.md) shows how to add one.

{count} routines, {both} of them for both processors.
"""
_SUMMARY = """# The Toolbox routines there are

`macproof run` does {count} routines of the Toolbox, {both} of them for both processors. Each is
declared with its heading, as Inside Macintosh prints it, its 68K trap word, and what it does here,
and where that is less than a Mac does. `grep -rn -A9 'FUNCTION NewHandle' emu/toolbox/managers`
shows one; the documentation site, which `make docs` builds, has all of them on this page.

| room | routines | the first by name |
|---|--:|---|
{rows}

A call of a routine that is not there ends a run with its name and arguments.
[extending.md](extending.md) shows how to add one; `python docs/generate.py` brings this page up to
date.
"""


def toolbox_page() -> str:
    """The page of the site: a table for each manager."""
    tables = []
    for name, manager in MANAGERS.items():
        rows = sorted(_row(manager, routine, method) for routine, method in routines_of(manager))
        if rows:
            title = name.replace("_", " ").capitalize().replace("Quickdraw", "QuickDraw:")
            tables.append(
                f"\n## {title.replace(': ', ', ')}\n\n"
                "| routine | trap | programs | what it does |\n|---|---|---|---|\n"
                + "\n".join(rows)
                + "\n"
            )
    return _filled(_TABLE) + "".join(tables)


def toolbox_summary() -> str:
    """The page of the repository: how many routines each room of managers has."""
    names = defaultdict(list)
    for manager in MANAGERS.values():
        room = manager.__module__.rpartition(".")[0].replace(".", "/")
        names[room] += [routine.name for routine, _ in routines_of(manager)]
    rows = (
        f"| `{room}` | {len(of_it)} | {', '.join(sorted(set(of_it))[:3])} |"
        for room, of_it in sorted(names.items())
        if of_it
    )
    return _filled(_SUMMARY, rows="\n".join(rows))


def _filled(page: str, **more: str) -> str:
    found = [routine for manager in MANAGERS.values() for routine, _ in routines_of(manager)]
    both = sum(not routine.architecture for routine in found)
    return page.format(count=len(found), both=both, **more)


def _row(manager: type, routine: Routine, method: str) -> str:
    trap = "" if routine.trap is None else f"`{routine.trap:04X}`"
    if routine.selector is not None:
        trap += f" /{routine.selector.value}"
    words = " ".join((inspect.getdoc(getattr(manager, method)) or "").split("\n\n")[0].split())
    heading = routine.heading.partition(" ")[2]
    return f"| `{heading}` | {trap} | {_PROCESSORS[routine.architecture]} | {_plain(words)} |"


def _plain(text: str) -> str:
    for character in "\\|<*_":
        text = text.replace(character, f"\\{character}")
    return text
