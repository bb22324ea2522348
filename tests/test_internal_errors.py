"""An error in macproof itself is no verdict: one line, an exit code of its own, no traceback."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from emu.base.errors import GuestError, InternalError
from emu.base.processes.workers import run_apart, run_apart_reporting
from emu.cli import _COMMANDS, all_commands, main

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "mac_src" / "prebuilt" / "four-shifts-68040-O2.elf"
MAC_PROGRAM = ROOT / "tests" / "programs" / "mac" / "prebuilt" / "68000" / "stdio.bin"
ONE = ("--cpu", "68040", "--build", "O2", "--programs", "prebuilt")
NEEDED = {
    "campaign": ["status", "folder"],
    "conform": ["x"],
    "debug": ["x"],
    "explain": ["x"],
    "inspect": ["x"],
    "run": ["x"],
    "play": ["x"],
    "import": ["x"],
    "completion": ["bash"],
    "replay": ["x"],
}
POSTS = {"audit", "compare", "findings", "import", "timing"}
"""The commands whose usual work is of the posts."""
MODULES = {"import": "import_post", "timing": "timing_options"}
SOFTWARE = 70


class OddError(BaseException):
    """Not even an Exception."""


def fail(*arguments: Any, **named: Any) -> NoReturn:
    raise ZeroDivisionError("planted\nin two lines")


def leave(*arguments: Any) -> NoReturn:
    raise SystemExit(0)


def recurse(*arguments: Any, **named: Any) -> NoReturn:
    recurse()


def planted(error: BaseException) -> Callable[..., NoReturn]:
    def run(*arguments: Any) -> NoReturn:
        raise error

    return run


@pytest.mark.parametrize("command", list(all_commands()))
def test_every_command_has_this_last_resort(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    guest = f"posts.commands.{MODULES.get(command, command)}"
    module = importlib.import_module(guest if command in POSTS else _COMMANDS[command].module)
    monkeypatch.setattr(module, "run", fail)
    assert main([command, *NEEDED.get(command, [])]) == SOFTWARE
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "macproof: an error in macproof itself: ZeroDivisionError: planted "
        f"(test_internal_errors.py, line {fail.__code__.co_firstlineno + 1})\n"
        "Please report it, with what --verbose prints.\n"
    )
    assert main([command, *NEEDED.get(command, []), "--verbose"]) == SOFTWARE
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "code", "words"),
    [
        (planted(MemoryError()), SOFTWARE, "itself: MemoryError ("),
        (recurse, SOFTWARE, "itself: RecursionError: maximum recursion depth exceeded"),
        (planted(OddError("odd")), SOFTWARE, "itself: OddError: odd"),
        (planted(SystemExit(0)), SOFTWARE, "itself: SystemExit: 0"),
        (planted(SystemExit(1)), SOFTWARE, "itself: SystemExit: 1"),
        (planted(GeneratorExit()), SOFTWARE, "itself: GeneratorExit"),
        (planted(KeyError("\x1b[31m")), SOFTWARE, r"itself: KeyError: '\x1b[31m'"),
        (planted(UnicodeEncodeError("utf-8", "\udcff", 0, 1, "no")), SOFTWARE, "itself: Unicode"),
        (planted(KeyboardInterrupt()), 130, "macproof: interrupted\n"),
        (planted(BrokenPipeError(32, "Broken pipe")), 2, "without a name: Broken pipe\n"),
    ],
)
def test_whatever_is_raised(
    run: Callable[..., Any],
    code: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr("emu.commands.programs.inspect.run", run)
    monkeypatch.setattr("emu.cli.silence", lambda stream: None)  # it is this process's own
    assert main(["inspect", "x"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.startswith("macproof: ")
    assert "Traceback" not in err
    assert err.isascii()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("emu.verify.runs.schedule._run_task", ("verify", "four-shifts", *ONE, "--scenes", "2")),
        ("emu.verify.explain_failure._explained", None),
        ("emu.commands.show.view_scene", ("show", *ONE, "-o", "/dev/null")),
        ("emu.runner.runner.run_request", ("run", str(MAC_PROGRAM))),
        ("posts.trials.trial_runner.try_scenes", ("findings", "B8", "--cpu", "68040")),
        (
            "posts.comparison.run.measure",
            ("compare", "brute-force", "--objects", "20", "--programs", "prebuilt"),
        ),
        ("emu.timing.predict._predict_task", ("timing", "--scenes", "1", *ONE)),
        ("posts.audit.run.call", ("audit",)),
    ],
)
def test_in_worker_processes_too(
    function: str,
    words: tuple[str, ...] | None,
    macproof: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    if words is None:
        report = tmp_path / "report.json"
        make_refuted(macproof, report)
        words = ("explain", str(report))
    importlib.import_module(function.rpartition(".")[0])
    monkeypatch.setattr(function, fail)
    done = macproof(*words)
    assert done.code == SOFTWARE, done
    assert "an error in macproof itself: ZeroDivisionError: planted (test_internal" in done.err


def make_refuted(macproof: Callable[..., Any], report: Path) -> None:
    """A report that says of a program that it failed."""
    macproof("verify", "four-shifts", *ONE, "--scenes", 2, "--json", report)
    data = json.loads(report.read_text())
    failure = {"divergence": None, "violations": ["x"], "fault": None, "summary": "x"}
    data["results"][0]["failures"] = [
        {"generator": "uniform", "objects": 2, "seed": 1, "fill": "loaded", **failure},
    ]
    report.write_text(json.dumps(data))


def test_errors_of_workers_arrive_with_their_tracebacks():
    for run in (run_apart, lambda f: run_apart_reporting(f, on_report=print)):
        with pytest.raises(
            InternalError, match=r"planted \(test_internal_errors.py, line "
        ) as caught:
            run(fail)
        assert "in fail" in caught.value.trace
        with pytest.raises(InternalError, match="SystemExit: 0"):
            run(leave)


def die(*arguments: Any) -> NoReturn:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


def test_a_process_that_goes_down_is_the_guests_doing():
    for run in (run_apart, lambda f: run_apart_reporting(f, on_report=print)):
        with pytest.raises(GuestError, match="brought the engine's process down"):
            run(die)


@pytest.mark.slow
def test_no_memory_is_no_verdict(tmp_path: Path):
    """A real MemoryError, which is not one exception planted in one place."""
    if sys.platform != "linux":
        pytest.skip("the limit of memory is Linux's")
    limited = (
        "import resource, sys\n"
        "from emu.cli import main\n"
        "import emu.commands.programs.inspect as inspect\n"
        "def run(arguments, console):\n"
        "    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "    return len(bytearray(4 << 30))\n"
        "inspect.run = run\n"
        "sys.exit(main(['inspect', 'x']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (SOFTWARE, "")
    assert done.stderr.startswith("macproof: an error in macproof itself: MemoryError")
