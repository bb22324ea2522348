"""Sources that attack the computer they are compiled on, and compilers that others end."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from emu.base.errors import CompileError, ToolEndedError
from emu.toolchain import process
from emu.toolchain.compiler import run_compiler, staged

COMPILER = "m68k-linux-gnu-g++"
BOMB = """
template <int N, int M> struct T { enum { v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v }; };
template <int M> struct T<0, M> { enum { v = 1 }; };
int x = T<40, 0>::v;
"""


def compiled(text: str, blamed: Path, *flags: str) -> str:
    """What a compiler says of a source."""
    with staged({"a.cpp": text.encode()}) as stage:
        try:
            run_compiler([COMPILER, *flags, "-c", "a.cpp"], stage.folder, blamed)
        except CompileError as error:
            return str(error)
    return ""


@pytest.fixture
def blamed(tmp_path: Path) -> Path:
    if shutil.which(COMPILER) is None:
        pytest.skip(f"{COMPILER} is not installed")
    folder = tmp_path / "own"
    folder.mkdir()
    return folder / "a.cpp"


def test_an_ordinary_source_is_compiled(blamed: Path) -> None:
    assert compiled("#include <stddef.h>\nint f(void) { return 1; }\n", blamed, "-O2", "-g") == ""


def test_an_endless_file_ends(blamed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes memory, and no more than the limit; or the device is hidden."""
    said = compiled('#include "/dev/zero"\n', blamed)
    assert "out of memory" in said or "Permission denied" in said
    monkeypatch.setattr(process, "_DEVICES", ("/dev/null", "/dev/zero"))
    assert "out of memory" in compiled('#include "/dev/zero"\n', blamed)


@pytest.mark.slow
def test_endless_templates_end(blamed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_LIMITS", process.ProcessLimits(memory=1 << 40, seconds=2))
    assert "did not finish within" in compiled(BOMB, blamed)


def test_memory_for_templates_ends(blamed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_LIMITS", process.ProcessLimits(memory=64 << 20, seconds=60))
    assert re.search("out of memory|memory exhausted", compiled(BOMB, blamed))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hides files")
@pytest.mark.parametrize(
    "text", ['#include "{}"\n', 'asm(".incbin \\"{}\\"");\n'], ids=["include", "incbin"]
)
def test_other_files_of_the_user_are_hidden(blamed: Path, tmp_path: Path, text: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sesame\n")
    said = compiled(text.format(secret), blamed)
    if "sesame" in said or not said:
        pytest.skip("this kernel has no Landlock")
    assert "secret" in said
    near = blamed.parent / "near.h"
    near.write_text("// nothing\n")
    assert compiled(text.format(near), blamed) == ""


def test_what_a_compiler_prints_is_kept_up_to_a_limit(tmp_path: Path) -> None:
    code = "import sys\nfor _ in range(50): sys.stderr.write('x' * (1 << 20))\nsys.exit(1)"
    done = process.run_tool([sys.executable, "-c", code], {}, tmp_path, 60)
    assert (done.code, len(done.complaints)) == (1, 1 << 20)


def test_a_tool_that_takes_too_long_is_ended_with_all_it_has_started(tmp_path: Path) -> None:
    """What it has started keeps its output open, which nobody waits for."""
    done = process.run_tool(["sh", "-c", "sleep 1000 & sleep 1000"], {"PATH": "/bin"}, tmp_path, 1)
    assert (done.is_late, done.code) == (True, -9)


@pytest.mark.parametrize(
    "what",
    [
        "kill -9 $$",
        "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1",
        "echo 'collect2: fatal error: ld terminated with signal 9 [Killed]' >&2; exit 1",
    ],
)
def test_a_compiler_that_is_killed_has_refused_nothing(tmp_path: Path, what: str) -> None:
    with pytest.raises(ToolEndedError, match="ended from outside while it compiled") as caught:
        run_compiler(["sh", "-c", what], tmp_path, tmp_path / "a.cpp")
    assert caught.value.exit_code == 3


def test_a_compiler_that_crashes_has_refused_the_source(tmp_path: Path) -> None:
    said = "echo 'g++: internal error: Segmentation fault signal terminated program cc1plus' >&2"
    with pytest.raises(CompileError, match="refused it"):
        run_compiler(["sh", "-c", f"{said}; exit 4"], tmp_path, tmp_path / "a.cpp")
