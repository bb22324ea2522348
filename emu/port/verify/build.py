"""Compiles the sources of a port, and reads what their marks say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.port.graft.units import PortObjects, compile_units
from emu.port.model import FUNCTION, ClaimedFunction, Claims
from emu.port.project.claims import read_claims
from emu.port.project.project import Project


@dataclass(frozen=True, slots=True)
class PortBuild:
    """A port's sources, compiled, and what their marks say.

    Attributes:
        project: the port.
        objects: the compiled sources.
        claims: what the marks say.
    """

    project: Project
    objects: PortObjects
    claims: Claims


def build_port(project: Project, build: str = "O2") -> PortBuild:
    """Compile a port and read its marks.

    Raises:
        CaseError: a mark is wrong, or the original is another one.
        ToolMissingError, CompileError: the sources are not compiled.
    """
    project.read_original()
    objects = compile_units(project, build)
    claims = read_claims(project, [unit.image for unit in objects.units])
    return PortBuild(project, objects, claims)


def claimed(claims: Claims, names: Sequence[str], path: Path) -> list[ClaimedFunction]:
    """The functions of a port that are to do what the old ones do.

    Args:
        claims: what the marks say.
        names: names or places of those that are meant; all if there are none.
        path: the port's file, for messages.

    Raises:
        UsageError: there is no such function.
    """
    own = [one for one in claims.functions.values() if one.kind == FUNCTION]
    if not names:
        return own
    by_name = {one.name: one for one in own} | {one.place: one for one in own}
    for name in names:
        if name not in by_name:
            hint = did_you_mean(name, by_name)
            raise UsageError(f"{path}: no mark FUNCTION stands above a function {name}{hint}")
    return [by_name[name] for name in names]
