"""Chooses the programs of a case that are tested, by the options and the marker ``mac``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import MacproofError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.toolchain.builds import ALL_TARGETS

_MARKER = "@pytest.mark.mac"
_ARGUMENTS = ("case", "cpus", "builds")


class WrongMarker(Exception):
    """A marker ``mac`` has no case, or names something that does not exist."""


@dataclass(frozen=True, slots=True)
class CaseProgram:
    """A program of a case, before it is compiled."""

    case: Case
    cpu: str
    build: str

    @property
    def id(self) -> str:
        """The text in brackets in a test's name: "68040-O2"."""
        return f"{self.cpu}-{self.build}"


def chosen_cpus(cpus: Sequence[str], config: pytest.Config) -> list[str]:
    """Leave out the processors that ``--macproof-cpu`` does not name."""
    wanted = config.option.macproof_cpu
    return [cpu for cpu in dict.fromkeys(cpus) if not wanted or cpu in wanted]


def require_cpus(cpus: Iterable[str], where: str, error: type[Exception]) -> None:
    """Raise an error that names the first processor that does not exist."""
    for cpu in cpus:
        if cpu not in ALL_TARGETS:
            raise error(f"{where}: there is no CPU {cpu}{did_you_mean(str(cpu), ALL_TARGETS)}")


def words(error: BaseException, config: pytest.Config) -> str:
    """The message of an error; with ``-v`` also the traceback of a reference that failed."""
    trace = getattr(error, "trace", "")
    return f"{error}\n\n{trace}".rstrip() if trace and config.option.verbose > 0 else str(error)


def marked_programs(marker: pytest.Mark, path: Path, config: pytest.Config) -> list[CaseProgram]:
    """The programs that a marker names.

    Args:
        marker: the marker.
        path: the file of the test. The case is looked for in its folder first.
        config: the options.

    Raises:
        WrongMarker: the marker has no case, or names something that does not exist.
    """
    given = _arguments(marker)
    place, cpus, builds = given["case"], given.get("cpus"), given.get("builds")
    beside = path.parent / place
    try:
        case = load_case(beside if beside.exists() else place)
    except MacproofError as error:
        raise WrongMarker(f"{_MARKER}: {words(error, config)}") from error
    require_cpus(cpus or (), _MARKER, WrongMarker)
    for build in builds or ():
        if build not in case.builds:
            hint = did_you_mean(str(build), case.builds)
            raise WrongMarker(f"{_MARKER}: {case.name} has no build {build}{hint}")
    return [
        CaseProgram(case, cpu, build)
        for cpu in chosen_cpus(cpus or case.cpus, config)
        for build in dict.fromkeys(builds or case.builds)
    ]


def _arguments(marker: pytest.Mark) -> dict[str, Any]:
    """The arguments of a marker by their names, each of the right kind."""
    for name in marker.kwargs:
        if name not in _ARGUMENTS:
            raise WrongMarker(f"{_MARKER} has no argument {name}{did_you_mean(name, _ARGUMENTS)}")
    given = {**dict(zip(_ARGUMENTS[:1], marker.args, strict=False)), **marker.kwargs}
    if len(marker.args) > 1 or not isinstance(given.get("case"), str | Path):
        raise WrongMarker(f'{_MARKER} needs one case: {_MARKER}(case="case.yaml", cpus=["68040"])')
    for name in _ARGUMENTS[1:]:
        names = given.get(name)
        if names is not None and (not isinstance(names, list | tuple) or not names):
            raise WrongMarker(
                f'{_MARKER}: {name} is a list of names, such as {name}=["{names or "O2"}"]'
            )
    return given
