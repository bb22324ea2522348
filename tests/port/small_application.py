"""A small old application in assembly, and the port of it, for one test."""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from emu.port.model import FunctionVerdict
from emu.port.original.session import SessionTerms
from emu.port.project.project import original_digest, read_project
from emu.port.recording.recordings import open_store, record_script
from emu.port.verify.build import build_port, claimed
from emu.port.verify.changed_calls import ChangedCalls
from emu.port.verify.terms import VaryTerms
from emu.port.verify.verifier import PortVerifier
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compilers.find import absent, find_compiler

GLOBALS = 64
_ENTRY = bytes.fromhex("0000 3F3C 0001 A9F0")  # offset 0; push segment 1; _LoadSeg
_PARAMETERS = 32


@dataclass(frozen=True, slots=True)
class SmallPort:
    """An old application and its port.

    Attributes:
        folder: the folder of port.yaml.
        places: where each function lies, by its name.
    """

    folder: Path
    places: dict[str, str]

    def write(self, source: str) -> None:
        """Write the new source; ``@Name@`` becomes the place of a function."""
        text = re.sub(r"@(\w+)@", lambda match: self.places[match[1]], source)
        (self.folder / "port.c").write_text(text)

    def record(self, names: Sequence[str], most: int = 20) -> None:
        """Run the application, and keep calls of functions."""
        project = read_project(self.folder)
        terms = SessionTerms(project.original, project.cpu)
        places = [self.places[name] for name in names]
        with open_store(project, terms) as store:
            record_script(
                terms, None, store, places=places, globals_=[], most=most, most_bytes=1 << 26
            )

    def verdict(self, name: str, vary: int = 0) -> FunctionVerdict:
        """Judge a function by its recorded calls, and by so many changed ones."""
        project = read_project(self.folder)
        built = build_port(project)
        terms = SessionTerms(project.original, project.cpu)
        with open_store(project, terms) as store:
            verifier = PortVerifier(built, store, terms)
            functions = claimed(built.claims, [name], project.path)
            (found,) = verifier.verdicts(functions)
            if vary:
                changed = ChangedCalls(verifier, VaryTerms(vary))
                found = changed.verdict(functions[0], functions, found)
        return found


def small_port(
    folder: Path,
    assembly: str,
    source: str,
    *,
    below: int = GLOBALS,
    more: Sequence[Resource] = (),
) -> SmallPort:
    """Assemble an application, and write its port.

    Args:
        folder: an empty folder.
        assembly: its code, which begins with the program's start. A name of a function is every
            label that begins with a capital letter.
        source: the new source; see `SmallPort.write`.
        below: the bytes of globals below A5.
        more: further resources.
    """
    target = find_compiler(ALL_TARGETS["68040"], {})
    if target is None:
        pytest.skip(absent(ALL_TARGETS["68040"]))
    names = re.findall(r"^([A-Z]\w*):", assembly, re.MULTILINE)
    # The name behind a function is what MacsBug shows, and how functions are found.
    text = re.sub(
        r"^([A-Z]\w*):(.*?)\brts\b",
        lambda m: (
            f'{m[1]}:{m[2]}rts\n.byte {0x80 | len(m[1])}\n.ascii "{m[1]}"\n.balign 2\n.short 0\n'
        ),
        assembly,
        flags=re.MULTILINE | re.DOTALL,
    )
    (folder / "old.s").write_text(text)
    tool = target.compiler.replace("g++", "{}")

    def run(name: str, *options: str) -> str:
        command = [tool.format(name), *options]
        return subprocess.run(
            command, check=True, cwd=folder, text=True, stdout=subprocess.PIPE
        ).stdout

    run("as", "-m68040", "-o", "old.o", "old.s")
    run("objcopy", "-O", "binary", "-j", ".text", "old.o", "code")
    symbols = [line.split() for line in run("nm", "old.o").splitlines()]
    places = {name: f"CODE 1+{int(at, 16) + 4:#x}" for at, _, name in symbols if name in names}
    world = (_PARAMETERS + len(_ENTRY), below, len(_ENTRY), _PARAMETERS)
    fork = make_resource_fork(
        [
            Resource("CODE", 0, "", 0, struct.pack(">4L", *world) + _ENTRY),
            Resource("CODE", 1, "", 0, struct.pack(">HH", 0, 1) + (folder / "code").read_bytes()),
            *more,
        ]
    )
    original = folder / "Small.bin"
    original.write_bytes(make_macbinary("Small", type="APPL", creator="SMLL", resource_fork=fork))
    (folder / "port.yaml").write_text(
        f"schema: macproof.port/1\noriginal: Small.bin\nsha256: {original_digest(original)}\n"
        'cpu: "68040"\nconvention: think-c-16\nsources: [port.c]\n'
    )
    port = SmallPort(folder, places)
    port.write(source)
    return port
