"""Applications with GCC's checks of undefined behaviour tell what they find by DebugStr."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.cli import main
from emu.toolchain.builds import BUILDS
from emu.toolchain.mac_app import build_application
from emu.toolchain.sanitizers import sanitized

_SOURCE = """
#include <stdio.h>

static int gTable[4] = { 1, 2, 3, 4 };

int main(void)
{
    volatile int many = 33, last = MOST;
    int sum = gTable[last & 7];

    if (last > 3)
        sum += 1 << many;
    printf("%d", sum & 0);
    return 0;
}
"""


def built(folder: Path, most: int, cpu: str, sanitizer: str = "undefined") -> Path:
    source = folder / "checked.c"
    source.write_text(_SOURCE.replace("MOST", str(most)))
    build = sanitized(BUILDS["O2"], [sanitizer])
    return build_application([source], "Checked", cpu, None, folder, build=build)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_an_application_tells_what_it_finds(
    cpu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["run", str(built(tmp_path, 4, cpu))]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert 'DebugStr with "undefined behaviour (bounds) in checked.c, line 9"' in told
    assert 'DebugStr with "undefined behaviour (shift) in checked.c, line 12"' in told


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_an_application_that_is_right_tells_nothing(cpu: str, tmp_path: Path):
    assert main(["run", str(built(tmp_path, 3, cpu))]) == 0


def test_an_application_cannot_have_a_shadow(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot have the sanitizer address, only undefined"):
        built(tmp_path, 3, "601", "address")


def test_retro68_has_none(capsys: pytest.CaptureFixture[str]):
    assert main(["build", "--toolchain", "retro68", "--sanitize", "undefined"]) == 2
    assert "--sanitize is for --toolchain gcc" in capsys.readouterr().err
