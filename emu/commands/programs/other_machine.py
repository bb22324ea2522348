"""Runs a program again on the Macintosh that it shows to want, unless the user has chosen one."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable

from emu.machine.cpu import CPUS
from emu.runner.runner import RunRequest, RunResult
from emu.toolbox.computer.macintosh_models import MACHINES, machine_of

_CHOICES = ("machine", "cpu", "screen", "depth", "against", "memory", "stack")
"""Options that say what the machine is, or that it is the same for two programs."""


def run_where_it_fits(
    request: RunRequest,
    arguments: argparse.Namespace,
    run: Callable[[RunRequest], RunResult],
) -> RunResult:
    """Run a program, and begin again on another Macintosh if it wants one.

    The first run stays if no other ends as well, or if it has changed files of the host.

    Args:
        request: what is to be run.
        arguments: what the user chose.
        run: runs it.
    """
    first = run(request)
    if first.wish is None or any(getattr(arguments, name) is not None for name in _CHOICES):
        return first
    for name in first.wish.machines:
        model = MACHINES[name]
        settings = dataclasses.replace(
            request.settings, machine=name, screen=model.screen, depth=model.depth
        )
        second = run(dataclasses.replace(request, cpu=model.cpu, settings=settings))
        if _badness(second) <= min(_badness(first), 1):
            seen = machine_of("", CPUS[first.cpu]).title
            return dataclasses.replace(
                second,
                instead_of=f"This is its run on a {model.title}. It was begun on a {seen}, where "
                f"the program {first.wish.reason}; that run {_end_of(first)}. With --machine or "
                "--cpu there is no other run.",
            )
    return first


def _badness(result: RunResult) -> int:
    """0 for a run that ended by itself, 1 for one whose time was over, 2 for one that stopped."""
    if result.exit_code < 4:
        return 0
    return 1 if result.is_late else 2


def _end_of(result: RunResult) -> str:
    problem = result.problem.partition("\n")[0].partition("; try --machine")[0]
    return f"did not end well ({problem})" if problem else "ended by itself"
