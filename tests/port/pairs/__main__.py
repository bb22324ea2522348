"""Measures compilers of the time again, on the discs that have their programs.

``python -m tests.port.pairs DISCS FOLDER`` does for each program of ``pairs.yaml`` what a porter
would do: it cleans the sources, finds the functions in the old program, plays it, and makes the
recorded calls on old and new functions. FOLDER gets the ports, and ``NAME.figures.yaml`` with the
cycles: an entry of ``emu/cycles/data/compiler_pairs.yaml``. Names of programs after FOLDER choose
these alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.port.pairs.clean_sources import clean

PLANS = Path(__file__).with_name("pairs.yaml")
SCRIPTS = Path(__file__).with_name("scripts")
_CALLS = "12"


def main(discs: Path, folder: Path, *names: str) -> None:
    """Measure the programs of these names; all, if none is given."""
    plans = yaml.safe_load(PLANS.read_text())
    for name in names or plans:
        print(f"{name}: {plans[name]['program']}", flush=True)
        measure(name, plans[name], discs, folder)


def measure(name: str, plan: dict[str, Any], discs: Path, folder: Path) -> None:
    """Make the port of one program, record calls, and count cycles."""
    home, port = discs / plan["folder"], folder / name
    sources = folder / f"{name}-sources"
    written = clean(home / plan["sources"], sources, plan.get("machine_code", ()))
    chosen = [path for path in written if path.name in plan["files"]]
    options = [word for path in chosen for word in ("--source", str(path))]
    original = ("--original", str(home / plan["binary"]), "--cpu", plan["cpu"])
    _run("new", port, *original, *options)
    described = port / "port.yaml"
    described.write_text(_adapted(described.read_text(), plan, home))
    _run("match", port, "--write", "--all")
    script = str(SCRIPTS / f"{name}.yaml")
    limits = ("--timeout", str(plan["seconds"]), "--calls", _CALLS)
    _run("record", port, "--script", script, *limits)
    figures = str(folder / f"{name}.figures.yaml")
    _run("verify", port, "--build", "period", "--cycles", plan["cpu"], "--figures", figures)


def _adapted(text: str, plan: dict[str, Any], home: Path) -> str:
    """A port's description with the compiler's flags, and what else the plan says."""
    lines = [line for line in text.split("\n") if not re.match("(# )?(prefix|cflags|disk):", line)]
    lines += ["prefix: MacHeaders", "cflags: [-std=gnu89, -fno-builtin]"]
    if "disk" in plan:
        lines.append(f"disk: {home / plan['disk']}")
    text = "\n".join(lines) + "\n"
    if "convention" in plan:
        text = re.sub("^convention: .*$", f"convention: {plan['convention']}", text, flags=re.M)
    return text


def _run(command: str, port: Path, *options: str) -> None:
    """Run a command of ``macproof port``; refuted and inconclusive functions are no failure."""
    words = [sys.executable, "-m", "macproof", "port", command, str(port), *options]
    code = subprocess.run(words, check=False).returncode
    if code not in (0, 1, 4):
        raise SystemExit(f"macproof port {command} ended with {code}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit("python -m tests.port.pairs DISCS FOLDER [PROGRAM ...]")
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
