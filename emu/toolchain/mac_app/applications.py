"""The Mac applications of a folder such as ``mac_src``, built by either toolchain.

Each is declared in the ``application.yaml`` of its own folder::

    schema: macproof.application/1
    name: hello
    title: Hello, World
    target: HelloWorld
    sources: [hello.cpp, ../shared/window.cpp]
    resources: hello.yaml
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.yaml_document import YamlDocument

APPLICATION_FILE = "application.yaml"


@dataclass(frozen=True, slots=True)
class ApplicationRecipe:
    """One of the applications.

    Attributes:
        name: its name on the command line. An application that contains a case's routine has the
            case's name.
        title: its name on the Mac.
        target: its name in the folder's ``CMakeLists.txt``.
        sources: its source files, relative to the folder that holds all applications (``mac_src``).
        resources: the file that describes its resources, relative to the same folder; see
            `emu.toolchain.mac_app.read_description`.
    """

    name: str
    title: str
    target: str
    sources: tuple[str, ...]
    resources: str

    def source_paths(self, mac_sources: Path) -> list[Path]:
        """The paths of its source files."""
        return [mac_sources / source for source in self.sources]


def read_applications(mac_sources: Path) -> Mapping[str, ApplicationRecipe]:
    """Read the declarations of all applications below a folder; the applications by name.

    Raises:
        CaseError: a declaration is wrong; the message names the line.
        UsageError: two applications have the same name.
    """
    applications: dict[str, ApplicationRecipe] = {}
    for path in sorted(mac_sources.glob(f"*/{APPLICATION_FILE}")):
        application = _read(path)
        if application.name in applications:
            raise UsageError(f"{path}: another application is called {application.name} too")
        applications[application.name] = application
    return applications


def find_applications(names: Sequence[str], mac_sources: Path) -> list[ApplicationRecipe]:
    """Find applications by name; all applications if no name is given.

    A name may be the application's name, its folder, or its title on the Mac.

    Raises:
        UsageError: there is no such application.
        CaseError: a declaration is wrong.
    """
    applications = read_applications(mac_sources)
    if not names:
        return list(applications.values())
    recipes = []
    for name in dict.fromkeys(names):
        plain = Path(name).name.lower().replace("_", "-").replace(" ", "-")
        for application in applications.values():
            if plain in (application.name, application.target.lower()):
                recipes.append(application)
                break
        else:
            raise UsageError(
                f"there is no application {name!r}; there are {', '.join(applications)}"
            )
    return list(dict.fromkeys(recipes))


def _read(path: Path) -> ApplicationRecipe:
    document = YamlDocument(path, "a declaration of an application")
    document.check_by_file("emu.toolchain:application.schema.json")
    data = document.data

    def placed(name: str) -> str:
        return posixpath.normpath(f"{path.parent.name}/{name}")

    return ApplicationRecipe(
        name=data["name"],
        title=data["title"],
        target=data["target"],
        sources=tuple(map(placed, data["sources"])),
        resources=placed(data["resources"]),
    )
