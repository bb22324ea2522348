"""The command that goes on where a verification found a failure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from emu.verify.report.report import ProgramResult, VerifyReport

_KEPT = frozenset({"--source", "--program", "--programs", "--scenes", "--seed", "--objects"})
"""The options of ``verify`` that ``explain`` has, too; all of them have a value."""


def explain_command(report: VerifyReport, result: ProgramResult) -> tuple[str, ...]:
    """The words of the command that explains the first failure of a program.

    With the report as JSON it is explained at once. Otherwise the case is verified again.

    Args:
        report: the report.
        result: the program's result in it.
    """
    words = report.receipt.command
    file = dict(_options(words)).get("--json")
    if file is not None:
        return ("macproof", "explain", file, *_program(result))
    case = report.receipt.case
    named = case.name if case.name in words else case.file
    kept = (word for name, value in _options(words) if name in _KEPT for word in (name, value))
    return ("macproof", "explain", named, *kept, *_program(result))


def _program(result: ProgramResult) -> tuple[str, ...]:
    build = () if result.program.origin == "given" else ("--build", result.build)
    return ("--cpu", result.cpu, *build)


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options of a command line that have values."""
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if not name.startswith("--"):
            continue
        if equals:
            yield name, value
        elif index + 1 < len(words):
            yield name, words[index + 1]
