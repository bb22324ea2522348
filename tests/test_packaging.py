"""What `pip install macproof` puts on a machine is enough to run the main job."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases

ROOT = Path(__file__).resolve().parent.parent
LOCK = (ROOT / "requirements.lock").read_text()


def test_the_lock_pins_every_dependency_with_hashes_and_no_address():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["test"] + extras["cluster"]
    names = {re.split(r"[<>=]", entry)[0].lower() for entry in wanted}
    pinned = set(re.findall(r"^([a-z0-9-]+)==", LOCK, re.MULTILINE))
    assert {"pytest", "unicorn", "pyyaml"} <= names
    assert names <= pinned
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in LOCK
    assert "--index" not in LOCK


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this folder."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "hatchling" in built.stderr and built.returncode:
        pytest.skip("the package registry cannot be reached, so the wheel cannot be built")
    assert built.returncode == 0, built.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """An environment with the wheel; the folder of its packages.

    The dependencies of this environment serve: what is tested is the wheel alone.
    """
    environment = wheel.parent / "environment"
    venv.create(environment, with_pip=False)
    site = next((environment / "lib").glob("python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages"))
    )
    return site


def run_installed(
    installed: Path, folder: Path, *words: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run a module of the environment."""
    python = installed.parents[2] / "bin" / "python"
    return subprocess.run(
        [python, "-m", *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_wheel_has_what_is_needed_and_no_tests(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "mac_src/four_shifts/case.yaml" in names
    assert {"emu/toolchain/guest.ld", "emu/report/page.css", "emu/report/page.js"} <= set(names)
    assert {"macproof/__init__.py", "macproof/py.typed"} <= set(names)
    assert not [name for name in names if name.startswith("tests")]


@pytest.mark.slow
def test_the_wheel_verifies_in_an_environment_of_its_own(installed, tmp_path):
    words = ("emu.cli", "verify", "--scenes", "60", "--programs", "prebuilt")
    run = run_installed(installed, tmp_path, *words)
    assert run.returncode == 0, run.stdout + run.stderr
    every = {read_case(path).name for path in find_cases()}
    assert set(re.findall(r"(?m)^verified +(\S+) +\d+ programs ", run.stdout)) == every
    assert f"Cases: {len(every)} ({len(every)} verified); " in run.stdout


IN_PYTEST = """
import sys
from pathlib import Path

import hypothesis
import pytest

import emu
import macproof
from macproof import strategies


def test_what_is_imported_is_what_is_installed():
    assert Path(emu.__file__).is_relative_to(sys.prefix)


def test_a_check():
    macproof.check("four-shifts", cpu="601", build="O2", scenes=20)


@pytest.mark.mac(case="four-shifts", cpus=["68000", "601"], builds=["O0"])
def test_a_machine(mac):
    found = hypothesis.find(strategies.arguments(mac.program, "_Abs"), lambda a: a[0] < -5)
    assert mac.functions._Abs(*found) == 6
"""


@pytest.mark.slow
def test_the_wheel_brings_its_plugin_to_pytest(wheel, installed, tmp_path):
    """Nothing but the entry point names the plugin; the programs are the prebuilt ones."""
    (metadata,) = installed.glob("macproof-*.dist-info/entry_points.txt")
    assert "[pytest11]\nmacproof = emu.pytest_plugin\n" in metadata.read_text()
    (tmp_path / "test_installed.py").write_text(IN_PYTEST)
    case = installed / "mac_src" / "four_shifts" / "case.yaml"
    words = ("--macproof-scenes", "20", "--strict-markers", "-p", "no:cacheprovider")
    chosen = ("-k", "installed or O2 and not macros")
    run = run_installed(
        installed, tmp_path, "pytest", "-q", "test_installed.py", case, *chosen, *words
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"^7 passed, \d+ deselected", run.stdout, re.MULTILINE), run.stdout
