"""How long one function of a port takes, and how many recorded calls are made again in a second.

``python -m benchmarks.port_speed`` with a compiler for the 68K, on a quiet machine. It copies
``examples/old-game``, records calls of a few functions, and measures processor time:

- ``macproof port verify --function``, with all its processes and what they start. The first run
  compiles with an empty cache; the others find what is kept. The same in a process that has loaded
  macproof and goes on, as a server does.
- A recorded call, made again: memory and registers restored, the new function run, and all that it
  leaves compared with what the old one leaves.

The exit code is 1 if a target is missed, but in the short form, whose figures say little.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.orphans import seconds_of_children
from benchmarks.short_form import parser_of
from emu.port.original.session import SessionTerms
from emu.port.project.project import Project, read_project
from emu.port.recording.recordings import open_store
from emu.port.verify.build import build_port, claimed
from emu.port.verify.judgement import verify_port
from emu.port.verify.verifier import PortVerifier

GAME = Path(__file__).parents[1] / "examples" / "old-game"
FUNCTIONS = ("IsLegal", "CountDiscs", "ListMoves")
CALLS = 100
TURNS = 5
SECONDS_OF_A_FUNCTION = 1.0
REPLAYS_IN_A_SECOND = 5_000


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure, and whether it is as good as it is to be.

    Attributes:
        name: what was measured.
        figure: how much it is, in words.
        target: how much it is to be, in words; "" without a target.
        is_met: whether it is.
    """

    name: str
    figure: str
    target: str = ""
    is_met: bool = True

    def __str__(self) -> str:
        met = f"{self.target}: {'met' if self.is_met else 'MISSED'}" if self.target else ""
        return f"{self.name:44} {self.figure:>16}  {met}".rstrip()


def macproof(*words: str) -> float:
    """Run a command; the processor time of it and of all that it starts, in seconds."""
    # An installation has Python's bytecode; without it the imports alone would take a second.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "macproof", *words]
    before = seconds_of_children()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    after = seconds_of_children()
    if done.returncode not in (0, 1):
        raise SystemExit(f"macproof {' '.join(words)}: {done.stderr or done.stdout}")
    return after - before


def one_function(port: Path, turns: int) -> Iterator[Measurement]:
    """What it takes to verify one function."""
    words = ("port", "verify", str(port), "--function", FUNCTIONS[0])
    yield Measurement(f"verify {FUNCTIONS[0]}, nothing kept", f"{macproof(*words):.2f} s")
    yield _warm("all kept", [macproof(*words) for _ in range(turns)])
    yield _warm("in a server that runs", [_in_this_process(port) for _ in range(turns + 1)][1:])


def _warm(name: str, seconds: Sequence[float]) -> Measurement:
    median = statistics.median(seconds)
    return Measurement(
        f"verify {FUNCTIONS[0]}, {name}",
        f"{median:.2f} s",
        f"under {SECONDS_OF_A_FUNCTION:g} s",
        median < SECONDS_OF_A_FUNCTION,
    )


def _in_this_process(port: Path) -> float:
    """Verify a function as `macproof port mcp` does; the processor time, with other processes."""
    before = os.times()
    verify_port(read_project(port), [FUNCTIONS[0]])
    return sum(os.times()[:4]) - sum(before[:4])


def replays(project: Project, turns: int) -> Iterator[Measurement]:
    """How many recorded calls are made again in a second."""
    port, terms = build_port(project), SessionTerms(project.original, project.cpu)
    functions = claimed(port.claims, FUNCTIONS, project.path)
    with open_store(project, terms) as store:
        verifier = PortVerifier(port, store, terms)
        run = verifier.replayer.run
        for function in functions:
            calls = list(store.calls(function.place))
            graft = verifier.graft(calls[0].script, functions)
            assert graft is not None
            new = graft.functions[function.name]
            compare = verifier.comparison(new).compare
            old = [run(call, new.old) for call in calls]
            rates = []
            for _ in range(turns):
                start = time.process_time()
                for call, outcome in zip(calls, old, strict=True):
                    compare(call, outcome, run(call, new.address))
                rates.append(len(calls) / (time.process_time() - start))
            rate = statistics.median(rates)
            yield Measurement(
                f"{len(calls)} calls of {function.name}, again and again",
                f"{rate:,.0f} a second",
                f"{REPLAYS_IN_A_SECOND:,}",
                rate >= REPLAYS_IN_A_SECOND,
            )


def main() -> int:
    is_short = parser_of(__doc__).parse_args().short
    turns, calls = (1, 5) if is_short else (TURNS, CALLS)
    with tempfile.TemporaryDirectory() as name:
        os.environ["MACPROOF_CACHE"] = str(Path(name) / "cache")
        port = Path(shutil.copytree(GAME, Path(name) / "game")) / "port"
        macproof("port", "record", str(port), "--calls", str(calls))
        found = []
        for part in (one_function(port, turns), replays(read_project(port), turns)):
            for one in part:
                print(one, flush=True)
                found.append(one)
    return 0 if is_short or all(one.is_met for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
