"""The compilers and engines that are installed, with their versions."""

from __future__ import annotations

import os
from collections.abc import Iterator

from emu.base.errors import MacproofError
from emu.doctor.report import Facility, State
from emu.engines.registry import ENGINES, UNICORN
from emu.toolchain.builds import ALL_TARGETS, TARGETS, Target
from emu.toolchain.compiler import compiler_version
from emu.toolchain.compilers.find import find_compiler, how_to_install
from emu.toolchain.retro68 import RETRO68, RETRO68_TARGETS, find_retro68

COMPILERS, EVERY_ENGINE = "compilers", "engines"


def examine_compilers() -> Iterator[Facility]:
    """Look for the compiler of each processor, and for Retro68."""
    targets: dict[str, list[Target]] = {}
    for target in ALL_TARGETS.values():
        targets.setdefault(target.compiler, []).append(target)
    for each in targets.values():
        yield _compiler(each)
    try:
        retro68 = find_retro68(None, list(RETRO68_TARGETS))
    except MacproofError as error:
        state = State.MISSING
        cost = "applications are built by macproof build --app alone"
        yield Facility(COMPILERS, "Retro68", state, str(error), cost)
    else:
        by = f", by {RETRO68}" if os.environ.get(RETRO68) else ", by PATH"
        detail = f"{retro68.folder}{by}, with {retro68.interfaces}, {retro68.cmake}"
        yield Facility(COMPILERS, "Retro68", State.PRESENT, detail)


def _compiler(targets: list[Target]) -> Facility:
    """Whether there is a compiler for some targets, and which; a user may have named it."""
    usual, cpus = targets[0], ", ".join(target.cpu for target in targets)
    problem = f"it is not installed. {how_to_install([usual])}"
    try:
        compiler = find_compiler(usual, {})
    except MacproofError as error:
        compiler, problem = None, str(error)
    if compiler is not None:
        version = compiler_version(compiler.compiler)
        return Facility(COMPILERS, compiler.compiler, State.PRESENT, f"{version}, for {cpus}")
    has_prebuilt = any(target.cpu in TARGETS for target in targets)
    rest = "prebuilt programs run" if has_prebuilt else "no prebuilt programs are for it"
    cost = f"routines of your own cannot be compiled for {cpus}; {rest}"
    return Facility(COMPILERS, usual.compiler, State.MISSING, problem, cost)


def examine_engines() -> Iterator[Facility]:
    """Ask each engine for its version."""
    for engine in ENGINES.values():
        try:
            yield Facility(EVERY_ENGINE, engine.name, State.PRESENT, engine.describe())
        except (MacproofError, ImportError, OSError) as error:
            is_main = engine.name == UNICORN
            cost = f"there is no second opinion by it ({engine.abilities.independence})"
            yield Facility(
                EVERY_ENGINE,
                engine.name,
                State.NEEDED if is_main else State.MISSING,
                str(error),
                "macproof verify cannot run" if is_main else cost,
            )
