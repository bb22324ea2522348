"""Two runs compared: programs that do the same on both processors, and every kind of difference."""

from __future__ import annotations

import dataclasses
import io
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from emu.runner.compare_runs import compare_runs
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.settings import Settings

PROGRAMS = Path(__file__).parents[1] / "programs" / "mac"
NAMES = sorted(path.stem for path in (PROGRAMS / "prebuilt" / "601").glob("*.bin"))


@cache
def run(name: str, cpu: str) -> RunResult:
    script = PROGRAMS / f"{name}.script.yaml"
    return run_request(
        RunRequest(
            program=PROGRAMS / "prebuilt" / cpu / f"{name}.bin",
            cpu=cpu,
            settings=Settings(keep_log=True, timeout=120),
            script=script if script.exists() else None,
            output_file="out",
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_both_processors_do_the_same(name: str) -> None:
    comparison = compare_runs(run(name, "68000"), run(name, "601"))
    assert comparison.differences == ()
    if name not in ("empty", "log_file"):
        assert comparison.lines
        assert comparison.calls
        assert comparison.pixels > 100_000
    else:
        assert comparison.files == (1 if name == "log_file" else 0)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("texts", {"console": "something else\n"}),
        ("calls", {"log": ()}),
        ("pictures", {"pictures": ()}),
        ("files", {"files": {"new": b""}}),
        ("endings", {"problem": "it fell over", "exit_code": 4}),
    ],
)
def test_any_difference_is_seen(kind: str, change: dict[str, object]) -> None:
    result = run("drawing", "601")
    other = dataclasses.replace(result, **change)
    assert kind in [d.what for d in compare_runs(result, other).differences]
    assert compare_runs(result, result).differences == ()


def test_a_single_pixel_is_seen() -> None:
    result = run("drawing", "601")
    first = result.pictures[0]
    with Image.open(io.BytesIO(first.png)) as image:
        changed = image.convert("L")
    changed.putpixel((3, 2), 255 - changed.getpixel((3, 2)))
    buffer = io.BytesIO()
    changed.save(buffer, "PNG")
    other = dataclasses.replace(
        result,
        pictures=(dataclasses.replace(first, png=buffer.getvalue()), *result.pictures[1:]),
    )
    (difference,) = compare_runs(result, other).differences
    assert difference.where == f"{first.name}, pixel (3,2) and 0 more"
