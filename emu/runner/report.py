"""A run as a report: the values of JSON schema ``macproof.run/2``, and its log of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu import __version__
from emu.runner.compare_runs import RunComparison
from emu.runner.runner import RunResult
from emu.toolbox.findings import Finding

SCHEMA = "macproof.run/2"


@dataclass(frozen=True, slots=True)
class WindowText:
    """What was drawn into a window.

    Attributes:
        title: the window's title.
        text: the text in it.
    """

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ScriptSteps:
    """How far the script came.

    Attributes:
        done: steps that were done.
        all: steps that there are; 0 without a script.
    """

    done: int
    all: int


@dataclass(frozen=True, slots=True)
class RunReport:
    """A program that was run.

    Attributes:
        macproof: the version.
        command: the command line.
        program: the file.
        cpu: the processor.
        completed: whether the program came to its own end.
        problem: why it did not, in several lines, or "".
        failures: expectations that were not met, as sentences.
        console: what it wrote to its console.
        windows: the text it drew.
        output: contents of the file that counts as its output.
        files: how many bytes each file has that it made or changed.
        pictures: the names of pictures of its windows and of the screen.
        pictures_left_out: how many were too many to keep.
        findings: mistakes that did not stop it.
        calls: how often each Toolbox routine was called.
        virtual_microseconds: how long it took by its own clock.
        seconds: how long it took by ours.
        script_steps: how far the script came.
        comparison: with another program, or null.
    """

    macproof: str
    command: Sequence[str]
    program: str
    cpu: str
    completed: bool
    problem: str
    failures: Sequence[str]
    console: str
    windows: Sequence[WindowText]
    output: str
    files: Mapping[str, int]
    pictures: Sequence[str]
    pictures_left_out: int
    findings: Sequence[Finding]
    calls: Mapping[str, int]
    virtual_microseconds: int
    seconds: float
    script_steps: ScriptSteps
    comparison: RunComparison | None


def make_report(
    result: RunResult,
    comparison: RunComparison | None,
    failures: Sequence[str],
    command: Sequence[str],
) -> RunReport:
    """The whole result, pictures by name only.

    Args:
        result: the run.
        comparison: with another program, if there was one.
        failures: expectations that were not met, as sentences.
        command: the command line.
    """
    return RunReport(
        macproof=__version__,
        command=command,
        program=str(result.program),
        cpu=result.cpu,
        completed=result.completed,
        problem=result.problem,
        failures=failures,
        console=result.console,
        windows=[WindowText(one.title, one.text) for one in result.windows if one.text],
        output=result.output,
        files={name: len(data) for name, data in sorted(result.files.items())},
        pictures=[picture.name for picture in result.pictures],
        pictures_left_out=result.pictures_left_out,
        findings=result.findings,
        calls=dict(sorted(result.calls.items())),
        virtual_microseconds=result.virtual_microseconds,
        seconds=round(result.seconds, 3),
        script_steps=ScriptSteps(*result.steps),
        comparison=comparison,
    )


def log_lines(result: RunResult) -> str:
    """The call log, a line a call; calls of compilers' libraries are marked with a dot."""
    return "".join(f"{'. ' if call.plumbing else '  '}{call.text}\n" for call in result.log)
