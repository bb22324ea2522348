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

from emu.cases.case import find_cases, read_case

ROOT = Path(__file__).resolve().parent.parent
LOCK = (ROOT / "requirements.lock").read_text()


def test_the_lock_pins_every_dependency_with_hashes_and_no_address():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["test"]
    names = {re.split(r"[<>=]", entry)[0].lower() for entry in wanted}
    pinned = set(re.findall(r"^([a-z0-9-]+)==", LOCK, re.MULTILINE))
    assert {"pytest", "unicorn", "pyyaml"} <= names
    assert names <= pinned
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in LOCK
    assert "--index" not in LOCK


@pytest.mark.slow
def test_the_wheel_verifies_in_an_environment_of_its_own(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "hatchling" in built.stderr and built.returncode:
        pytest.skip("the package registry cannot be reached, so the wheel cannot be built")
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "mac_src/four_shifts/case.yaml" in names
    assert {"emu/toolchain/guest.ld", "emu/report/page.css", "emu/report/page.js"} <= set(names)
    assert {"macproof/__init__.py", "macproof/py.typed"} <= set(names)
    assert not [name for name in names if name.startswith("tests")]
    # The dependencies of this environment serve: what is tested is the wheel alone.
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    site = next((environment / "lib").glob("python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages"))
    )
    run = subprocess.run(
        [
            environment / "bin" / "python",
            "-m",
            "emu.cli",
            "verify",
            "--scenes",
            "60",
            "--programs",
            "prebuilt",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    every = {read_case(path).name for path in find_cases()}
    assert set(re.findall(r"(?m)^verified +(\S+) +\d+ programs ", run.stdout)) == every
    assert f"Cases: {len(every)} ({len(every)} verified); " in run.stdout
