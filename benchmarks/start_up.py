"""How long a command takes from its first instruction to its last, with all that it loads.

Run it with ``python -m benchmarks.start_up``; the figures are processor time of the command and of
the process in which the program is executed. The bytecode of all modules is compiled before, as an
installation by pip does it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.orphans import seconds_of_children
from benchmarks.short_form import parser_of

_ROOT = Path(__file__).parents[1]
_PROGRAMS = _ROOT / "tests" / "programs" / "mac" / "prebuilt"
COMMANDS = {
    "macproof --help": ("--help",),
    "macproof verify --help": ("verify", "--help"),
    "macproof run, 68040, drawing": ("run", str(_PROGRAMS / "68000" / "drawing.bin")),
    "macproof run, 68040, globals": ("run", str(_PROGRAMS / "68000" / "globals.bin")),
    "macproof run, 601, stdio": ("run", str(_PROGRAMS / "601" / "stdio.bin")),
}


def seconds_of(words: tuple[str, ...]) -> float:
    """The processor time of one command, and of the processes that it starts."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    before = seconds_of_children()
    subprocess.run(
        [sys.executable, "-m", "emu.cli", *words],
        check=True,
        cwd=_ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    return seconds_of_children() - before


def main() -> None:
    """Print the median of a few starts of each command."""
    parser = parser_of(__doc__)
    times = 2 if parser.parse_args().short else 9
    for name, words in COMMANDS.items():
        seconds_of(words)  # writes the bytecode
        print(f"{name:30} {statistics.median(seconds_of(words) for _ in range(times)):.2f} s")


if __name__ == "__main__":
    main()
