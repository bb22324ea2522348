"""Makes a report of a run: the values of JSON schema ``macproof.run/2``, and the log of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu import __version__
from emu.runner.code_places import CheckedCode, CodeBlocks
from emu.runner.compare_runs import RunComparison
from emu.runner.runner import RunResult
from emu.toolbox.guest.findings import Mistake
from emu.toolbox.users.checkpoints import ReplayProof

SCHEMA = "macproof.run/2"


@dataclass(frozen=True, slots=True)
class PlayedSound:
    """A sampled sound that was played.

    Attributes:
        name: the name of its WAV file, without the suffix.
        seconds: how long it lasts.
        times: how often it was played.
    """

    name: str
    seconds: float
    times: int


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
    """How much of the script was done.

    Attributes:
        done: how many steps were done.
        all: how many steps there are; 0 without a script.
        replay: how they were replayed: "by exact inputs", or "by its steps", with the reason if
            the script has exact inputs; "" without a script.
        proof: how much of the recorded session was compared, all of it equal; or null.
    """

    done: int
    all: int
    replay: str
    proof: ReplayProof | None


@dataclass(frozen=True, slots=True)
class FilmedStep:
    """A step of the user, and what came of it until the next one.

    Attributes:
        step: its number, from 1; 0 for what came before the first.
        words: the step as a line of a script; "" for what came before the first.
        done: whether it could be done.
        virtual_microseconds: the program's time at the end of it.
        calls: how often each Toolbox routine was called meanwhile.
        findings: which of the findings came meanwhile; the first is 0.
    """

    step: int
    words: str
    done: bool
    virtual_microseconds: int
    calls: Mapping[str, int]
    findings: Sequence[int]


@dataclass(frozen=True, slots=True)
class RunReport:
    """A program that was run.

    Attributes:
        macproof: macproof's version.
        command: the command line.
        program: the file.
        cpu: the processor.
        completed: whether the program came to its own end.
        problem: why the program could not go on, in several lines; "" if it could.
        failures: expectations that were not met, as sentences.
        console: what the program wrote to its console.
        windows: the text that the program drew, by window.
        output: contents of the file that counts as the program's output.
        files: the size in bytes of each file that the program made or changed.
        pictures: the names of pictures of its windows and of the screen.
        pictures_left_out: how many pictures were not kept, because there were too many.
        findings: mistakes of the program that did not stop it.
        calls: how often each Toolbox routine was called.
        virtual_microseconds: how long the run took by the program's clock.
        by_asking: the part of this, in microseconds, that passed only because the program asked for
            the time. Speeds that a program measured in such time are not real.
        seconds: how long the run took in real time.
        script_steps: how much of the script was done.
        comparison: the comparison with another program's run, or null.
        descriptions: what a user could do at each point where the program only waited, as YAML for
            the steps of a script; empty if it was not asked for.
        code_blocks: where in memory the code lay that was executed.
        checked_code: how much code was executed with full checks, or null without them.
        sounds: the sampled sounds that were played.
        film: what the user did, step by step, with or without a script.
        instead_of: what was seen of the program on another Macintosh, in place of which this run
            is; "" if it is the only one.
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
    findings: Sequence[Mistake]
    calls: Mapping[str, int]
    virtual_microseconds: int
    by_asking: int
    seconds: float
    script_steps: ScriptSteps
    comparison: RunComparison | None
    descriptions: Sequence[str]
    code_blocks: CodeBlocks
    checked_code: CheckedCode | None
    sounds: Sequence[PlayedSound]
    film: Sequence[FilmedStep]
    instead_of: str


def make_report(
    result: RunResult,
    comparison: RunComparison | None,
    failures: Sequence[str],
    command: Sequence[str],
) -> RunReport:
    """Make the report of a run; it names pictures but does not contain them.

    Args:
        result: the run.
        comparison: the comparison with another program's run, if one was made.
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
        windows=[WindowText(window.title, window.text) for window in result.windows if window.text],
        output=result.output,
        files={name: len(data) for name, data in sorted(result.files.items())},
        pictures=[picture.name for picture in result.pictures],
        pictures_left_out=result.pictures_left_out,
        findings=result.findings,
        calls=dict(sorted(result.calls.items())),
        virtual_microseconds=result.virtual_microseconds,
        by_asking=result.by_asking,
        seconds=round(result.seconds, 3),
        script_steps=ScriptSteps(*result.steps, result.replay, result.proof),
        comparison=comparison,
        descriptions=result.descriptions,
        code_blocks=result.code_blocks,
        checked_code=result.checked_code,
        sounds=[
            PlayedSound(sound.name, round(sound.seconds, 3), sound.times) for sound in result.sounds
        ],
        film=[
            FilmedStep(
                scene.step,
                scene.words,
                scene.done,
                scene.microseconds,
                dict(sorted(scene.calls.items())),
                scene.findings,
            )
            for scene in result.film
        ],
        instead_of=result.instead_of,
    )


def log_lines(result: RunResult) -> str:
    """The call log, one line for each call; a dot marks calls that compilers' libraries make."""
    return "".join(f"{'. ' if call.plumbing else '  '}{call.text}\n" for call in result.log)
