"""The system's globals are there by the names that THINK C's MacHeaders gave them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CompileError
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolchain.mac_app.application import build_application

SOURCE = """
#include <stdio.h>

static Handle MenuList;                 /* its own, and no type of the system's */

static short Height(short Ticks) { return MBarHeight + Ticks; }

int main(void)
{
    MemErr = 0;
    DisposeHandle(0L);
    printf("%d %d ", Height(1), ROM85 == *(short*) 0x28E);
    printf("%d %d ", TheZone == ApplicZone(), SysZone == *(THz*) 0x2A6);
    printf("%d %d %d\\n", MenuList == 0L, Cancel, (OK == ok) + (TickCount() - Ticks < 5));
    return 0;
}
"""


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_globals_of_the_system_are_declared_where_a_program_lacks_them(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    compilers(cpu)
    source = tmp_path / "program.c"
    source.write_text(SOURCE)
    path = build_application([source], "Low", cpu, None, tmp_path / cpu, prefix=("MacHeaders",))
    result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
    assert result.text.splitlines() == ["21 1 1 1 1 2 2"], result.problem


def test_without_mac_headers_they_are_not(compilers: Callable[..., None], tmp_path: Path):
    compilers("68000")
    source = tmp_path / "program.c"
    source.write_text("int main(void) { return MemErr; }\n")
    with pytest.raises(CompileError, match="'MemErr' undeclared"):
        build_application([source], "Low", "68000", None, tmp_path / "app")
