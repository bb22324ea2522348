"""Every benchmark runs in its short form, and prints a figure wherever it is to print one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from emu.toolchain.builds import TARGETS

ROOT = Path(__file__).parents[1]
NAMES = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
NAMES = [name for name in NAMES if name not in ("orphans", "short_form")]
_NUMBER = r" +[0-9][0-9.,]*%?"
_LOOKS = (
    *("menu", "menu_bar", "drag", "drop", "grow", "select_text", "type_text", "scroll_text"),
    *("scroll_bar", "select_window", "draw_strings"),
)
_CHOICES = ("none", "undefined", "address", "address,undefined")
_TIMES = r"\([0-9./ ]+ us\)"
ROWS: dict[str, tuple[list[str], int]] = {
    "checks_cost": ([rf"four-shifts +{cpu} O2" for cpu in TARGETS], 3),
    "coverage": (
        [f"{case} +plain{_NUMBER} s +covered{_NUMBER} s" for case in ("four-shifts", "collider")],
        1,
    ),
    "engine_speed": ([rf"{cpu} +O\d" for cpu in TARGETS], 10),
    "engines": ([rf"{cpu} +O2 +unicorn" for cpu in ("68040", "601")], 3),
    "fuzz_speed": ([rf"four-shifts +translated{_NUMBER}/s +unicorn{_NUMBER}/s +ratio"], 1),
    "play_speed": ([" +click in the menu bar:", " +menu followed:", " +key:"], 1),
    "port_speed": (
        [
            *(
                f"verify IsLegal, {which}"
                for which in ("nothing kept", "all kept", "in a server.*")
            ),
            *(f"5 calls of {name}, again and again" for name in ("IsLegal", "ListMoves")),
        ],
        1,
    ),
    "record_speed": (["a word of a record at hand", "a record made for one word"], 2),
    "road_cost": (["four-shifts"], 7),
    "run_checks": (["68000/menus.bin"], 3),
    "sanitizers": ([rf"four-shifts +601 +{choice}" for choice in _CHOICES], 4),
    "scene_cost": (["four-shifts", "trivial-loops"], 6),
    "start_up": (
        [
            rf"macproof {what}"
            for what in ("--help", "verify --help", "run, 68040, globals", "run, 601, stdio")
        ],
        1,
    ),
    "toolbox_speed": ([f"68000 +{look}" for look in _LOOKS], 2),
    "translated_checks": ([rf"four-shifts +{cpu} O2" for cpu in TARGETS], 5),
    "translated_speed": (
        [
            *(rf"{cpu} O2: a call, translated / Unicorn {_TIMES}" for cpu in TARGETS),
            *(f"{cpu} O2: a translation that was kept" for cpu in TARGETS),
            rf"campaign of 40 scenes, translated / Unicorn {_TIMES}",
        ],
        1,
    ),
    "trap_speed": (
        [
            *(f"68040 +{name}" for name in ("TickCount", "Microseconds", "SetRect", "OffsetRect")),
            *(f"601 +{name}" for name in ("TickCount", "SetRect")),
        ],
        1,
    ),
    "unicorn_stores": (
        [rf"{cpu} +{loop}" for cpu in ("68040", "601") for loop in ("load", "store")],
        3,
    ),
    "verdict_checks": (["brute-force", "at most"], 1),
}
"""Patterns of the beginnings of rows that a benchmark prints, and how many figures follow each."""


def run(name: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_prints_its_figures(name: str):
    if name in ("port_speed", "sanitizers") and shutil.which("m68k-linux-gnu-g++") is None:
        pytest.skip("it compiles for the 68K, and no cross compiler is installed")
    said = run(name, "--short")
    beginnings, count = ROWS[name]
    for beginning in beginnings:
        row = rf"^{beginning}(?:{_NUMBER}){{{count}}}"
        assert re.search(row, said, re.MULTILINE), f"no row {row} in:\n{said}"


@pytest.mark.slow
def test_the_speed_of_the_engine_is_measured_on_every_program():
    said = run("engine_speed", "--short").splitlines()
    assert len([row for row in said if row.startswith(tuple(TARGETS))]) == 18


@pytest.mark.slow
def test_another_checkout_is_measured_beside_this_one():
    said = run("road_cost", "--short", "--against", str(ROOT))
    assert re.search(
        rf"^four-shifts(?:{_NUMBER}){{8}}\n +other(?:{_NUMBER}){{7}}$", said, re.MULTILINE
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to a grandparent")
def test_the_time_of_an_orphan_is_counted():
    work = "import time\nwhile time.process_time() < 0.25: pass"
    start = f"import subprocess, sys; subprocess.Popen([sys.executable, '-S', '-c', {work!r}])"
    code = (
        "import resource, subprocess, sys\n"
        "from benchmarks.orphans import adopt_orphans, children, wait_for_orphans\n"
        "adopt_orphans()\n"
        "others = children()\n"
        f"subprocess.run([sys.executable, '-S', '-c', {start!r}])\n"
        "wait_for_orphans(others)\n"
        "print(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) >= 0.25


def test_every_benchmark_has_its_rows_here():
    assert [*ROWS] == NAMES
