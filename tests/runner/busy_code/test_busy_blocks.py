"""Busy code that is translated does the same as on the engine, and tells the same mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.runner import memory_watch
from emu.runner.busy_code import busy_blocks
from emu.runner.busy_code.busy_blocks import BusyCode
from emu.runner.busy_code.translated_code import LoadedPart, TranslatedPart
from emu.runner.code_places import CheckedCode
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolchain.mac_app.application import build_application

MAC_PREBUILT = Path(__file__).parents[2] / "programs" / "mac" / "prebuilt"

pytestmark = pytest.mark.slow

SOURCE = """
#include <Memory.h>

static Ptr block, other;
static long total;

static void work(long from, long to)
{{
    for (long n = from; n < to; n++) {{
        total += other[n & 15];
        if (n == 7000)
            {mistake}
    }}
}}

int main()
{{
    block = NewPtr(200);
    DisposePtr(block);
    other = NewPtr(20);
    work(0, 8000);
    return total == 1;
}}
"""
MISTAKES = {
    "68000": {
        "free block": "total += ((volatile char *)block)[100];",
        "odd address": "*(volatile short *)(other + 1) = 7;",
        "address": "total += ((volatile char *)((long)other | 0x80000000))[1];",
        "below the stack": 'asm volatile("move.l %d0,-8(%sp)");',
    },
    "601": {
        "free block": "((volatile char *)block)[100] = 1;",
        "below the stack": 'asm volatile("stw 3,-240(1)");',
    },
}


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[BusyCode]:
    """What has executed busy code, where code is busy after a few rounds of a loop."""
    made: list[BusyCode] = []

    class Noted(BusyCode):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            made.append(self)

    monkeypatch.setattr(busy_blocks, "_WARM", 500)
    monkeypatch.setattr(busy_blocks, "_HOT", 2000)
    monkeypatch.setattr(memory_watch, "BusyCode", Noted)
    return made


def both(program: Path, cpu: str, monkeypatch: pytest.MonkeyPatch) -> list[RunResult]:
    """A run with translated code, and one without."""
    request = RunRequest(program, cpu=cpu, checked=True)
    results = [run_request(request)]
    with monkeypatch.context() as changed:
        changed.setattr(memory_watch, "can_translate", lambda: False)
        results.append(run_request(request))
    return results


def told(result: RunResult) -> tuple[object, ...]:
    """What a run has done and found, without how long it took."""
    return (
        result.console,
        result.windows,
        result.files,
        result.findings,
        result.calls,
        result.problem,
        result.exit_code,
        result.virtual_microseconds,
    )


@pytest.mark.parametrize(
    ("program", "cpu"),
    [("pascal_strings", "68000"), ("files", "601")],
)
def test_a_program_does_the_same_translated(
    program: str, cpu: str, executed: list[BusyCode], monkeypatch: pytest.MonkeyPatch
) -> None:
    translated, engine = both(MAC_PREBUILT / cpu / f"{program}.bin", cpu, monkeypatch)
    assert told(translated) == told(engine)
    (busy,) = executed
    assert busy.executed > 10_000
    assert translated.checked_code == CheckedCode(busy.executed, busy.bytes_on_engine)
    assert 10_000 < busy.bytes_on_engine < 10 * busy.executed
    assert engine.checked_code == CheckedCode(0, None)


@pytest.mark.parametrize(
    ("cpu", "check"), [(cpu, check) for cpu, checks in MISTAKES.items() for check in checks]
)
def test_a_mistake_in_busy_code_is_told_in_the_same_words(
    cpu: str,
    check: str,
    tmp_path: Path,
    compilers: Callable[..., None],
    executed: list[BusyCode],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compilers(cpu)
    source = tmp_path / "mistake.cpp"
    source.write_text(SOURCE.format(mistake=MISTAKES[cpu][check]))
    build_application([source], "mistake", cpu, None, tmp_path, debug=False)
    translated, engine = both(tmp_path / "mistake.bin", cpu, monkeypatch)
    assert told(translated) == told(engine)
    # The compiler has put all into main.
    assert any(one.check == check and "main" in one.problem for one in translated.findings)
    (busy,) = executed
    assert busy.executed > 10_000


def test_a_kept_translation_is_used_again(
    executed: list[BusyCode], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path))
    loaded: list[bytes] = []

    class Noted(LoadedPart):
        def __init__(self, part: TranslatedPart, *places: int) -> None:
            super().__init__(part, *places)
            loaded.append(part.content)

    monkeypatch.setattr(busy_blocks, "LoadedPart", Noted)
    request = RunRequest(MAC_PREBUILT / "68000" / "globals.bin", cpu="68000", checked=True)
    first = run_request(request)
    kept = loaded.pop()
    loaded.clear()
    monkeypatch.setattr(busy_blocks, "keep", lambda key, part: None)
    assert told(run_request(request)) == told(first)
    assert kept in loaded
