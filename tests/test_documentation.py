"""Every command and every piece of Python in the README is run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from emu.toolbox.users import Script

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent
_BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
_COMMANDS = [
    line[2:]
    for language, text in _BLOCKS
    if language == "console"
    for line in text.splitlines()
    if line.startswith("$ ")
]
# Run whole by the test of a fresh clone, and `make test` by whoever runs this.
_SET_UP = ("make ", "python3 -m venv", ".venv/bin/")


def test_no_line_of_a_console_block_is_overlooked():
    lines = [
        line for language, text in _BLOCKS if language == "console" for line in text.splitlines()
    ]
    assert len(_COMMANDS) > 12
    assert [line for line in lines if not line.startswith("$ ")] == []


def _workplace(folder: Path) -> dict[str, str]:
    """What the README's commands expect to find around them; the environment to run them in."""
    for name in ("mac_src", "requirements.lock", "tests"):
        (folder / name).symlink_to(ROOT / name)
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    (folder / "bin").mkdir()
    launcher = folder / "bin" / "macproof"
    launcher.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m emu.cli "$@"\n')
    launcher.chmod(0o755)
    return {**os.environ, "PATH": path, "COLUMNS": "100"}


def _run(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Run one documented command; it must end as the README says, by default with 0."""
    wanted = re.search(r"# exit (\d+)$", command)
    completed = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = completed.stdout + completed.stderr
    assert completed.returncode == (int(wanted[1]) if wanted else 0), f"{command}\n{said}"
    assert "Traceback" not in said
    return said


@pytest.mark.slow
def test_the_commands_of_the_tasks(tmp_path, compilers):
    compilers()
    environment = _workplace(tmp_path)
    run = {}
    for command in _COMMANDS:
        needs_post = "post.txt" in command or "four_shifts_1994" in command
        if not command.startswith(_SET_UP) and not needs_post:
            run[command] = _run(command, tmp_path, environment)
    assert len(run) >= 8
    explained = next(said for command, said in run.items() if " explain " in command)
    assert "objects left: 2 of" in explained
    assert "last written at" in explained
    made = {path.name for path in tmp_path.iterdir()}
    assert {"report.json", "report.xml", "report.md", "wrong.png", "clustered.png"} <= made
    assert {"calls.log", "inside.json"} <= made
    assert (tmp_path / "pictures" / "1-drawing.png").exists()
    assert (tmp_path / "programs" / "four-shifts-601-O2.elf").exists()


@pytest.mark.slow
def test_the_commands_for_the_listing(tmp_path, compilers, post):
    compilers()
    environment = _workplace(tmp_path)
    shutil.copyfile(post, tmp_path / "post.txt")
    said = [
        _run(command, tmp_path, environment)
        for command in _COMMANDS
        if "post.txt" in command or "four_shifts_1994" in command
    ]
    assert len(said) == 2
    assert "438 lines" in said[0]
    assert said[1].count("│ verified │") == 18


def test_the_python_in_it_prints_what_it_says():
    source = next(text for language, text in _BLOCKS if language == "python")
    completed = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    )
    printed = re.search(r"It prints `(.+?)`", README)
    assert printed is not None
    assert completed.stdout.strip() == printed[1]


def test_make_verify_and_make_test_are_what_the_readme_says():
    said = subprocess.run(
        ["make", "--dry-run", "verify", "test", f"BIN={BIN}", "READY="],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"{BIN}/macproof verify" in said
    assert f'{BIN}/python -m pytest -m "not slow"' in said


@pytest.mark.slow
def test_the_table_in_it_is_what_verify_prints(tmp_path):
    said = _run("macproof verify --programs prebuilt", tmp_path, _workplace(tmp_path))
    rows = [line for line in README.splitlines() if line.startswith("│")]
    assert len(rows) == 18
    assert [row for row in rows if row not in said] == []
    assert "31,320,000 values" in said
    assert "31,320,000 values" in README


@pytest.mark.slow
def test_the_benchmark_measures_every_program():
    said = subprocess.run(
        [sys.executable, "benchmarks/engine_speed.py"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout
    rows = [line.split() for line in said.splitlines()]
    measured = [row[:2] for row in rows if row[:1] in (["68000"], ["68040"], ["601"])]
    assert len(measured) == 18


@pytest.mark.slow
def test_a_fresh_clone_needs_nothing_but_python(tmp_path):
    """The set-up commands, in a clone, without cross compilers; `make verify` is the main job."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "make", "touch", "python3", "env"):
        found = sys.executable if name == "python3" else shutil.which(name)
        assert found is not None
        (tools / name).write_text(f'#!/bin/sh\nexec {shlex.quote(found)} "$@"\n')
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": str(tools), "COLUMNS": "100"}
    environment.pop("VIRTUAL_ENV", None)
    completed = subprocess.run(
        [shutil.which("make") or "make", "verify"],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    said = completed.stdout + completed.stderr
    if "No matching distribution" in said or "Could not find a version" in said:
        pytest.skip("the package registry cannot be reached, so no fresh environment can be made")
    assert completed.returncode == 0, said
    assert said.count("│ verified │") == 18
    assert "18 prebuilt" in said


def test_links_to_files_lead_somewhere():
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_scripts_in_it_are_scripts(tmp_path):
    scripts = [text for language, text in _BLOCKS if language == "yaml" and "script/1" in text]
    assert scripts
    for number, text in enumerate(scripts):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text)
        assert Script(path).steps
