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

import json
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.yaml_document import YamlDocument, check_against_schema

APPLICATION_FILE = "application.yaml"


@dataclass(frozen=True, slots=True)
class Application:
    """One of the applications.

    Attributes:
        name: what it is called on the command line; a case's name, if it is the program of one.
        title: its name on the Mac.
        target: its name in the folder's ``CMakeLists.txt``.
        sources: its files, relative to the folder of all applications.
        resources: their description for macproof's own toolchain (see
            `emu.toolchain.mac_app.read_description`), likewise.
    """

    name: str
    title: str
    target: str
    sources: tuple[str, ...]
    resources: str

    def source_paths(self, mac_sources: Path) -> list[Path]:
        """The files of its program."""
        return [mac_sources / source for source in self.sources]


def read_applications(mac_sources: Path) -> Mapping[str, Application]:
    """The applications whose folders lie in a folder, by name.

    Raises:
        CaseError: a declaration is wrong, with the line.
        UsageError: two are of one name.
    """
    found: dict[str, Application] = {}
    for path in sorted(mac_sources.glob(f"*/{APPLICATION_FILE}")):
        application = _read(path)
        if application.name in found:
            raise UsageError(f"{path}: another application is called {application.name} too")
        found[application.name] = application
    return found


def find_applications(names: Sequence[str], mac_sources: Path) -> list[Application]:
    """The applications of these names, or all if there are none.

    An application may be called by its name, by its folder, or by what it is called on the Mac.

    Raises:
        UsageError: there is no such application.
        CaseError: a declaration is wrong.
    """
    applications = read_applications(mac_sources)
    if not names:
        return list(applications.values())
    found = []
    for name in dict.fromkeys(names):
        plain = Path(name).name.lower().replace("_", "-").replace(" ", "-")
        for application in applications.values():
            if plain in (application.name, application.target.lower()):
                found.append(application)
                break
        else:
            raise UsageError(
                f"there is no application {name!r}; there are {', '.join(applications)}"
            )
    return list(dict.fromkeys(found))


def _read(path: Path) -> Application:
    document = YamlDocument(path, "a declaration of an application")
    text = resources.files("emu.toolchain").joinpath("application.schema.json").read_text()
    check_against_schema(document, json.loads(text))
    data = document.data

    def placed(name: str) -> str:
        return posixpath.normpath(f"{path.parent.name}/{name}")

    return Application(
        name=data["name"],
        title=data["title"],
        target=data["target"],
        sources=tuple(map(placed, data["sources"])),
        resources=placed(data["resources"]),
    )
