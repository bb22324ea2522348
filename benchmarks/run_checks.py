"""What full checks of memory add to the run of a whole program: processor time of both commands.

Run it with ``python -m benchmarks.run_checks [PROGRAM ...]``; it is the application Four Shifts for
both processors if none is named. Each command is run twice, and the second time counts: its code is
translated and kept by then. The time is that of all processes that it has started.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.orphans import adopt_orphans
from benchmarks.short_form import parser_of
from benchmarks.verdict_checks import warm

_APPLICATIONS = Path("mac_src/prebuilt/mac")


def main() -> None:
    """Print a row for each program."""
    parser = parser_of(__doc__)
    parser.add_argument("programs", nargs="*", type=Path, metavar="PROGRAM")
    arguments = parser.parse_args()
    programs = arguments.programs or sorted(_APPLICATIONS.glob("*/Four Shifts.bin"))
    if arguments.short:
        programs = sorted(Path("tests/programs/mac/prebuilt").glob("68000/menus.bin"))
    adopt_orphans()
    print(f"{'program':<40}{'usual, s':>10}{'full, s':>10}{'ratio':>8}")
    for program in programs:
        command = ["macproof", "run", str(program), "--quiet"]
        usual, full = warm(command), warm([*command, "--checks", "full"])
        name = "/".join(program.parts[-2:])
        print(f"{name:<40}{usual:>10.2f}{full:>10.2f}{full / usual:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
