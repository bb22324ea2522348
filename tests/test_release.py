"""What a release consists of: a version that is the same everywhere, and changes told briefly."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import emu

ROOT = Path(__file__).resolve().parent.parent
KINDS = [
    kind["directory"]
    for kind in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["towncrier"]["type"]
]
CHANGES = (ROOT / "CHANGELOG.md").read_text()
_LONGEST = 480  # letters of an entry: two sentences, or three short ones


def wrong_news(name: str, text: str) -> str:
    """What is wrong with a file of news/, or ""."""
    if not re.fullmatch(rf"\+[a-z0-9.-]+\.({'|'.join(KINDS)})\.md", name):
        return f"its name has to be +WORDS.KIND.md, and KIND one of {', '.join(KINDS)}"
    if not re.match(r"\w|\*\*|`", text) or not text.rstrip().endswith((".", ")")):
        return "it has to be sentences, and no list"
    if len(text) > _LONGEST or "\n\n" in text.strip():
        return f"it has to be a paragraph of at most {_LONGEST} letters"
    return ""


def test_the_news_are_well_formed():
    files = [path for path in (ROOT / "news").iterdir() if path.name != "README.md"]
    found = {path.name: wrong_news(path.name, path.read_text()) for path in files}
    assert {name: problem for name, problem in found.items() if problem} == {}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("+a-b.added.md", "**This** is new.\n", ""),
        ("a.added.md", "It is new.", "its name"),
        ("+a.news.md", "It is new.", "its name"),
        ("+a.added.txt", "It is new.", "its name"),
        ("+a.fixed.md", "", "sentences"),
        ("+a.fixed.md", "* A list.", "sentences"),
        ("+a.fixed.md", "no end", "sentences"),
        ("+a.fixed.md", "Much. " * 100, "a paragraph"),
        ("+a.fixed.md", "One.\n\nTwo.", "a paragraph"),
    ],
)
def test_news_that_are_not_are_found(name, text, problem):
    found = wrong_news(name, text)
    assert problem in found
    assert bool(found) == bool(problem)


def test_the_version_is_the_same_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    last = re.search(r"^## (\S+), (\S+)$", CHANGES, re.MULTILINE)
    assert last is not None
    assert (citation["version"], str(citation["date-released"])) == last.groups()
    assert emu.__version__ == last[1]


def test_entries_of_the_list_of_changes_are_short():
    assert CHANGES.count("<!-- towncrier release notes start -->") == 1
    entries = re.findall(r"^- (.+?)(?=\n- |\n\n|\Z)", CHANGES, re.MULTILINE | re.DOTALL)
    assert len(entries) > 40
    assert [entry for entry in entries if len(entry) > _LONGEST] == []


def test_links_of_the_list_of_changes_lead_somewhere():
    links = re.findall(r"\]\(([^)]+)\)", CHANGES)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_make_help_names_every_target():
    said = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    listed = re.findall(r"^make ([\w-]+) +\w", said, re.MULTILINE)
    targets = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None
    assert sorted(listed) == sorted(targets[1].split())


@pytest.mark.parametrize("target", ["changelog", "dist"])
def test_the_targets_of_a_release_know_the_version(target):
    said = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert emu.__version__ in said
