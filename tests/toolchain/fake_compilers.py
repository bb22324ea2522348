"""Compilers of other names, which call Debian's and hide a part of them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tests.small_cases import require_compilers

_SCRIPT = """#!{python}
import os, subprocess, sys

real, name, machine, words = {real!r}, {name!r}, {machine!r}, sys.argv[1:]
if words == ["-dumpmachine"] and machine:
    print(machine)
elif words == ["--version"]:
    text = subprocess.run([real, *words], capture_output=True, text=True).stdout
    print(text.replace(real, name, 1), end="")
elif "-print-libgcc-file-name" in words and {hides_libgcc}:
    print("libgcc.a")
else:
    own = {flags!r}
    own += ["-isystem", subprocess.run([real, "-print-file-name=include"], capture_output=True,
            text=True).stdout.strip()] if own else []
    os.execvp(real, [real, *own, *words])
"""


def fake_compiler(
    folder: Path,
    name: str,
    *,
    cpu: str = "68040",
    machine: str = "",
    has_library: bool = True,
    has_libgcc: bool = True,
) -> Path:
    """Write a compiler that calls Debian's; a test is skipped if that is not installed.

    Args:
        folder: where it is written; missing folders are made.
        name: its name.
        cpu: a processor that Debian's compiler is for.
        machine: what it says that it compiles for; "" for the truth.
        has_library: whether it has the headers and start files of a C library.
        has_libgcc: whether it has GCC's own library.
    """
    require_compilers(cpu)
    real = "powerpc-linux-gnu-g++" if cpu == "601" else "m68k-linux-gnu-g++"
    return write_tool(
        folder / name,
        _SCRIPT.format(
            python=sys.executable,
            real=real,
            name=name,
            machine=machine,
            hides_libgcc=not has_libgcc,
            flags=[] if has_library else ["-nostdlib", "-nostartfiles", "-nostdinc"],
        ),
    )


def saying(folder: Path, name: str, **answers: str) -> Path:
    """Write a tool that prints a text for the option that it is given, such as "dumpmachine"."""
    lines = [
        f"  -{'-' * (o == 'version')}{o.replace('_', '-')}) echo {shlex.quote(text)};;"
        for o, text in answers.items()
    ]
    return write_tool(folder / name, "\n".join(("#!/bin/sh", 'case "$1" in', *lines, "esac\n")))


def write_tool(path: Path, text: str) -> Path:
    """Write a file that can be executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path
