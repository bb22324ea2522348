"""Writes what is made from declarations in the code: pages, and headers of Toolbox routines.

    python docs/generate.py

``tests/test_documentation.py`` sees that what is committed is what this writes.
"""

from __future__ import annotations

import inspect
from pathlib import Path

from api_page import api_page
from record_headers import record_headers
from toolbox_headers import COMPAT, routine_headers

from emu.toolbox.declaration import Routine, routines_of
from emu.toolbox.managers.all import MANAGERS

HERE = Path(__file__).parent
_PROCESSORS = {"": "both", "m68k": "68K", "powerpc": "PowerPC"}

_TOOLBOX = """# The Toolbox routines there are

Made by `python docs/generate.py` from the declarations in `emu/toolbox/managers`. A routine stands
here if `macproof run` does it. The first column is its heading as Inside Macintosh prints it, the
second its 68K trap word, with `/n` for the selector of a trap that several routines share; a
routine without one is glue that 68K programs bring themselves. The third tells which programs can
call it, and the last what it does here, and where that is less than a Mac does.

A call of a routine that does not stand here ends a run with its name and arguments.
[extending.md](extending.md) shows how to add one.

{count} routines, {both} of them for both processors.
"""


def toolbox_page() -> str:
    """The page of Toolbox routines, a table for each manager."""
    tables = []
    found: list[Routine] = []
    for name, manager in MANAGERS.items():
        rows = sorted(_row(manager, routine, method) for routine, method in routines_of(manager))
        if rows:
            found += [routine for routine, _ in routines_of(manager)]
            title = name.replace("_", " ").capitalize().replace("Quickdraw", "QuickDraw:")
            tables.append(
                f"\n## {title.replace(': ', ', ')}\n\n"
                "| routine | trap | programs | what it does |\n|---|---|---|---|\n"
                + "\n".join(rows)
                + "\n"
            )
    both = sum(not routine.architecture for routine in found)
    return _TOOLBOX.format(count=len(found), both=both) + "".join(tables)


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


PAGES = {"api.md": api_page, "toolbox.md": toolbox_page}
"""The functions that make pages, by the names of their files."""


def made() -> dict[Path, str]:
    """The text of every file that is made, by its path."""
    pages = {HERE / name: make() for name, make in PAGES.items()}
    headers = {COMPAT / "routines" / name: text for name, text in routine_headers().items()}
    records = {COMPAT / "records" / name: text for name, text in record_headers().items()}
    return {**pages, **headers, **records}


def main() -> None:
    """Write every file."""
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
