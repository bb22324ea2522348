"""What is written about a run: JSON, the call log, and a few lines for a reader."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from emu import __version__
from emu.runner.compare_runs import Comparison
from emu.runner.runner import RunResult

SCHEMA = "macproof.run/1"


def run_to_json(
    result: RunResult, comparison: Comparison | None, failures: Sequence[str], command: list[str]
) -> str:
    """The whole result as JSON, pictures by name only.

    Args:
        result: the run.
        comparison: with another program, if there was one.
        failures: expectations that were not met, as sentences.
        command: what the user typed.
    """
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "macproof": __version__,
        "command": command,
        "program": str(result.program),
        "cpu": result.cpu,
        "completed": result.completed,
        "problem": result.problem,
        "failures": list(failures),
        "console": result.console,
        "windows": [{"title": title, "text": text} for title, text in result.windows],
        "output": result.output,
        "files": {name: len(data) for name, data in sorted(result.files.items())},
        "pictures": [picture.name for picture in result.pictures],
        "pictures_left_out": result.pictures_left_out,
        "findings": [
            {
                "check": finding.check,
                "problem": finding.problem,
                "routine": finding.routine,
                "caller": finding.caller,
                "times": finding.times,
            }
            for finding in result.findings
        ],
        "calls": dict(sorted(result.calls.items())),
        "virtual_microseconds": result.virtual_microseconds,
        "seconds": round(result.seconds, 3),
        "script_steps": {"done": result.steps[0], "all": result.steps[1]},
    }
    if comparison is not None:
        document["comparison"] = {
            "lines": comparison.lines,
            "calls": comparison.calls,
            "files": comparison.files,
            "pictures": comparison.pictures,
            "pixels": comparison.pixels,
            "differences": [
                {"what": d.what, "where": d.where, "first": d.first, "second": d.second}
                for d in comparison.differences
            ],
        }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def log_lines(result: RunResult) -> str:
    """The call log, a line a call; calls of compilers' libraries are marked with a dot."""
    return "".join(f"{'. ' if call.plumbing else '  '}{call.text}\n" for call in result.log)


def summary(result: RunResult) -> Iterator[str]:
    """A few lines about a run, for a reader."""
    calls = sum(result.calls.values())
    ended = "ended by itself" if not result.problem else "did not end well"
    yield (
        f"{result.program.name} on the {result.cpu}: {ended} after {calls:,} Toolbox calls "
        f"({len(result.calls)} routines), {result.virtual_microseconds / 1e6:.2f} s of its time, "
        f"{result.seconds:.2f} s of ours"
    )
    if result.steps[1]:
        yield f"script: {result.steps[0]} of {result.steps[1]} steps done"
    if result.pictures:
        more = f" and {result.pictures_left_out:,} left out" if result.pictures_left_out else ""
        yield "pictures: " + ", ".join(picture.name for picture in result.pictures) + more
    if result.files:
        sizes = (f"{name} ({len(data):,} bytes)" for name, data in sorted(result.files.items()))
        yield "files it wrote: " + ", ".join(sizes)
    for finding in result.findings:
        times = f", {finding.times:,} times" if finding.times > 1 else ""
        where = f"before {finding.routine}, called from {finding.caller}" if finding.routine else ""
        where = f"{where}{times}".removeprefix(", ")
        yield f"{finding.check}: {finding.problem}" + (f" ({where})" if where else "")


def comparison_lines(comparison: Comparison, other: str) -> Iterator[str]:
    """A few lines about a comparison."""
    what = (
        f"{comparison.lines:,} lines of text, {comparison.calls:,} calls, {comparison.files} files "
        f"and {comparison.pictures} pictures ({comparison.pixels:,} pixels)"
    )
    if not comparison.differences:
        yield f"the same as {other}: {what} compared"
        return
    yield f"not the same as {other}; compared: {what}"
    for difference in comparison.differences:
        yield str(difference)
