"""What a process that is killed leaves behind: no process and no temporary folder."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import Family, wait_until
from tests.small_cases import SmallCases

HOLDS_A_FOLDER = """
import sys, time
from emu.base.temporary import temporary_folder

with temporary_folder() as folder:
    (folder / "inside").mkdir()
    print(folder, flush=True)
    time.sleep(float(sys.argv[1]))
"""
REPORTS = """
import time
from emu.base.processes.workers import run_apart_reporting

def wait(report):
    report("it has begun")
    time.sleep(600)

run_apart_reporting(wait, on_report=lambda report: print(report, flush=True))
"""
# Blocks of many instructions, so that a budget in blocks lasts.
LOOPS = """
short gValues[10];
short gCount;
long gSum;
void Run() { for (;;) asm volatile (".rept 400\\n nop\\n .endr"); }
"""
RETURNS = LOOPS.replace("for (;;)", "")
# It holds on to the interpreter, so that no thread of its process can do anything.
NEVER_MATCHED = """
import re
re.match("(a+)+$", 60 * "a" + "b")
return answer(total=0)
"""
OBSERVE = "{gSum: total}"


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Where the processes of a test make their temporary folders: a short path, for sockets."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def require_nothing_left(family: Family, temporary: Path) -> None:
    wait_until(lambda: not family.members(), "all of its processes end")
    wait_until(lambda: not list(temporary.iterdir()), "its temporary folders are gone")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "reference"),
    [
        (LOOPS, "return answer(total=0)"),
        pytest.param(RETURNS, NEVER_MATCHED, marks=pytest.mark.slow),
    ],
    ids=["guest", "reference"],
)
def test_what_loops_in_a_worker_ends_with_its_parent(
    small_cases: SmallCases, temporary: Path, source: str, reference: str
) -> None:
    case = small_cases.make(source, reference, OBSERVE)
    small_cases.subject(case, "68040", "O0")  # so that the command does not compile for long
    words = ("verify", case.path, "--cpu", "68040", "--build", "O0")
    with Family("-m", "emu.cli", *words, TMPDIR=str(temporary)) as family:
        wait_until(lambda: family.busiest_worker() > 2, "a worker takes processor time")
        assert list(temporary.iterdir())
        family.process.kill()
        require_nothing_left(family, temporary)


def test_a_process_that_reports_ends_with_its_parent(temporary: Path) -> None:
    with Family("-c", REPORTS, TMPDIR=str(temporary)) as family:
        assert family.process.stdout is not None
        assert family.process.stdout.readline() == "it has begun\n"
        assert len(family.members()) == 2
        family.process.kill()
        require_nothing_left(family, temporary)


@pytest.mark.parametrize("to_all", [False, True], ids=["process", "session"])
def test_a_killed_process_leaves_no_folder(temporary: Path, to_all: bool) -> None:
    with Family("-c", HOLDS_A_FOLDER, "600", TMPDIR=str(temporary)) as family:
        assert family.process.stdout is not None
        folder = Path(family.process.stdout.readline().rstrip())
        assert (folder / "inside").is_dir()
        assert folder.is_relative_to(temporary)
        kill = os.killpg if to_all else os.kill
        kill(family.process.pid, signal.SIGKILL)
        require_nothing_left(family, temporary)


def test_a_process_that_ends_leaves_no_folder(temporary: Path) -> None:
    with Family("-c", HOLDS_A_FOLDER, "0", TMPDIR=str(temporary)) as family:
        assert family.process.wait(120) == 0
        assert list(temporary.iterdir()) == []
        assert family.members() == []
