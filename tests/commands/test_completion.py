"""``macproof completion``: scripts for three shells; bash reads its own and completes with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.cli import all_commands

ROOT = Path(__file__).parents[2]
# What bash does at Tab: it calls the function that `complete` has registered for the first word,
# with the words before it in COMP_WORDS, and takes the answers from COMPREPLY.
TAB = """
source "$1"; shift
registered=$(complete -p macproof)
function=${registered##*-F }
function=${function%% *}
COMP_WORDS=(macproof "$@"); COMP_CWORD=$#
COMP_LINE="macproof $*"; COMP_POINT=${#COMP_LINE}
$function macproof "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
Command = Callable[..., "Outcome"]


class Outcome:
    """What `macproof` of conftest.py gives."""

    code: int
    out: str
    err: str


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (["ver"], {"verify"}),
        (["--ver"], {"--version"}),
        ([""], {*all_commands()}),
        (["verify", "--bui"], {"--build"}),
        (["new", "--f"], {"--from", "--function", "--folder"}),
        (["verify", "--programs", ""], {"auto", "compiled", "prebuilt"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["verify", "my_p"], {"my_ports"}),
        (["show", "-o", "my_p"], {"my_ports"}),
        (["nonsense"], set()),
        (["verify", "trivial"], {"trivial-loops", "trivial-loops-as-described"}),
        (["calibrate", "--case", "trivial-loops-"], {"trivial-loops-as-described"}),
        (["campaign", "run", "folder", "dhry"], {"dhrystone", "dhrystone-recorded"}),
        (["explain", "dhrystone-"], {"dhrystone-recorded"}),
        (["verify", "a b"], {r"a\ b"}),
        (["verify", "$"], {r"\$\(touch\ made\)"}),
        (["run", "dhry"], set()),
    ],
)
def test_bash_completes(words: list[str], answers: set[str], macproof: Command, tmp_path: Path):
    """Cases are asked of the program; the name of a folder is never executed."""
    script = tmp_path / "bin" / "macproof.bash"
    launcher = tmp_path / "bin" / "macproof"
    script.parent.mkdir()
    script.write_text(macproof("completion", "bash").out)
    launcher.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec {sys.executable} -m emu.cli "$@"\n')
    launcher.chmod(0o755)
    for name in ("my_ports", "a b", "$(touch made)"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "case.yaml").write_text("name: mine\n")
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "--norc", "-c", TAB, "bash", script, *words],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{launcher.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert {line for line in done.stdout.splitlines() if line} == answers
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("shell", "first", "option"),
    [
        ("bash", "# AUTOMATICALLY GENERATED", "--function"),
        ("zsh", "#compdef macproof", "--function"),
        ("fish", "# AUTOMATICALLY GENERATED", "-l function"),
    ],
)
def test_each_shell_has_a_script_with_every_command(
    shell: str, first: str, option: str, macproof: Command, tmp_path: Path
):
    done = macproof("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(first)
    assert option in done.out
    assert [command for command in all_commands() if command not in done.out] == []
    program = shutil.which(shell)
    if program is not None:  # without it, no more can be tried than what the script has
        script = tmp_path / "script"
        script.write_text(done.out)
        subprocess.run([program, "-n", script], check=True)


def test_another_shell_is_refused(macproof: Command):
    done = macproof("completion", "tcsh")
    assert done.code == 2
    assert "there is no 'tcsh'" in done.err
