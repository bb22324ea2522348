"""Worker processes are started as the system wants it; on macOS nothing of ours forks."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import UsageError
from emu.base.processes.workers import Workers, run_apart, submit, worker_pool
from emu.base.system.start_method import VARIABLE, quick_start_method, start_method

ROOT = Path(__file__).parents[3]
HOW = "__import__('multiprocessing').get_start_method()"
# The command on a system where a process cannot be forked: not by this one, nor by a fork server.
FORKLESS = """
import os, sys
from multiprocessing.forkserver import ForkServer
os.fork = ForkServer.ensure_running = None
from emu.cli import main
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
ONE = ("--cpu", "68040", "--build", "O2", "--programs", "prebuilt")


@pytest.fixture(params=["spawn", "forkserver"])
def method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(VARIABLE, request.param)
    return str(request.param)


def _forkless(*words: object, method: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", FORKLESS, *map(str, words)],
        cwd=ROOT,
        env={**os.environ, VARIABLE: method},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )


@pytest.mark.parametrize(
    ("system", "usual"), [("linux", "forkserver"), ("darwin", "spawn"), ("freebsd14", "spawn")]
)
def test_each_system_has_its_usual_method(system, usual, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("sys.platform", system)
    assert start_method() == usual


def test_only_linux_forks_for_one_call_and_only_with_one_thread(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert quick_start_method() == "fork"
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert quick_start_method() == "forkserver"
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr("sys.platform", "darwin")
    assert quick_start_method() == "spawn"


def test_another_method_is_refused(monkeypatch, macproof):
    monkeypatch.setenv(VARIABLE, "fork")
    with pytest.raises(UsageError, match="MACPROOF_START_METHOD is 'fork'; it has to be forks"):
        start_method()


@pytest.mark.slow
def test_every_kind_of_worker_is_started_by_the_method(method):
    assert run_apart(eval, HOW) == method
    with worker_pool(1) as pool:
        assert submit(pool, eval, HOW).result() == method
    if method == "spawn":
        assert Workers(1).once(eval, HOW) == method


def test_a_case_is_verified_without_a_fork():
    done = _forkless("verify", "four-shifts", *ONE, "--scenes", 20, method="spawn")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verified" in done.stdout


@pytest.mark.slow
def test_a_fork_would_be_noticed():
    """So that the test above can fail."""
    done = _forkless("verify", "four-shifts", *ONE, "--scenes", 20, method="forkserver")
    assert done.returncode == 70, done.stdout + done.stderr


@pytest.mark.slow
def test_several_cases_need_no_fork():
    """One with programs of all builds, one for the MIPS too, one whose reference makes one call.

    How a process is started does not depend on the case, and each costs seconds where all are new.
    """
    cases = ("four-shifts", "linear-quadtree", "morton-neighbours")
    done = _forkless("verify", *cases, "--scenes", 60, "--programs", "prebuilt", method="spawn")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Cases: 3 (3 verified)" in done.stdout


@pytest.mark.slow
def test_a_campaign_of_ten_thousand_scenes_needs_no_fork(tmp_path, macproof_apart):
    words = ("four-shifts", *ONE, "--scenes", 10_000, "--jobs", 2)
    spawned, forked = tmp_path / "spawned.json", tmp_path / "forked.json"
    done = _forkless(
        "campaign", "run", tmp_path / "spawned", *words, "--json", spawned, method="spawn"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    macproof_apart("campaign", "run", tmp_path / "forked", *words, "--json", forked)
    assert _untimed(spawned)["verdict"] == "verified"
    assert _untimed(spawned) == _untimed(forked)


def _untimed(file: Path) -> dict[str, Any]:
    """A report without what differs between two runs."""
    return {
        name: value for name, value in json.loads(file.read_text()).items() if name != "seconds"
    }
