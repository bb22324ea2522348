"""macproof notices that another distribution has put files into one of its packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from macproof.installation import HOME, PACKAGES, conflict


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with all packages, each of one module, a folder and what Python compiled."""
    record = ""
    for name in PACKAGES:
        for file in ("__init__.py", "room/inner.py", "__pycache__/inner.pyc"):
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x = 1\n")
            record += f"{name}/{file},sha256=x,6\n"
    _distribution(tmp_path, "macproof", record)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        "macproof.installation.find_spec", lambda name: _Spec(tmp_path / name / "__init__.py")
    )
    return tmp_path


class _Spec:
    def __init__(self, origin: Path) -> None:
        self.origin = str(origin)


def _distribution(home: Path, name: str, record: str) -> None:
    folder = home / f"{name}-1.0.dist-info"
    folder.mkdir()
    (folder / "RECORD").write_text(record)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")


def test_what_runs_these_tests_is_in_order() -> None:
    assert conflict() == ""


def test_an_installation_is_in_order(home: Path) -> None:
    assert conflict(home) == ""


@pytest.mark.parametrize("change", ["overwrite", "add"])
@pytest.mark.parametrize("package", PACKAGES)
def test_the_owner_of_another_package_of_that_name_is_told(
    home: Path, package: str, change: str
) -> None:
    name = {"overwrite": "__init__.py", "add": "theirs.py"}[change]
    (home / package / name).write_text("y = 'longer'\n")
    _distribution(home, "other", f"{package}/{name},sha256=y,13\n")
    found = conflict(home)
    assert f"the package {package} in {home} is macproof's and also that of other" in found
    assert "virtual environment of its own" in found


def test_a_package_from_elsewhere_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = home / "elsewhere" / "pyref"
    specs = {"pyref": _Spec(place / "__init__.py")}
    monkeypatch.setattr(
        "macproof.installation.find_spec",
        lambda name: specs.get(name, _Spec(home / name / "__init__.py")),
    )
    assert f"the package pyref is {place}, not that of macproof in {home}" in conflict(home)


@pytest.mark.parametrize(("package", "name"), [("emu", "__init__.py"), ("pyref", "inner.py")])
def test_files_that_another_distribution_took_away_are_told(
    home: Path, package: str, name: str
) -> None:
    """pip does so when it removes a package that has overwritten one of ours."""
    record = home / "macproof-1.0.dist-info" / "RECORD"
    record.write_text(record.read_text() + "pyref/inner.py,sha256=x,6\n")
    (home / "pyref" / "inner.py").write_text("x = 1\n")
    assert conflict.__wrapped__(home) == ""
    (home / package / name).unlink()
    assert f"{home / package} has lost {name}. Install macproof again" in conflict(home)


def test_files_that_somebody_edits_or_adds_are_no_conflict(home: Path) -> None:
    (home / "pyref" / "__init__.py").write_text("edited = True\n")
    (home / "pyref" / "notes.txt").write_text("mine\n")
    assert conflict(home) == ""


FOREIGN = "import sys; sys.path[:0] = [{theirs!r}, {ours!r}]; "


@pytest.mark.parametrize(
    ("words", "code", "stream"),
    [
        (
            "from macproof.__main__ import main; sys.exit(main())",
            3,
            "macproof: the package emu is ",
        ),
        ("import macproof; macproof.verify", 1, "ImportError: the package emu is "),
        ("import macproof; macproof.__version__", 1, "ImportError: the package emu is "),
    ],
)
def test_no_package_of_others_is_imported(
    tmp_path: Path, words: str, code: int, stream: str
) -> None:
    (tmp_path / "emu").mkdir()
    (tmp_path / "emu" / "__init__.py").write_text("raise SystemError('theirs')\n")
    source = FOREIGN.format(theirs=str(tmp_path), ours=str(HOME)) + words
    run = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=False
    )
    assert run.returncode == code
    assert stream + str(tmp_path / "emu") in run.stderr
    assert code == 1 or "Traceback" not in run.stderr


def test_modules_of_the_working_folder_are_not_imported(tmp_path: Path) -> None:
    for name in ("re", "typing", "numpy", "yaml", "json", "emu"):
        (tmp_path / f"{name}.py").write_text("raise SystemError('theirs')\n")
    command = [sys.executable, "-m", "macproof", "cases", "--json", "cases.json"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert (tmp_path / "cases.json").is_file()
