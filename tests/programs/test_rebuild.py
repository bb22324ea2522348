"""The guest programs are what their sources and the recorded compilers make of them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
README = (HERE / "README.md").read_text()

# processor: prefix of its tools, Debian package
PROCESSORS = {
    "m68k": ("m68k-linux-gnu-", "g++-m68k-linux-gnu"),
    "ppc": ("powerpc-linux-gnu-", "g++-powerpc-linux-gnu"),
    "mips": ("mips-linux-gnu-", "g++-mips-linux-gnu"),
    "mipsel": ("mips-linux-gnu-", "g++-mips-linux-gnu"),
}


def require_recorded_tools(processor: str) -> None:
    """Skip where a processor's compiler or linker is missing or not the one in the README."""
    prefix, package = PROCESSORS[processor]
    for tool in ("g++", "ld"):
        command = prefix + tool
        if shutil.which(command) is None:
            pytest.skip(f"{command} is not installed: apt-get install {package}")
        said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
        version = said.stdout.splitlines()[0]
        if f"`{version}`" not in README:
            pytest.skip(f"{command} is another version than the recorded one: {version}")


@pytest.mark.slow
@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_programs_are_reproducible(processor: str, tmp_path: Path) -> None:
    require_recorded_tools(processor)
    for path in HERE.iterdir():
        if path.suffix in (".cpp", ".ld", ".sh"):
            shutil.copy(path, tmp_path)
    built = subprocess.run(
        ["sh", "build.sh", processor], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    assert built.stderr == "", "no warnings"
    made = sorted(p.name for p in tmp_path.iterdir() if p.suffix in (".elf", ".o"))
    assert made == sorted(
        p.name
        for p in HERE.iterdir()
        if p.suffix in (".elf", ".o") and processor in p.stem.split("-")
    )
    for name in made:
        assert (tmp_path / name).read_bytes() == (HERE / name).read_bytes(), name


def test_every_program_is_described() -> None:
    sources = {p.name for p in HERE.glob("*.cpp")}
    assert all(f"`{name}`" in README for name in sources)
    stems = {p.name.split("-")[0] for p in HERE.iterdir() if p.suffix in (".elf", ".o")}
    assert all(f"`{stem}-" in README for stem in stems)


def test_no_program_names_the_place_it_was_built_in() -> None:
    for path in HERE.iterdir():
        if path.suffix in (".elf", ".o"):
            assert str(HERE.parents[1]).encode() not in path.read_bytes(), path.name


def test_an_unknown_processor_is_refused() -> None:
    done = subprocess.run(
        ["sh", "build.sh", "vax"], cwd=HERE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "m68k, ppc, mips or mipsel, not vax" in done.stderr
