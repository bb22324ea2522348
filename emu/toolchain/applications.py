"""The applications that are built of the programs in ``mac_src``, by either toolchain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import UsageError


@dataclass(frozen=True, slots=True)
class Application:
    """One of the applications.

    Attributes:
        name: what it is called on the command line; a case's name, if it is the program of one.
        title: its name on the Mac.
        target: its name in ``mac_src/CMakeLists.txt``.
        sources: its files, relative to ``mac_src``.
        resources: their description for macproof's own toolchain (see
            `emu.toolchain.mac_app.read_description`), relative to ``mac_src``.
    """

    name: str
    title: str
    target: str
    sources: tuple[str, ...]
    resources: str

    def source_paths(self, mac_sources: Path) -> list[Path]:
        """The files of its program."""
        return [mac_sources / source for source in self.sources]


APPLICATIONS = {
    application.name: application
    for application in (
        Application(
            "four-shifts",
            "Four Shifts",
            "FourShifts",
            ("four_shifts/four_shifts.cpp", "four_shifts/four_shifts_mac.cpp"),
            "four_shifts/four_shifts.yaml",
        ),
        Application(
            "port-check",
            "PortCheck",
            "PortCheck",
            (
                "four_shifts/four_shifts.cpp",
                "port_check/machine.cpp",
                "port_check/port_check.cpp",
                "port_check/results.cpp",
                "port_check/routines.cpp",
                "port_check/scenes.cpp",
                "port_check/text.cpp",
                "port_check/window.cpp",
            ),
            "port_check/port_check.yaml",
        ),
    )
}

# What the processors that applications are built for have in common.
ARCHITECTURES = {"68000": "m68k", "68040": "m68k", "601": "powerpc"}


def find_applications(names: Sequence[str]) -> list[Application]:
    """The applications of these names, or all if there are none.

    An application may be called by its name, by its folder, or by what it is called on the Mac.

    Raises:
        UsageError: there is no such application.
    """
    if not names:
        return list(APPLICATIONS.values())
    found = []
    for name in dict.fromkeys(names):
        plain = Path(name).name.lower().replace("_", "-").replace(" ", "-")
        for application in APPLICATIONS.values():
            if plain in (application.name, application.target.lower()):
                found.append(application)
                break
        else:
            raise UsageError(
                f"there is no application {name!r}; there are {', '.join(APPLICATIONS)}"
            )
    return list(dict.fromkeys(found))
