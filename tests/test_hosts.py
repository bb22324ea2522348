"""Workflows and forms for the hosts of repositories are well formed, and name what there is."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from emu.base.errors import UsageError
from emu.cli import make_parser

ROOT = Path(__file__).resolve().parent.parent
FOR_USERS = sorted((ROOT / "examples" / "ci").glob("*.yaml"))
WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), ROOT / ".gitlab-ci.yml"]
FORMS = [
    path
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    if path.name != "config.yml"
]
TARGETS = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
_INPUTS = {"checkboxes", "dropdown", "input", "textarea"}


def commands(value: Any) -> Iterator[str]:
    """The command lines of a workflow, wherever they are: under ``run`` or ``script``."""
    if isinstance(value, dict):
        for key, inner in value.items():
            lines = inner if isinstance(inner, list) else [inner]
            if key in ("run", "script") and all(isinstance(line, str) for line in lines):
                for line in lines:
                    yield from line.splitlines()
            else:
                yield from commands(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from commands(inner)


def unknown(command: str) -> list[str]:
    """Parts of a command line that are meant for this project and that it does not know."""
    found = []
    for part in re.split(r"\s*(?:&&|\|\||;)\s*", command):
        name, *words = shlex.split(part) or [""]
        if name == "make":
            targets = [word for word in words if "=" not in word]
            found += [f"make {target}" for target in targets if target not in TARGETS]
        elif Path(name).name == "macproof":
            try:
                make_parser(words).parse_args(words)
            except (SystemExit, UsageError):
                found.append(part)
        elif name.startswith("./") or name == ".ci/run":
            found += [name] if not os.access(ROOT / name, os.X_OK) else []
    return found


@pytest.mark.parametrize("path", [*WORKFLOWS, *FOR_USERS], ids=lambda path: path.name)
def test_workflows_run_what_there_is(path):
    lines = list(commands(yaml.safe_load(path.read_text())))
    assert any(re.search(r"\.ci/run|\bmake |\bmacproof ", line) for line in lines)
    assert [one for line in lines for one in unknown(line)] == []


def test_workflows_build_the_packages_and_run_all_that_ci_runs():
    for path in WORKFLOWS:
        lines = " ".join(commands(yaml.safe_load(path.read_text())))
        assert {".ci/run", "make verify", "make test", "make dist"} <= set(
            re.findall(r"\.ci/run|make \w+", lines)
        )


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("make tests", ["make tests"]),
        ("make verify test PYTHON=python && make all", ["make all"]),
        ("macproof verfy", ["macproof verfy"]),
        ("cd x && .venv/bin/macproof run --no-such", [".venv/bin/macproof run --no-such"]),
        ("./no-such", ["./no-such"]),
        ("make dist; .ci/run || macproof verify a --junit b", []),
    ],
)
def test_what_there_is_not_is_found(line, found, capsys):
    assert unknown(line) == found


def test_no_command_is_overlooked():
    workflow = {
        "jobs": {"a": {"steps": [{"run": "one\ntwo"}, {"uses": "x"}]}, "b": {"script": ["3"]}}
    }
    assert list(commands(workflow)) == ["one", "two", "3"]


def wrong_form(form: Any) -> list[str]:
    """What GitHub would refuse in an issue form."""
    found = [key for key in ("name", "description", "body") if not form.get(key)]
    fields = [field for field in form.get("body") or [] if field["type"] != "markdown"]
    found += [field["type"] for field in fields if field["type"] not in _INPUTS]
    found += [str(field) for field in fields if not field["attributes"].get("label")]
    ids = [field.get("id") for field in fields]
    found += [f"id {one}" for one in ids if not one or ids.count(one) > 1]
    return found if fields else [*found, "no field"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_are_well_formed(path):
    assert wrong_form(yaml.safe_load(path.read_text())) == []


def test_a_wrong_form_is_found():
    field = {"type": "text", "id": "a", "attributes": {}}
    assert wrong_form({"name": "n", "body": [field, field]}) == [
        "description", "text", "text", str(field), str(field), "id a", "id a",
    ]  # fmt: skip
    assert wrong_form({"name": "n", "description": "d", "body": []}) == ["body", "no field"]


def test_there_is_a_form_for_each_kind_of_issue():
    assert {path.stem for path in FORMS} == {"bad-input", "program", "wrong-verdict"}
    config = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml").read_text())
    assert config == {"blank_issues_enabled": True}


def test_hooks_before_a_commit_are_those_of_make_check():
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"  # nothing is fetched
    hooks = {hook["entry"].replace(" --force-exclude", "") for hook in repository["hooks"]}
    said = subprocess.run(
        ["make", "--dry-run", "check", "READY=", "TEST_READY="],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    checked = re.findall(r"^\.venv/bin/(?:ruff|mypy).*$", said, re.MULTILINE)
    assert hooks == {line.removesuffix(" .") for line in checked}


def test_no_host_of_ours_is_named():
    """There is no public address yet, so a form that names one would lead nowhere."""
    texts = [path.read_text() for path in (*WORKFLOWS, *FORMS, ROOT / "CITATION.cff")]
    assert [text for text in texts if "://" in text] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", FOR_USERS, ids=lambda path: path.stem)
def test_the_commands_for_users_do_what_they_are_for(path, tmp_path, compilers):
    """In a folder as the workflow finds it; where the reports are left is in the workflow too."""
    compilers()
    shutil.copytree(ROOT / "examples" / "bounce", tmp_path / "ports" / "bounce")
    (tmp_path / "build").mkdir()
    shutil.copytree(ROOT / "examples" / "old-game" / "port", tmp_path, dirs_exist_ok=True)
    writes_end = ROOT / "tests" / "programs" / "mac" / "prebuilt" / "68000" / "stdio.bin"
    shutil.copyfile(writes_end, tmp_path / "build" / "Sorting.bin")
    lines = list(commands(yaml.safe_load(path.read_text())))
    ours = [line for line in lines if re.match(r"(\.venv/bin/)?macproof ", line)]
    assert ours
    for line in ours:
        words = re.sub(r"^\S+", f"{shlex.quote(sys.executable)} -m emu.cli", line)
        done = subprocess.run(
            ["sh", "-c", words.replace("--expect OK", "--expect end")],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    left = {"port": {"macproof.bundle"}}.get(path.stem, {"macproof.xml", "macproof.html"})
    assert left <= {one.name for one in tmp_path.iterdir()}
