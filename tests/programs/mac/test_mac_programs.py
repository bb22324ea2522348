"""The Mac programs kept here: of exactly these sources, and they do the same on both processors."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from emu.runner.runner import RunResult
from emu.toolchain.builds import TARGETS
from emu.toolchain.compiler import compiler_version

HERE = Path(__file__).parent


def _load_build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mac_programs_build", HERE / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks its own module up
    spec.loader.exec_module(module)
    return module


BUILD = _load_build()
MANIFEST: dict[str, Any] = json.loads(BUILD.MANIFEST.read_text())
ALL = list(BUILD.programs())
NAMES = sorted({program.name for program in ALL})


def recorded(program: Any) -> dict[str, Any]:
    (found,) = [
        e for e in MANIFEST["programs"] if (e["name"], e["cpu"]) == (program.name, program.cpu)
    ]
    return found


@pytest.fixture(scope="session")
def run() -> Callable[[str, str], RunResult]:
    """Runs a program on a processor, once."""
    done: dict[tuple[str, str], RunResult] = {}

    def give(name: str, cpu: str) -> RunResult:
        if (name, cpu) not in done:
            done[name, cpu] = BUILD.run(BUILD.MacProgram(name, cpu))
        return done[name, cpu]

    return give


# -- what is kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize("program", ALL, ids=lambda p: f"{p.name}-{p.cpu}")
def test_the_programs_are_of_the_sources_beside_them(program: Any) -> None:
    """A source or the runtime was changed and the programs not: python build.py."""
    found = recorded(program)
    assert found["source_sha256"] == program.digest()
    for path in program.files():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == found["sha256"][path.name]


def test_nothing_else_is_kept() -> None:
    kept = {path for path in BUILD.PREBUILT.rglob("*") if path.is_file()}
    wanted = {path for program in ALL for path in program.files()}
    assert kept == wanted | {BUILD.MANIFEST}
    assert len(MANIFEST["programs"]) == len(ALL)


def test_no_program_tells_where_it_was_built() -> None:
    for program in ALL:
        for path in program.files():
            data = path.read_bytes()
            for word in (b"/home/", b"/tmp/", b"macproof-", str(HERE.parents[2]).encode()):
                assert word not in data, path


@pytest.mark.slow
@pytest.mark.parametrize("cpu", BUILD.CPUS)
def test_the_same_compiler_gives_the_same_bytes(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
) -> None:
    compilers(cpu)
    version = compiler_version(TARGETS[cpu].compiler)
    others = {e["compiler"] for e in MANIFEST["programs"] if e["cpu"] == cpu} - {version}
    if others:
        pytest.skip(f"made with {', '.join(sorted(others))}, and here is {version}")
    for program in ALL:
        if program.cpu == cpu:
            program.build(tmp_path)
            for made, kept in zip(program.files(tmp_path), program.files(), strict=True):
                assert made.read_bytes() == kept.read_bytes(), f"{kept.name}: python build.py"


# -- what they do ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("program", ALL, ids=lambda p: f"{p.name}-{p.cpu}")
def test_a_program_does_what_it_should(program: Any, run: Callable[..., RunResult]) -> None:
    result = run(program.name, program.cpu)
    assert result.problem == ""
    assert result.exit_code == 0
    assert result.console == (HERE / "expected" / f"{program.name}.txt").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_both_processors_do_the_same(name: str, run: Callable[..., RunResult]) -> None:
    first, second = (run(name, cpu) for cpu in BUILD.CPUS)
    recorded_log = (HERE / "expected" / f"{name}.log").read_text().splitlines()
    assert BUILD.calls_of(first) == recorded_log, "python build.py --record, if this is right"
    assert BUILD.calls_of(second) == recorded_log
    recorded_pictures = (HERE / "expected" / f"{name}.pictures").read_text().splitlines()
    assert BUILD.pictures_of(first) == recorded_pictures, "the same"
    assert BUILD.pictures_of(second) == recorded_pictures
    assert first.files == second.files
    assert [f.problem for f in first.findings] == [f.problem for f in second.findings]


def test_the_log_is_written(run: Callable[..., RunResult]) -> None:
    for cpu in BUILD.CPUS:
        assert dict(run("log_file", cpu).files)["log"] == b"OK\rand more\r"


def test_the_programs_make_no_mistakes(run: Callable[..., RunResult]) -> None:
    for program in ALL:
        problems = [f.problem for f in run(program.name, program.cpu).findings]
        # It closes a file twice, to see the error.
        known = ["the program used a file that is not open"] if program.name == "files" else []
        assert problems == known, program


def test_every_program_is_described() -> None:
    text = (HERE / "README.md").read_text()
    assert all(f"`{name}`" in text for name in NAMES)
    kept = {path.stem for path in (HERE / "expected").iterdir()}
    assert kept == set(NAMES)
