"""Looks for everything that macproof can use on this computer."""

from __future__ import annotations

import importlib
import platform
from collections.abc import Iterator

from emu import __version__
from emu.doctor.report import NOT_READY, READY, DoctorReport, Facility, State

# Each group has its own module, because a library may not be there to be imported.
_PARTS = (
    ("packages", "examine_packages"),
    ("folders", "examine_folders"),
    ("tools", "examine_compilers"),
    ("tools", "examine_engines"),
    ("trial", "examine_main_job"),
)


def examine() -> DoctorReport:
    """Look for everything, and try the main job on a few scenes."""
    facilities = [facility for part in _PARTS for facility in _examined(*part)]
    is_ready = all(facility.state is not State.NEEDED for facility in facilities)
    python = f"Python {platform.python_version()}"
    return DoctorReport(
        verdict=READY if is_ready else NOT_READY,
        version=__version__,
        system=f"{platform.system()} {platform.release()}, {platform.machine()}, {python}",
        facilities=tuple(facilities),
    )


def _examined(module: str, function: str) -> Iterator[Facility]:
    try:
        examine_part = getattr(importlib.import_module(f"emu.doctor.{module}"), function)
    except (ImportError, OSError) as error:
        what = function.removeprefix("examine_").replace("_", " ")
        cost = "macproof verify cannot run"
        yield Facility(
            what, "what looks for them", State.NEEDED, f"not to be loaded: {error}", cost
        )
    else:
        yield from examine_part()
