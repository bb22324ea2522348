"""The command by which ``macproof explain`` ends leads to the same scene in a debugger."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from emu.toolchain.sources import mac_sources

Command = Callable[..., Any]


def _hint(out: str) -> list[str]:
    """The words of the command that is printed."""
    (line,) = (line for line in out.splitlines() if line.startswith("Next, step through it"))
    command, _, rest = line.partition(": ")[2].partition(" (")
    assert rest == "at the store of the first wrong value: --at-difference)"
    return shlex.split(command)


def test_explain_ends_with_the_command(
    macproof: Command, tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    text = (mac_sources() / "four_shifts/four_shifts.cpp").read_text()
    port = tmp_path / "my port.cpp"
    port.write_text(text.replace("< kRectSize", "<= kRectSize"))
    options = ("--source", str(port), "--cpu", "68000", "--build", "O2")
    done = macproof(
        "explain", "four-shifts", *options, "--scenes", "4", "--html", str(tmp_path / "x.html")
    )
    assert done.code == 1
    words = _hint(done.out)
    assert words[:3] == ["macproof", "debug", "four-shifts"]
    assert words[3] == "--scene"
    assert words[5:] == ["--smallest", *options]
    report = tmp_path / "report.json"
    macproof("verify", "four-shifts", *options, "--scenes", "4", "--json", str(report))
    done = macproof("explain", str(report))
    assert _hint(done.out) == [
        "macproof", "debug", str(report), "--cpu", "68000", "--build", "O2"
    ]  # fmt: skip
