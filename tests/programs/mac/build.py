"""Builds the Mac programs beside it, and writes those that are kept: python build.py

Each is built from one source for a 68000 and for a PowerPC 601 with Debian's cross compilers and
macproof's own runtime. The manifest says of what, with what, and what came out. With --record it
also writes down which calls they make.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.declaration import routines_of
from emu.toolbox.computer.settings import Settings
from emu.toolbox.managers.all_managers import MANAGERS
from emu.toolchain.builds import TARGETS
from emu.toolchain.compiler import compiler_version
from emu.toolchain.mac_app.application import SYMBOL_SUFFIXES, application_digest, build_application

HERE = Path(__file__).parent
PREBUILT = HERE / "prebuilt"
MANIFEST = PREBUILT / "manifest.json"
CPUS = {"68000": "m68k", "601": "powerpc"}
SCHEMA = "macproof.test-programs/1"


@dataclass(frozen=True)
class MacProgram:
    """A program for one processor."""

    name: str
    cpu: str

    @property
    def source(self) -> Path:
        return HERE / f"{self.name}.cpp"

    @property
    def resources(self) -> Path | None:
        path = HERE / f"{self.name}.yaml"
        return path if path.exists() else None

    @property
    def script(self) -> Path | None:
        path = HERE / f"{self.name}.script.yaml"
        return path if path.exists() else None

    def files(self, folder: Path = PREBUILT) -> list[Path]:
        """The application, and the file with its symbols."""
        place = folder / self.cpu
        return [
            place / f"{self.name}.bin",
            place / f"{self.name}{SYMBOL_SUFFIXES[CPUS[self.cpu]]}",
        ]

    def build(self, folder: Path) -> None:
        build_application(
            [self.source], self.name, self.cpu, self.resources, folder / self.cpu, debug=False
        )

    def digest(self) -> str:
        """Of everything it is made from but the compiler and the Toolbox's declarations."""
        return application_digest([self.source], self.resources)


def programs() -> Iterator[MacProgram]:
    """Every program for every processor."""
    for path in sorted(HERE.glob("*.cpp")):
        for cpu in CPUS:
            yield MacProgram(path.stem, cpu)


def entry(program: MacProgram, folder: Path) -> dict[str, Any]:
    """What the manifest says of a program that was built into a folder."""
    return {
        "name": program.name,
        "cpu": program.cpu,
        "sha256": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in program.files(folder)
        },
        "source_sha256": program.digest(),
        "compiler": compiler_version(TARGETS[program.cpu].compiler),
    }


def write_prebuilt() -> None:
    """Build all of them into the folder that is kept."""
    found = []
    for program in programs():
        program.build(PREBUILT)
        found.append(entry(program, PREBUILT))
    text = json.dumps({"schema": SCHEMA, "programs": found}, indent=1)
    MANIFEST.write_text(text + "\n")


def run(program: MacProgram) -> RunResult:
    """Run a kept program as its user would."""
    settings = Settings(keep_log=True, timeout=120)
    return run_request(
        RunRequest(program.files()[0], cpu=program.cpu, settings=settings, script=program.script)
    )


def calls_of(result: RunResult) -> list[str]:
    """What a program asked of the Toolbox, but where a 68K trap takes it otherwise than C does."""
    apart = {
        routine.name
        for manager in MANAGERS.values()
        for routine, _ in routines_of(manager)
        if routine.architecture
    }
    return [call.text for call in result.log if not call.plumbing and call.name not in apart]


def pictures_of(result: RunResult) -> list[str]:
    """The pictures a program leaves: name, size, and the SHA-256 of its pixels."""
    lines = []
    for picture in result.pictures:
        with Image.open(io.BytesIO(picture.png)) as image:
            pixels = image.convert("L")
        digest = hashlib.sha256(pixels.tobytes()).hexdigest()
        lines.append(f"{picture.name} {pixels.width}x{pixels.height} {digest}")
    return lines


def record() -> None:
    """Write the calls that each program makes, and what it draws."""
    for name in sorted({program.name for program in programs()}):
        results = [run(MacProgram(name, cpu)) for cpu in CPUS]
        for kind, of in (("log", calls_of), ("pictures", pictures_of)):
            first, second = (of(result) for result in results)
            if first != second:
                raise SystemExit(f"{name} does not do the same on both processors")
            text = "".join(f"{line}\n" for line in first)
            (HERE / "expected" / f"{name}.{kind}").write_text(text)


if __name__ == "__main__":
    write_prebuilt()
    if "--record" in sys.argv:
        record()
