"""Makes a document of a run: how it ended, what it wrote and drew, and what it did wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Literal,
    Outcome,
    Part,
    PngPicture,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import verdict_outcome
from emu.runner.code_places import CheckedCode
from emu.runner.compare_runs import RunComparison
from emu.runner.film_document import film_of
from emu.runner.report import SCHEMA, make_report
from emu.runner.runner import RunResult
from emu.toolbox.guest.findings import Mistake, Sureness
from emu.toolbox.managers.events.waiting import LOOKING

_ALERTS = ("Alert", "StopAlert", "NoteAlert", "CautionAlert")

_MEASURING = 1_000_000
"""Microseconds. A program whose clock moved so far by its questions has measured a time, or has
waited for one."""

_NOT_MEASURED = (
    "Times and speeds that it measured are not real: its clock moved when it asked for the time, "
    "not while it worked. With --clock model it measures what the cycle model predicts."
)

_ADDRESS_OR_SIZE = re.compile(r"0x[0-9a-f]+|\d+ bytes")

TEXT = "What the program wrote"
"""The title of the section with the program's own text."""

PICTURES = "Pictures"
"""The title of the section that names its pictures."""


def run_document(
    result: RunResult,
    failures: Sequence[str] = (),
    *,
    comparison: RunComparison | None = None,
    other: str = "",
    command: Sequence[str] = (),
) -> Document:
    """Make a document of a run.

    Args:
        result: the run.
        failures: expectations that were not met, as sentences.
        comparison: the comparison with another program's run, if one was made.
        other: the other program's name.
        command: the command line.
    """
    return Document(
        title=f"{result.program.name} on the {result.cpu}",
        outcome=_outcome(result, failures),
        sections=tuple(_sections(result, failures, comparison, other)),
        checks=(_check(result, failures, comparison),),
        seconds=result.seconds,
        data=make_report(result, comparison, failures, command),
        schema=SCHEMA,
    )


def _outcome(result: RunResult, failures: Sequence[str]) -> Outcome:
    calls = sum(result.calls.values())
    caveat = (
        f"{calls:,} Toolbox calls of {len(result.calls)} routines, "
        f"{result.virtual_microseconds / 1e6:.2f} s of its time, {_outputs(result)}"
    )
    if result.problem:
        return verdict_outcome("did not end well", caveat)
    if failures:
        return verdict_outcome("not as expected", caveat)
    return verdict_outcome("ended by itself", caveat)


def _outputs(result: RunResult) -> str:
    """What a user had of the run: windows and alerts, and whether the program asked for events."""
    drawn = sum(window.picture is not None for window in result.windows)
    alerts = sum(result.calls.get(name, 0) for name in _ALERTS)
    looks = sum(result.calls.get(name, 0) for name in LOOKING)
    return ", ".join(
        [
            f"{_counted(drawn, 'window')} seen",
            *([_counted(alerts, "alert")] if alerts else []),
            f"asked for events {_counted(looks, 'time')}" if looks else "never asked for an event",
        ]
    )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _sections(
    result: RunResult, failures: Sequence[str], comparison: RunComparison | None, other: str
) -> Iterator[Section]:
    if result.film:
        findings = tuple(map(_mistake, result.findings))
        film = film_of(result.film, findings)
        yield Section("Film", (film,), is_detail=True, is_open=True)
    if result.pictures:
        lacking = result.pictures_left_out
        more = (f"{_counted(lacking, 'picture')} more left out.",) if lacking else ()
        pictures = (PngPicture(picture.name, picture.png) for picture in result.pictures)
        yield Section(PICTURES, (*pictures, *more))
    text = f"{result.text}{result.output}"
    if text:
        yield Section(TEXT, (Literal(tuple(text.rstrip("\n").splitlines())),))
        if _asked_for_time(result):
            yield Section("Its clock", (_NOT_MEASURED,))
    if result.instead_of:
        yield Section("Which Macintosh", (result.instead_of,))
    if result.descriptions:
        steps = "\n".join(result.descriptions).splitlines()
        yield Section("What a user could do", (Literal(tuple(steps)),))
    if result.problem:
        yield Section("Why it did not end well", (Literal(tuple(result.problem.splitlines())),))
    if failures:
        yield Section("Not as expected", (Points(tuple(failures)),))
    mistakes, unusual = _mistakes(result), _mistakes(result, unusual=True)
    if mistakes:
        yield Section("Mistakes of the program", (Points(mistakes),))
    if unusual:
        yield Section("Unusual, but allowed", (Points(unusual),))
    if result.checked_code is not None:
        yield Section("Memory", (_checked(result.checked_code),))
    parts = tuple(_script_and_files(result))
    if parts:
        yield Section("Script and files", parts)
    if comparison is not None:
        yield Section("Comparison with the other program", tuple(_compared(comparison, other)))
    if result.calls:
        calls = sorted(result.calls.items(), key=lambda item: -item[1])
        rows = tuple((name, f"{times:,}") for name, times in calls)
        yield Section("Toolbox calls", (Table(("routine", "calls"), rows),), is_detail=True)


