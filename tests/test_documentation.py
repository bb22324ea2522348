"""Every command and every piece of code in the README and the pages beside it is run.

A block ``console`` holds commands, one a line. A block ``output`` after it holds lines that its
commands print, as they print them, seconds and the space between columns apart; a line with an
ellipsis alone stands for what was left out.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases
from emu.cli import all_commands
from emu.toolbox.users.script import Script
from tests.conftest import run_main
from tests.generated_pages import docs_module
from tests.kept_workers import forget

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
WHOLE_AUDIT = "macproof audit --plots plots --markdown audit.md"
# Run by the tests of a fresh clone and of the audit, and `make test` by whoever runs this.
_SET_UP = ("make ", "python3 -m venv", ".venv/bin/", WHOLE_AUDIT)
_FULL_TABLE = "macproof verify four-shifts"
_ELLIPSIS = "..."
_SECONDS = re.compile(r"\b\d+(\.\d+)? ?s\b")
_PROGRAMS = {
    "macproof": "-m tests.single_processor",
    "python": "",
    "pytest": "-m pytest -p emu.pytest_plugin -p xdist -p no:cacheprovider",
}


@dataclass(frozen=True)
class Page:
    """A page of the documentation, and the blocks in it: pairs of a language and a text."""

    path: Path
    text: str
    blocks: list[tuple[str, str]]

    def of(self, language: str) -> list[str]:
        return [text for written, text in self.blocks if written == language]

    def commands(self) -> list[str]:
        lines = [line for text in self.of("console") for line in text.splitlines()]
        return [line[2:] for line in lines if line.startswith("$ ")]

    def shown(self) -> list[tuple[list[str], list[str]]]:
        """Commands with the lines of what they print that the page shows."""
        found = []
        before: list[str] = []
        for language, text in self.blocks:
            if language == "console":
                before = [line[2:] for line in text.splitlines()]
            elif language == "output":
                lines = [plain(line) for line in text.splitlines()]
                found.append((before, [line for line in lines if line not in ("", _ELLIPSIS)]))
        return found


def plain(line: str) -> str:
    """A line without what differs between two runs or two terminals."""
    return " ".join(_SECONDS.sub("N s", line).split())


def _page(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    return Page(path, text, re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


README = _page(ROOT / "README.md")
PAGES = [
    README,
    _page(ROOT / "CONTRIBUTING.md"),
    *map(_page, sorted((ROOT / "docs").rglob("*.md"))),
]
# What the commands of a page leave behind, beside what they print.
_MADE = {
    "README.md": ["pictures/question.png", "report.json", "report.html"],
    "verify-a-port.md": [
        "report.json",
        "wrong.png",
        "clustered.png",
        "inside.json",
        "programs/four-shifts-601-O2.elf",
    ],
    "run-programs.md": ["calls.log", "pictures/1-drawing.png"],
    "tutorial.md": ["darken/case.schema.json", "darken/case.yaml"],
    "cases.md": ["packbits.png"],
    "campaigns.md": ["four-shifts-campaign/campaign.sqlite", "campaign.json"],
    "port-files.md": ["archiver/AGENTS.md", "status.html", "status.svg", "archiver.bundle"],
    "pytest.md": ["reports/macproof.html", "reports/macproof.json"],
    "reports.md": ["report.json", "report.xml", "report.md", "report.html", "cases.html"],
}
_each_page = pytest.mark.parametrize("page", PAGES, ids=[page.path.name for page in PAGES])


def _needs_post(command: str) -> bool:
    return "post.txt" in command or "four_shifts_1994" in command


def _needs_collection(command: str) -> bool:
    return "discs" in command.split()


def test_there_are_pages_with_commands_and_with_what_they_print():
    assert len(README.commands()) > 5
    assert sum(len(page.commands()) for page in PAGES) > 50
    assert {page.path.name for page in PAGES} > _MADE.keys()
    assert sum(len(lines) for page in PAGES for _, lines in page.shown()) > 50


@_each_page
def test_no_line_of_a_console_block_is_overlooked(page):
    lines = [line for text in page.of("console") for line in text.splitlines()]
    assert [line for line in lines if not line.startswith("$ ")] == []


@_each_page
def test_no_output_is_without_its_commands(page):
    for commands, lines in page.shown():
        assert commands
        assert lines


def _workplace(folder: Path) -> dict[str, str]:
    """What the commands expect to find around them; the environment to run them in."""
    for name in ("mac_src", "requirements.lock", "tests", "examples", "benchmarks"):
        (folder / name).symlink_to(ROOT / name)
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    (folder / "bin").mkdir()
    for name, options in _PROGRAMS.items():
        launcher = folder / "bin" / name
        launcher.write_text(
            f'#!/bin/sh\nPYTHONPATH="{ROOT}:$PYTHONPATH" exec {sys.executable} {options} "$@"\n'
        )
        launcher.chmod(0o755)
    # The plugin alone, and by its module: an environment may be older than its entry point.
    return {**os.environ, "PATH": path, "COLUMNS": "100", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def _has_gdb() -> bool:
    return any(shutil.which(name) for name in ("gdb-multiarch", "gdb"))


def words_of_macproof(command: str) -> list[str] | None:
    """The words after ``macproof`` of a line that asks nothing else of the shell; else None."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    words = shlex.split(command, comments=True)
    parts = [word for word in lexer if word in ("|", "||", "&", "&&", ";", "<", ">", ">>")]
    return words[1:] if words[0] == "macproof" and not parts else None


