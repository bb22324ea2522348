"""What checks of memory cost a whole verdict: processor time of ``macproof verify CASE``.

Run it with ``python -m benchmarks.verdict_checks [CASE ...]``; it is every case that comes with
macproof if none is named. Each row is a case: the seconds of the command with ``--checks usual``,
those without it, and how many times as long that is. Translations are in the cache: each command
runs once before. All processes of a command count. The last line says whether the limit is met.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from benchmarks.orphans import adopt_orphans, children, seconds_of_children, wait_for_orphans
from benchmarks.short_form import parser_of
from emu.cases.files.places import find_cases
from emu.cases.find import load_case

LIMIT = 1.3
"""The most that a command without options should take, as a multiple of ``--checks usual``."""


def main() -> None:
    """Print a row for each case."""
    parser = parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    arguments = parser.parse_args()
    cases = arguments.cases or [load_case(str(path)).name for path in find_cases()]
    options: list[str] = []
    if arguments.short:
        cases, options = ["brute-force"], ["--scenes", "2", "--build", "O2"]
    adopt_orphans()
    print(f"{'case':<36}{'usual, s':>10}{'default, s':>12}{'ratio':>8}")
    ratios = {}
    for case in cases:
        usual, default = (
            warm(["macproof", "verify", case, "--quiet", *options, *checks])
            for checks in (["--checks", "usual"], [])
        )
        ratios[case] = default / usual
        print(f"{case:<36}{usual:>10.2f}{default:>12.2f}{ratios[case]:>8.2f}", flush=True)
    above = [case for case, ratio in ratios.items() if ratio > LIMIT]
    word = f"missed by {', '.join(above)}" if above else "met"
    most, middle = max(ratios.values()), statistics.median(ratios.values())
    print(f"at most {most:.2f}, median {middle:.2f}, limit {LIMIT}: {word}")


def warm(command: list[str]) -> float:
    """Seconds of processor time of a command when it runs for the second time."""
    _spent(command)
    return _spent(command)


def _spent(command: list[str]) -> float:
    others, began = children(), seconds_of_children()
    started = [sys.executable, "-m", *command]
    done = subprocess.run(started, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):  # verified or refuted
        sys.exit(f"{' '.join(command)} ends with {done.returncode}")
    wait_for_orphans(others)
    return seconds_of_children() - began


if __name__ == "__main__":
    main()