def _asked_for_time(result: RunResult) -> bool:
    """Whether most of the program's time passed because it asked for it."""
    return result.by_asking >= _MEASURING and 2 * result.by_asking > result.virtual_microseconds


def _mistakes(result: RunResult, *, unusual: bool = False) -> tuple[str, ...]:
    """What the checks found, as sentences: what is wrong, or what is merely unusual.

    Of findings that differ only in addresses and sizes, such as those of a hundred handles at one
    place, the first is told.
    """
    alike: dict[tuple[str, ...], list[Mistake]] = {}
    for finding in result.findings:
        if (finding.sureness is Sureness.UNUSUAL) is unusual:
            words = _ADDRESS_OR_SIZE.sub("", finding.problem)
            key = (finding.check, words, finding.routine, finding.caller, finding.sureness)
            alike.setdefault(key, []).append(finding)
    return tuple(
        _mistake(first)
        + (f"; {len(others):,} more differ only in addresses and sizes" * bool(others))
        for first, *others in alike.values()
    )


def _mistake(finding: Mistake) -> str:
    times = f", {finding.times:,} times" if finding.times > 1 else ""
    where = f"before {finding.routine}, called from {finding.caller}" if finding.routine else ""
    sure = "" if finding.sureness is Sureness.UNUSUAL else finding.sureness
    inner = "; ".join(filter(None, [f"{where}{times}".removeprefix(", "), sure]))
    return f"{finding.check}: {finding.problem}" + (f" ({inner})" if inner else "")


def _checked(code: CheckedCode) -> str:
    """What executed the code of which every access to memory was looked at."""
    if code.engine is None:
        how = "it was all executed on Unicorn"
    else:
        total = code.translated + code.engine
        share = code.translated / total if total else 0
        how = (
            f"of {total:,} bytes of code {share:.1%} were executed translated, the rest on Unicorn"
        )
    return f"every access of the program's own code was looked at: {how}"


def _script_and_files(result: RunResult) -> Iterator[str]:
    done, steps = result.steps
    if steps:
        yield f"script: {done} of {steps} steps done, replayed {result.replay}"
    if result.proof is not None:
        yield f"replay: {result.proof}"
    if result.sounds:
        played = (
            f"{sound.name} ({sound.seconds:.2f} s, {sound.times} times)" for sound in result.sounds
        )
        yield "sounds it played: " + ", ".join(played)
    if result.serial:
        yield f"to the serial ports: {len(result.serial):,} bytes, which --serial keeps"
    if result.datagrams:
        count = result.datagrams.count(b"\n")
        yield f"by UDP: {count:,} lines, which --datagrams keeps"
    if result.files:
        sizes = (f"{name} ({len(data):,} bytes)" for name, data in sorted(result.files.items()))
        yield "files it wrote: " + ", ".join(sizes)
    blocks = result.code_blocks
    if blocks.on_stack or blocks.among_globals:
        yield (
            f"blocks of code executed: {blocks.usual:,} where programs have their code, "
            f"{blocks.on_stack:,} on the stack, {blocks.among_globals:,} among the globals"
        )


def _compared(comparison: RunComparison, other: str) -> Iterator[Part]:
    what = (
        f"{comparison.lines:,} lines of text, {comparison.calls:,} calls, {comparison.files} files "
        f"and {comparison.pictures} pictures ({comparison.pixels:,} pixels)"
    )
    if not comparison.differences:
        yield f"the same as {other}: {what} compared"
        return
    yield f"not the same as {other}; compared: {what}"
    for difference in comparison.differences:
        yield f"{difference.what} differ at {difference.where}:"
        yield Literal((*difference.first.splitlines(), *difference.second.splitlines()))


def _check(result: RunResult, failures: Sequence[str], comparison: RunComparison | None) -> Check:
    """Make a check of the run: an error if the guest had to stop, a failure if it went wrong."""
    reasons = [*([result.problem] if result.problem else []), *failures]
    fate = CheckStatus.FAILURE if reasons else CheckStatus.PASSED
    if result.exit_code == 4:
        fate = CheckStatus.ERROR
    if reasons:
        reasons += _mistakes(result)
        reasons += map(str, comparison.differences if comparison is not None else ())
    properties = {"Toolbox calls": str(sum(result.calls.values()))}
    name = f"{result.program.name} {result.cpu}"
    return Check("run", name, fate, "\n".join(reasons), properties)
