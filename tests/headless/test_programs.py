"""Whole Mac programs, both processors: what they print, call and draw, as it was recorded.

The programs are those of ``tests/programs/mac``, built by macproof's own application toolchain.
What each does is kept in ``tests/programs/mac/recorded``; ``MACPROOF_RECORD=1`` writes it anew, to
be read before it is committed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from functools import cache
from pathlib import Path

import pytest

from emu.headless.compare_runs import compare_runs
from emu.headless.runner import RunRequest, RunResult, run_program
from emu.toolbox.settings import Settings

PROGRAMS = Path(__file__).parents[1] / "programs" / "mac"
RECORDED = PROGRAMS / "recorded"
NAMES = sorted(path.stem for path in (PROGRAMS / "prebuilt" / "601").glob("*.bin"))
FOLDERS = {"68000": "68000", "68040": "68000", "601": "601"}


@cache
def run(name: str, cpu: str) -> RunResult:
    script = PROGRAMS / f"{name}.script.yaml"
    return run_program(
        RunRequest(
            program=PROGRAMS / "prebuilt" / FOLDERS[cpu] / f"{name}.bin",
            cpu=cpu,
            settings=Settings(keep_log=True, timeout=30),
            script=script if script.exists() else None,
            output_file="out",
        )
    )


def in_words(result: RunResult) -> str:
    """Everything that a program did, as a person can read and compare it."""
    pieces = [f"ended: {result.problem or 'by itself'}", "", "text:", result.text, result.output]
    pieces += ["files:"]
    pieces += [f"  {name}: {data!r}" for name, data in sorted(result.files.items())]
    pieces += ["findings:"]
    pieces += [f"  {f.check}: {f.problem} ({f.routine})" for f in result.findings]
    pieces += ["pictures:"]
    pieces += [f"  {p.name} {hashlib.sha256(p.png).hexdigest()[:16]}" for p in result.pictures]
    pieces += ["calls:"]
    pieces += [f"  {call.text}" for call in result.log if not call.plumbing]
    return "\n".join(pieces) + "\n"


def test_there_are_programs() -> None:
    assert len(NAMES) >= 14
    assert sorted(path.stem for path in RECORDED.glob("*.txt")) == NAMES


@pytest.mark.parametrize("cpu", FOLDERS)
@pytest.mark.parametrize("name", NAMES)
def test_a_program_does_what_was_recorded(name: str, cpu: str) -> None:
    result = run(name, cpu)
    assert result.completed, result.problem
    path = RECORDED / f"{name}.txt"
    if os.environ.get("MACPROOF_RECORD") and cpu == "68000":
        path.parent.mkdir(exist_ok=True)
        path.write_text(in_words(result), encoding="utf-8")
    assert in_words(result) == path.read_text(encoding="utf-8")


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
    import io

    from PIL import Image

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
