"""The applications that come with macproof, for machines without cross compilers.

For each application a manifest records the digest of its sources and its compiler, as in
`emu.toolchain.programs.prebuilt`. A prebuilt application is used only if the sources still have
that digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.errors import ProgramError, ToolMissingError
from emu.base.files import read_at_most, write_whole
from emu.machine.cpu import CPUS
from emu.toolchain.build_cache import digest_of
from emu.toolchain.builds import TARGETS
from emu.toolchain.compiler import compiler_version
from emu.toolchain.compilers.find import how_to_install, require_compiler
from emu.toolchain.mac_app.application import SYMBOL_SUFFIXES, application_digest, build_application
from emu.toolchain.mac_app.applications import ApplicationRecipe

PREBUILT_CPUS = ("68000", "601")
"""The processors they are built for. The program for the 68000 runs on every 68K."""

_SCHEMA = "macproof.prebuilt-applications/1"
_MANIFEST = "manifest.json"
_LARGEST = 64 << 20


@dataclass(frozen=True, slots=True)
class PrebuiltApplication:
    """One application in the folder.

    Attributes:
        path: its MacBinary file.
        symbols: the linked file with its symbols.
        compiler: the version line of the compiler that made it.
    """

    path: Path
    symbols: Path
    compiler: str


def prebuilt_folder(mac_sources: Path) -> Path:
    """The folder of the prebuilt applications."""
    return mac_sources / "prebuilt" / "mac"


def build_for_keeping(
    application: ApplicationRecipe, cpu: str, output: Path, mac_sources: Path
) -> tuple[Path, Path]:
    """Build an application as the prebuilt ones are built; its MacBinary file and its symbols.

    Raises:
        ToolMissingError, CompileError, ProgramError: as for `build_application`.
    """
    path = build_application(
        application.source_paths(mac_sources),
        application.title,
        cpu,
        mac_sources / application.resources,
        output,
        debug=False,
        mac_sources=mac_sources,
    )
    return path, output / f"{application.title}{SYMBOL_SUFFIXES[CPUS[cpu].architecture]}"


def write_prebuilt_applications(
    applications: Sequence[ApplicationRecipe], mac_sources: Path
) -> Path:
    """Build applications into the folder of prebuilt ones; the manifest's path.

    Raises:
        ToolMissingError, CompileError, ProgramError: as for `build_application`; the manifest then
            stays as it was.
    """
    folder = prebuilt_folder(mac_sources)
    names = {application.name for application in applications}
    entries = [entry for entry in _manifest(folder) if entry["application"] not in names]
    for application in applications:
        for cpu in PREBUILT_CPUS:
            files = build_for_keeping(application, cpu, folder / cpu, mac_sources)
            entries.append(
                {
                    "application": application.name,
                    "cpu": cpu,
                    "sha256": {f"{cpu}/{path.name}": digest_of(path) for path in files},
                    "source_sha256": _source_digest(application, mac_sources),
                    "compiler": compiler_version(require_compiler(TARGETS[cpu], {}).compiler),
                }
            )
    entries.sort(key=lambda entry: (entry["application"], entry["cpu"]))
    manifest = folder / _MANIFEST
    text = json.dumps({"schema": _SCHEMA, "applications": entries}, indent=1) + "\n"
    write_whole(manifest, text.encode())
    return manifest


def prebuilt_application(
    application: ApplicationRecipe, cpu: str, mac_sources: Path
) -> PrebuiltApplication:
    """Find the prebuilt application that was made from the present sources.

    Args:
        application: the application.
        cpu: "68000" or "601".
        mac_sources: the folder with the sources.

    Raises:
        ToolMissingError: there is none, or it was made from other sources.
        ProgramError: the file does not match the manifest, or the manifest is damaged.
    """
    folder = prebuilt_folder(mac_sources)
    what = f"prebuilt {application.title} for the {cpu}"
    remedy = f"To build it, a compiler is needed. {how_to_install([TARGETS[cpu]])}"
    for entry in _manifest(folder):
        if (entry["application"], entry["cpu"]) == (application.name, cpu):
            break
    else:
        raise ToolMissingError(f"there is no {what}. {remedy}")
    if entry["source_sha256"] != _source_digest(application, mac_sources):
        raise ToolMissingError(f"the {what} was made from other sources. {remedy}")
    title = application.title
    paths = [
        folder / cpu / f"{title}.bin",
        folder / cpu / f"{title}{SYMBOL_SUFFIXES[CPUS[cpu].architecture]}",
    ]
    for path in paths:
        content = read_at_most(path, _LARGEST, "a prebuilt application", ProgramError)
        digest = hashlib.sha256(content).hexdigest()
        if entry["sha256"].get(f"{cpu}/{path.name}") != digest:
            raise ProgramError(path, "it is not the file its manifest describes")
    return PrebuiltApplication(paths[0], paths[1], entry["compiler"])


def _source_digest(application: ApplicationRecipe, mac_sources: Path) -> str:
    return application_digest(
        application.source_paths(mac_sources), mac_sources / application.resources, mac_sources
    )


def _manifest(folder: Path) -> list[dict[str, Any]]:
    path = folder / _MANIFEST
    if not path.exists():
        return []
    try:
        data = json.loads(read_at_most(path, 1 << 20, "a manifest", ProgramError))
        if data["schema"] != _SCHEMA:
            raise ProgramError(path, f"it is of schema {data['schema']}, not {_SCHEMA}")
        return [
            {
                "application": str(entry["application"]),
                "cpu": str(entry["cpu"]),
                "sha256": dict(entry["sha256"]),
                "source_sha256": str(entry["source_sha256"]),
                "compiler": str(entry["compiler"]),
            }
            for entry in data["applications"]
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProgramError(path, f"it is damaged ({error!r})") from error