def _hold_to_page(command: str, code: int, said: str) -> str:
    """A documented command must end as the page says, by default with 0."""
    wanted = re.search(r"# exit (\d+)$", command)
    assert code == (int(wanted[1]) if wanted else 0), f"{command}\n{said}"
    assert "Traceback" not in said
    return said


def _run(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Run one documented command in a shell."""
    completed = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    return _hold_to_page(command, completed.returncode, completed.stdout + completed.stderr)


@pytest.fixture
def run_here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], str]:
    """Runs a documented command in a workplace: macproof in this process, all else in a shell.

    Python and what macproof imports need up to two seconds to start, for each of 170 commands.
    `capfd` also captures what GDB prints, which macproof starts.
    """
    environment = _workplace(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", environment["COLUMNS"])

    def run(command: str) -> str:
        words = words_of_macproof(command)
        if words is None:
            return _run(command, tmp_path, environment)
        forget()  # a command before may have changed a file
        done = run_main(capfd, *words)
        return _hold_to_page(command, done.code, done.out + done.err)

    return run


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("macproof cases", ["cases"]),
        ('macproof new a --function "long F(long a); x"  # exit 1', ["new", "a", "--function"]),
        ("macproof cases | cat", None),
        ("macproof cases && macproof doctor", None),
        ("macproof schema report > report.schema.json", None),
        ("MACPROOF_START_METHOD=spawn macproof cases", None),
        ("pytest -q", None),
    ],
)
def test_what_needs_a_shell_is_seen(command, words):
    found = words_of_macproof(command)
    assert (found and found[:3]) == words


@pytest.mark.slow
@_each_page
def test_the_commands_do_what_the_page_says(page, tmp_path, compilers, run_here):
    compilers()
    if any("--commands" in command for command in page.commands()) and not _has_gdb():
        pytest.skip("GDB is not installed")
    said = {
        command: run_here(command)
        for command in page.commands()
        if not (command.startswith(_SET_UP) or _needs_post(command) or _needs_collection(command))
    }
    missing = []
    for commands, lines in page.shown():
        texts = [said[command] for command in commands if command in said]
        printed = {plain(line) for text in texts for line in text.splitlines()}
        if texts:
            missing += [(commands[-1], line) for line in lines if line not in printed]
    assert missing == []
    made = _MADE.get(page.path.name, [])
    assert [name for name in made if not (tmp_path / name).exists()] == []


@pytest.mark.slow
def test_the_commands_for_the_listing(tmp_path, compilers, post):
    compilers()
    environment = _workplace(tmp_path)
    shutil.copyfile(post, tmp_path / "post.txt")
    commands = [c for page in PAGES for c in page.commands() if _needs_post(c)]
    said = [_run(command, tmp_path, environment) for command in commands]
    assert len(said) == 2
    assert "438 lines" in said[0]
    assert len(re.findall(r"^ +\d+ +[\w-]+ +verified ", said[1], re.MULTILINE)) == 18


@pytest.mark.slow
def test_the_commands_for_the_discs(tmp_path, compilers, collection):
    compilers()
    environment = _workplace(tmp_path)
    (tmp_path / "discs").symlink_to(collection)
    commands = [c for page in PAGES for c in page.commands() if _needs_collection(c)]
    assert commands
    for command in commands:
        _run(command, tmp_path, environment)


@pytest.mark.slow
def test_the_lines_of_make_verify_are_what_it_prints(tmp_path, compilers):
    """The cases that the README shows; to run all of them is for whoever types the command.

    Continuous integration has typed it before, and names the file with what it said.
    """
    compilers()
    main_job = ".venv/bin/macproof verify"
    (lines,) = [lines for commands, lines in README.shown() if main_job in commands]
    assert len(lines) >= 3
    names = " ".join(line.split()[1] for line in lines)
    if told := os.environ.get("MACPROOF_MAKE_VERIFY"):
        said = Path(told).read_text(encoding="utf-8")
    else:
        said = _run(f"macproof verify {names}", tmp_path, _workplace(tmp_path))
    printed = {plain(line) for line in said.splitlines()}
    assert [line for line in lines if line not in printed] == []


def test_the_readme_is_short():
    assert len(README.path.read_bytes()) <= 8 * 1024


@pytest.mark.slow
def test_the_python_in_it_prints_what_it_says():
    (source,) = README.of("python")
    completed = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    )
    printed = re.search(r"It prints `(.+?)`", README.text)
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
    assert re.search(rf'{BIN}/python -m pytest .*-m "not slow"', said)


@pytest.mark.slow
def test_the_table_is_the_same_without_compilers(tmp_path):
    said = _run(f"{_FULL_TABLE} --programs prebuilt", tmp_path, _workplace(tmp_path))
    shown = [lines for page in PAGES for each, lines in page.shown() if each == [_FULL_TABLE]]
    rows = [line for lines in shown for line in lines if " verified " in line]
    assert len(rows) == 18
    printed = {plain(line) for line in said.splitlines()}
    assert [row for row in rows if row not in printed] == []


@pytest.mark.slow
def test_a_fresh_clone_needs_nothing_but_python(tmp_path):
    """The set-up commands, in a clone, without cross compilers; `make verify` is the main job.

    The clone keeps two cases: with all of them, continuous integration begins.
    """
    clone, names = tmp_path / "clone", ["brute-force", "dhrystone"]
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    for path in find_cases(clone / "mac_src"):
        if read_case(path).name not in names:
            path.unlink()
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
        timeout=1800,
        check=False,
    )
    said = completed.stdout + completed.stderr
    if "No matching distribution" in said or "Could not find a version" in said:
        pytest.skip("the package registry cannot be reached, so no fresh environment can be made")
    assert completed.returncode == 0, said
    verified = re.findall(r"^verified +(\S+) +\d+ programs ", said, re.MULTILINE)
    assert sorted(verified) == sorted(names)
    assert f"Cases: {len(names)} ({len(names)} verified)" in said


@_each_page
def test_links_to_files_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.text)
    assert links
    assert [link for link in links if not (page.path.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "architecture.md"])
def test_the_places_that_a_page_names_are_there(name):
    page = next(page for page in PAGES if page.path.name == name)
    top = "emu|macproof|posts|pyref|mac_src|tests|docs|benchmarks|examples"
    places = re.findall(rf"`((?:{top})/[\w./-]*)`", page.text)
    assert len(places) > 20
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_every_command_is_on_the_page_of_commands():
    page = next(page for page in PAGES if page.path.name == "commands.md")
    rows = re.findall(r"^\| `([a-z]+)` \| (.+?) \|", page.text, re.MULTILINE)
    assert rows == [(name, command.help) for name, command in all_commands().items()]


def test_every_picture_is_on_a_page():
    shown = {
        (page.path.parent / link).resolve()
        for page in PAGES
        for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.text)
    }
    pictures = {p for p in (ROOT / "docs").rglob("*") if p.suffix in (".png", ".svg")}
    assert pictures == shown


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_the_picture_in_the_readme_is_what_the_run_draws(cpu, macproof, tmp_path):
    programs = ROOT / "tests" / "programs" / "mac"
    program = programs / "prebuilt" / cpu / "menus.bin"
    script = programs / "menus.script.yaml"
    machine = ("--machine", "plus") if cpu == "68000" else ("--screen", "512x342", "--depth", "1")
    assert macproof("run", program, *machine, "--script", script, "--png", tmp_path).code == 0
    shown = (ROOT / "docs" / "question.png").read_bytes()
    assert (tmp_path / "question.png").read_bytes() == shown


def test_every_case_is_in_the_table_of_cases():
    page = next(page for page in PAGES if page.path.name == "systems.md")
    rows = [line for line in page.text.splitlines() if line.startswith("|")]
    named = {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row)}
    assert {read_case(path).name for path in find_cases()} - named == set()


def test_the_scripts_are_scripts(tmp_path):
    scripts = [text for page in PAGES for text in page.of("yaml") if "script/1" in text]
    assert scripts
    for number, text in enumerate(scripts):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text)
        assert Script(path).steps


def test_every_key_of_a_script_is_on_its_page():
    schema = json.loads(Path(ROOT, "emu", "toolbox", "script.schema.json").read_text())
    steps = schema["$defs"]["step"]["properties"]
    nested = (steps[step]["properties"] for step in ("wait", "click", "drag"))
    names = {*steps, *(key for one in nested for key in one), *schema["$defs"]["modifier"]["enum"]}
    page = Path(ROOT, "docs", "scripts.md").read_text()
    written = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`\n]+)`", page))))
    assert names - written == set()


@pytest.mark.parametrize(
    ("language", "pattern"), [("yaml", "*.yaml"), ("cpp", "*.cpp"), ("python", "*.py")]
)
def test_the_pieces_of_files_are_of_real_ones(language, pattern):
    """Whole files and pieces alike, so that what a page explains is what macproof reads."""
    written = [
        path.read_text(encoding="utf-8")
        for folder in ("mac_src", "examples", "emu/machine", "emu/toolbox", "benchmarks")
        for path in sorted((ROOT / folder).rglob(pattern))
    ]
    pages = [page for page in PAGES if page.path.name not in ("README.md", "api.md")]
    pieces = [text for page in pages for text in page.of(language) if "script/1" not in text]
    assert pieces
    # A method is shown without what its class makes it stand in by.
    forms = {piece: (piece, textwrap.indent(piece, "    ")) for piece in pieces}
    real = [piece for piece in pieces if any(f in text for f in forms[piece] for text in written)]
    assert [piece for piece in pieces if piece not in real] == []


def test_generated_files_are_what_the_declarations_say():
    """If this fails: python docs/generate.py."""
    made = docs_module("generate").made()
    assert made
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, path.name
    for folder in ("routines", "records"):
        there = set((ROOT / "mac_src" / "compat" / folder).iterdir())
        assert there <= made.keys()


def test_every_routine_of_the_toolbox_is_on_its_page():
    """Counted apart from what makes the page."""
    whole = docs_module("toolbox_page").toolbox_page()
    rows = [line for line in whole.splitlines() if line.startswith("| `")]
    declared = [
        line
        for path in (ROOT / "emu" / "toolbox").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"\s*@routine\(", line)
    ]
    assert len(rows) >= len(declared) > 500
    (summary,) = [page.text for page in PAGES if page.path.name == "toolbox.md"]
    counts = re.findall(r"^\| `emu/.+?` \| (\d+) \|", summary, re.MULTILINE)
    assert sum(map(int, counts)) == len(rows)
