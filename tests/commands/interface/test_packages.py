"""Commands and options that other packages bring: used, named in messages, refused."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.cli import all_commands, main

MUSEUM = Path(__file__).parents[3] / "examples" / "museum"
COMMAND = """\
from macproof import Command

MUSEUM = Command("count the programs of the museum", "museum_count")
NOTHING = "no command"
"""
COUNT = """\
def add(parser):
    parser.add_argument("--twice", action="store_true", help="count them twice")


def run(arguments, console):
    console.print(f"{2 if arguments.twice else 1} programs")
    return 1
"""
OPTION = """\
def add(parser):
    parser.add_argument("--age", dest="run", action="store_const", const=run, help="tell the age")


def run(arguments, console):
    console.print(f"{len(arguments.programs)} old programs")
    return 0
"""
GOOD = "[macproof.commands]\nmuseum = museum:MUSEUM\n[macproof.options]\ninspect = museum_age\n"
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package as pip does: its modules, and what is known of it."""

    def install(entries: str = GOOD, package: str = "museum-tools", **modules: str) -> None:
        folder = tmp_path / package
        known = folder / f"{package.replace('-', '_')}-1.2.dist-info"
        known.mkdir(parents=True)
        (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        (known / "entry_points.txt").write_text(entries)
        every = {"museum": COMMAND, "museum_count": COUNT, "museum_age": OPTION, **modules}
        for name, text in every.items():
            (folder / f"{name}.py").write_text(text)
            monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.syspath_prepend(folder)

    return install


def forget() -> None:
    """The next test has modules of its own."""
    for name in ("museum", "museum_count", "museum_age"):
        sys.modules.pop(name, None)


def test_the_example_that_the_documentation_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tomllib.loads((MUSEUM / "pyproject.toml").read_text())["project"]
    known = tmp_path / "museum_tools-1.2.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: museum-tools\nVersion: 1.2\n")
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n{k} = {v}\n" for group, one in groups for k, v in one.items()]
    (known / "entry_points.txt").write_text("".join(lines))
    monkeypatch.syspath_prepend(MUSEUM)
    monkeypatch.syspath_prepend(tmp_path)
    shutil.copytree(MUSEUM.parent / "bounce", tmp_path / "bounce")
    case = tmp_path / "bounce" / "case.yaml"
    assert main(["museum", str(case)]) == 2
    assert "bounce is not in the museum" in capsys.readouterr().err
    case.write_text(case.read_text().replace("extra:\n", "extra:\n  museum:\n    rooms: 7\n"))
    assert main(["museum", str(case)]) == 0
    assert capsys.readouterr().out == "7 rooms\n"
    case.write_text(case.read_text().replace("rooms: 7", "halls: 7"))
    assert main(["museum", str(case)]) == 2
    line = case.read_text().splitlines().index("  museum:") + 1
    assert f"case.yaml, line {line}: the key rooms is missing" in capsys.readouterr().err
    assert main(["inspect", "--age", str(case)]) == 0
    assert "case.yamlistheoldest" in "".join(capsys.readouterr().out.split())  # lines are folded
    for name in [name for name in sys.modules if name.partition(".")[0] == "museum"]:
        del sys.modules[name]


def test_a_command_of_another_package(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install()
    assert main(["museum"]) == 1
    assert capsys.readouterr().out == "1 programs\n"
    assert main(["museum", "--twice", "--quiet"]) == 1
    assert capsys.readouterr().out == "2 programs\n"
    assert main(["--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "museum count the programs of the museum (museum-tools 1.2)" in out
    assert "audit measure the numeric claims of the posts compare" in out
    assert main(["musuem"]) == 2
    assert "did you mean museum?" in capsys.readouterr().err
    forget()


def test_an_option_of_another_package(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install()
    assert main(["inspect", "a", "b", "--age"]) == 0
    assert capsys.readouterr().out == "2 old programs\n"
    assert main(["inspect", "a"]) == 2
    assert "old programs" not in capsys.readouterr().out
    forget()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"museum": "import nothing_of_that_name\n"}, "No module named 'nothing_of_that_name'"),
        ({"museum": "raise SystemExit(0)\n"}, "SystemExit: 0"),
        ({"museum": "MUSEUM = (\n"}, "SyntaxError: "),
        ({"museum": ""}, "has no attribute 'MUSEUM'"),
        ({"museum": "MUSEUM = 7\n"}, "museum:MUSEUM is no macproof.Command"),
        ({"museum_count": "1 / 0\n"}, "ZeroDivisionError: division by zero (museum_count.py, line"),
        ({"museum_count": "def add(parser): 0\n"}, "museum_count has no run()"),
        ({"museum_count": "def run(a, c): 0\n"}, "museum_count has no add()"),
        (
            {"museum_count": COUNT.replace('"--twice"', '"--quiet"')},
            "conflicting option string: --quiet",
        ),
    ],
)
def test_a_broken_command(
    change: dict[str, str], why: str, install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said whose it is, and all other commands are what they were."""
    install(**change)
    assert main(["museum"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("macproof: the command museum is of museum-tools 1.2 and cannot be used")
    assert why in err
    assert err.endswith("Update or uninstall that package\n")
    assert "Traceback" not in err
    assert main(["--help"]) == 0
    assert "  museum" in capsys.readouterr().out
    assert main(["completion", "bash"]) == 0
    assert "museum-tools 1.2" in capsys.readouterr().err
    assert main(["cases", "--names"]) == 0
    assert capsys.readouterr().err == ""
    forget()


def test_a_broken_option(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the option the command could do something else than is asked for."""
    install(museum_age="1 / 0\n")
    assert main(["inspect", "a"]) == 3
    err = capsys.readouterr().err
    assert "an option of the command inspect is of museum-tools 1.2 and cannot be used" in err
    forget()


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("return 1 / 0", 70, "an error in museum-tools 1.2: ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", 70, "an error in museum-tools 1.2: SystemExit: 0"),
        ("return None", 70, "the command museum ends with None, not an exit code"),
        ("import macproof; raise macproof.UsageError('no such hall')", 2, "macproof: no such hall"),
    ],
)
def test_what_a_command_does_wrong_is_its_own(
    body: str, code: int, words: str, install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install(museum_count=f"def add(parser): pass\ndef run(arguments, console): {body}\n")
    assert main(["museum"]) == code
    assert words in capsys.readouterr().err
    forget()


def test_two_packages_with_one_command(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install()
    install(package="other-tools")
    assert main(["museum"]) == 3
    err = capsys.readouterr().err
    assert "museum-tools 1.2 and other-tools 1.2 both have a command museum; uninstall one" in err
    forget()


def test_no_package_takes_the_place_of_a_command(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install("[macproof.commands]\nverify = museum:MUSEUM\n")
    assert all_commands()["verify"].help.startswith("run every program on every scene")
    err = capsys.readouterr().err
    assert "museum-tools 1.2 has a command verify, too; macproof's own is used" in err


def test_packages_are_looked_for_only_where_they_are_needed() -> None:
    """To look takes as long as to start."""
    script = (
        "import sys; from emu.cli import main\n"
        "code = main(sys.argv[1:])\n"
        "sys.exit(code or ('emu.commands.interface.packages' in sys.modules) * 50)\n"
    )
    for words, code in ((["--version"], 0), (["new", "--help"], 0), (["audit", "--help"], 50)):
        assert subprocess.run([sys.executable, "-c", script, *words]).returncode == code, words
