"""The command that opens a failing scene in a debugger."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from emu.cases.programs.subject import UNICORN
from emu.machine.cpu import CPUS
from emu.verify.explain_failure import ExplainedFailure

_ARCHITECTURES = ("m68k", "powerpc")
_OF_PROGRAMS = (
    *("--source", "--prefix", "--headers", "--program"),
    *("--programs", "--compiler", "--toolchain"),
)
"""The options that say which program it is."""


def debugging_hint(
    explained: ExplainedFailure, arguments: argparse.Namespace, report: Path | None
) -> tuple[str, ...]:
    """A sentence with the command; none for what cannot be debugged.

    Args:
        explained: the failure.
        arguments: the command line that has explained it.
        report: the file that the failure was read from; None if the case was verified anew.
    """
    subject = explained.program
    can_be = CPUS[subject.cpu].architecture in _ARCHITECTURES and subject.engine == UNICORN
    if not can_be or subject.patches:
        return ()
    words = ["macproof", "debug", arguments.what]
    if report is None:
        words += ["--scene", explained.explanation.spec.word, "--smallest"]
        words += _options_of_programs(arguments.command_line)
    words += ["--cpu", subject.cpu]
    if getattr(arguments, "program", None) is None:
        words += ["--build", subject.build]
    at = " (at the store of the first wrong value: --at-difference)"
    has_wrong_value = explained.explanation.divergence is not None
    return (f"Next, step through it with GDB: {shlex.join(words)}{at * has_wrong_value}",)


def _options_of_programs(command: Sequence[str]) -> Iterator[str]:
    words = iter(command)
    for word in words:
        name, has_value, _ = word.partition("=")
        if name in _OF_PROGRAMS:
            yield word
            if not has_value:
                yield next(words, "")
