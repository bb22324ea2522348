"""What is installed is enough to run the main job, with the oldest and the newest dependencies."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Callable
from email.message import Message
from email.parser import Parser
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases
from emu.commands.schema import file_name, schema_text
from macproof.installation import PACKAGES
from tests.report.schemas import EVERY
from tests.test_repository import tracked

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = {
    name: (ROOT / name).read_text() for name in ("requirements.lock", "requirements-test.lock")
}
PINNED = {name: dict(re.findall(r"^([a-z0-9-]+)==(\S+)", LOCKS[name], re.M)) for name in LOCKS}
RUN, TEST = PINNED.values()

_TOO_NEW = sys.version_info >= (3, 12)
_NO_WHEEL = ("x86_64-apple-darwin", "3.14")  # llvmlite has none for Intel Macs
PLATFORMS = ("x86_64-manylinux_2_28", "aarch64-manylinux_2_28", "x86_64-apple-darwin")
PLATFORMS = (*PLATFORMS, "aarch64-apple-darwin")


def names_of(entries: list[str]) -> set[str]:
    """The packages of some requirements."""
    return {re.split(r"[<>=;]", entry)[0].lower() for entry in entries}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_with_hashes_and_without_addresses(name: str) -> None:
    entries = re.split(r"\n(?=\S)", LOCKS[name].strip())
    assert len(entries) >= len(PINNED[name]) > 30
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []
    assert "://" not in LOCKS[name]
    assert "--index" not in LOCKS[name]


def test_each_lock_has_what_its_users_need_and_no_more() -> None:
    needed = names_of(PROJECT["dependencies"])
    assert {"pytest", "unicorn", "pyyaml"} <= needed <= RUN.keys()
    for_tests = names_of(EXTRAS["test"] + EXTRAS["cluster"])
    assert for_tests <= TEST.keys()
    assert for_tests & RUN.keys() <= {"macresources"}, "machfs needs it"
    assert RUN.items() <= TEST.items()


def licence_of(package: Message) -> str:
    """The licence that the metadata of a package name."""
    named = package.get("License-Expression") or package.get("License") or ""
    if 0 < len(named) < 80 and "\n" not in named:
        return str(named)
    words = {"Apache 2 license": "Apache-2.0", "2-clause BSD license": "BSD-2-Clause"}
    told = [name for phrase, name in words.items() if phrase in named]
    if told:  # a text of several licences, as pypcode has it
        return " AND ".join(told)
    classes = [one for one in package.get_all("Classifier", []) if one.startswith("License ::")]
    return ", ".join(one.rpartition(" :: ")[2] for one in classes)


def test_the_licences_of_all_that_is_installed_are_told() -> None:
    page = (ROOT / "docs" / "licences.md").read_text()
    told = dict(re.findall(r"^\| ([a-z0-9-]+) \| ([^|]+) \|$", page, re.MULTILINE))
    windows = {
        name for name in RUN if re.search(rf"^{name}==.*win32", LOCKS["requirements.lock"], re.M)
    }
    assert told.keys() - {"package"} == RUN.keys() - windows
    compared = 0
    for name, version in RUN.items():
        try:
            package = metadata(name)
        except PackageNotFoundError:  # one that this Python or this system does not need
            continue
        if package["Version"] == version:
            compared += 1
            assert told[name] == licence_of(package), name
    assert compared > 0, "no package has the version of the lock"
    assert re.search(r"\*\*Unicorn\*\*.*GNU General Public License, version 2", page, re.DOTALL)
    for extra in EXTRAS.keys() - {"test"}:
        assert f"| `{extra}` | " in page
        assert all(name in page for name in names_of(EXTRAS[extra]))


def test_a_licence_is_read_from_any_metadata() -> None:
    def of(text: str) -> str:
        return licence_of(Parser().parsestr(text))

    assert of("License-Expression: MIT\nLicense: other\n") == "MIT"
    assert of("License: BSD\n") == "BSD"
    classifier = "Classifier: License :: OSI Approved :: BSD License\n"
    assert of(f"License: Copyright\n and a whole text\n{classifier}") == "BSD License"
    assert of("Name: x\n") == ""


@functools.cache
def uv(folder: Path) -> Path:
    """The tool uv, which is installed if it is not there."""
    found = shutil.which("uv")
    if found:
        return Path(found)
    venv.create(folder, with_pip=True)
    words = [folder / "bin" / "python", "-m", "pip", "install", "-q", "uv"]
    installed = subprocess.run(words, capture_output=True, text=True, check=False)
    if installed.returncode:
        pytest.skip("uv is not installed, and the package registry cannot be reached")
    return folder / "bin" / "uv"


@pytest.fixture(scope="module")
def run_uv(tmp_path_factory: pytest.TempPathFactory):
    """Run uv with some words; give what it printed."""
    tool = uv(tmp_path_factory.getbasetemp() / "uv")

    def run(*words: str | Path, status: int = 0) -> str:
        done = subprocess.run([tool, *words], capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture(scope="module")
def built(run_uv, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution of this folder, and the wheel that is made from it."""
    folder = tmp_path_factory.mktemp("built")
    run_uv("build", "--quiet", "--out-dir", folder, ROOT)
    (source,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path]) -> Path:
    """An environment with the wheel; the folder of its packages.

    The dependencies of this environment serve: what is tested is the wheel alone.
    """
    environment = built[1].parent / "environment"
    venv.create(environment, with_pip=False)
    site = next((environment / "lib").glob("python*/site-packages"))
    zipfile.ZipFile(built[1]).extractall(site)
    (site / "dependencies.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages"))
    )
    return site


def run_python(python: Path, folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run words of Python in a folder, without the environment's own search path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [python, *words], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


def run_installed(
    installed: Path, folder: Path, *words: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run a module of the environment."""
    return run_python(installed.parents[2] / "bin" / "python", folder, "-m", *words)


EVERY_CASE = ("verify", "--scenes", "6", "--checks", "usual")
TRANSLATED = ("four-shifts", "linear-quadtree")
"""To translate every program takes two minutes of processor time, so these are enough."""


def require_main_job(
    run: Callable[..., subprocess.CompletedProcess[str]], *, translates: bool = True
) -> None:
    """Some cases are verified in translated code, as the main job does it.

    The oldest llvmlite that the wheel allows does not translate: hooks look at a few calls alone.
    """
    words = ("--scenes", "60", "--build", "O2", "--programs", "prebuilt")
    some = run("macproof", "verify", *TRANSLATED, *words)
    require_verified(some, set(TRANSLATED))
    looked = r"[\d,]{3,}" if translates else r"\d{1,2}"
    assert re.search(rf"Memory was checked on every access in {looked} of ", some.stdout)


def require_verified(run: subprocess.CompletedProcess[str], names: set[str]) -> None:
    """These cases were verified, and nothing else was run."""
    assert run.returncode == 0, run.stdout + run.stderr
    assert set(re.findall(r"(?m)^verified +(\S+) +\d+ programs ", run.stdout)) == names
    assert f"Cases: {len(names)} ({len(names)} verified); " in run.stdout


@pytest.mark.slow
def test_the_wheel_has_our_packages_and_the_programs_as_data_of_one(built) -> None:
    names = zipfile.ZipFile(built[1]).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    programs = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mac_src").rglob("*.elf")}
    assert len(programs) > 100
    assert {f"macproof/{name}" for name in programs} <= set(names)
    assert {"emu/toolchain/guest.ld", "emu/report/page.css", "emu/report/page.js"} <= set(names)
    page = {path.relative_to(ROOT).as_posix() for path in (ROOT / "emu/play/page").iterdir()}
    assert len(page) > 10 and page <= set(names)
    assert {"macproof/__init__.py", "macproof/py.typed"} <= set(names)
    with zipfile.ZipFile(built[1]) as wheel:
        for name in EVERY:
            assert wheel.read(f"macproof/schemas/{file_name(name)}").decode() == schema_text(name)
    assert {"posts/claims/post_001.yaml", "posts/habits/68k.csv"} <= set(names)
    (entries,) = (name for name in names if name.endswith("/entry_points.txt"))
    assert b"audit = posts.commands:AUDIT" in zipfile.ZipFile(built[1]).read(entries)


@pytest.mark.slow
def test_the_source_distribution_is_the_repository(built, tmp_path) -> None:
    with tarfile.open(built[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.relative_to(folder).as_posix() for path in files} - {"PKG-INFO"} == {
        *tracked(),
        *(f"macproof/schemas/{file_name(name)}" for name in EVERY),
    }
    some = ("tests/test_layers.py", "tests/program/mac_file/test_resource_fork.py")
    run = run_python(
        Path(sys.executable),
        folder,
        "-m",
        "pytest",
        "-q",
        "-m",
        "not slow",
        "-p",
        "no:cacheprovider",
        *some,
        "tests/test_repository.py",
        "tests/toolchain/test_prebuilt.py",
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "this is no checkout of a git repository" in run.stdout


@pytest.mark.slow
def test_the_text_for_a_package_index_leads_nowhere(built) -> None:
    wheel = zipfile.ZipFile(built[1])
    (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
    text = Parser().parsestr(wheel.read(name).decode()).get_payload()
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert len(targets) >= 2
    assert [target for target in targets if not target.startswith("https://")] == []
    assert "tutorial (`docs/tutorial.md`)" in text
    caption = "The screen of a Macintosh Plus"
    assert caption in (ROOT / "README.md").read_text(encoding="utf-8")
    assert caption not in text, "the caption of a picture"


@pytest.mark.slow
def test_the_wheel_verifies_in_an_environment_of_its_own(installed, tmp_path) -> None:
    require_main_job(functools.partial(run_installed, installed, tmp_path))


@pytest.mark.slow
def test_the_wheel_has_the_commands_of_the_posts(installed, tmp_path) -> None:
    """They come by entry points, which only an installed package has."""
    for words, said in (
        (("findings", "B5", "--programs", "prebuilt", "--cpu", "68040"), "B5"),
        (("audit", "--list"), "001  "),
        (("compare", "--objects", "20", "--scenes", "1", "--programs", "prebuilt"), "four shifts"),
        (("timing", "--cpu", "601", "--build", "O2", "--scenes", "1"), "Sources"),
    ):
        run = run_installed(installed, tmp_path, "macproof", *words)
        assert run.returncode == 0, run.stdout + run.stderr
        assert said in run.stdout


@pytest.mark.slow
def test_a_package_of_the_same_name_is_told(installed, tmp_path) -> None:
    """PyPI has a pyref: its files are laid over ours, as pip does it."""
    copy = Path(shutil.copytree(installed.parents[2], tmp_path / "copy", symlinks=True))
    site = copy / installed.relative_to(installed.parents[2])
    (site / "pyref" / "core.py").write_text("")
    folder = site / "pyref-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: pyref\nVersion: 1.0\n")
    (folder / "RECORD").write_text("pyref/core.py,,\n")
    run = run_installed(site, tmp_path, "macproof", *EVERY_CASE)
    assert run.returncode == 3
    assert "macproof: the package pyref in" in run.stderr
    assert "is macproof's and also that of pyref" in run.stderr
    assert "Traceback" not in run.stderr


EVERY_MODULE = """
import importlib, pkgutil, emu
for module in pkgutil.walk_packages(emu.__path__, "emu."):
    importlib.import_module(module.name)
"""


@pytest.mark.slow
@pytest.mark.parametrize("resolution", ["lowest-direct", "highest"])
def test_the_bounds_are_true(built, run_uv, tmp_path, resolution: str) -> None:
    """The oldest and the newest versions that the wheel allows run the main job.

    Every module is imported with the extra `prove`: `emu.lift.terms` is made of z3.
    """
    if _TOO_NEW and resolution != "highest":
        pytest.skip("the oldest versions have wheels for Python 3.11 only")
    environment = tmp_path / "environment"
    python = environment / "bin" / "python"
    run_uv("venv", "--quiet", "--python", sys.executable, environment)
    install = ("pip", "install", "--quiet", "--python", python)
    extra = ("--extra", "prove")
    run_uv(*install, "--resolution", resolution, *extra, "-r", ROOT / "pyproject.toml")
    run_uv(*install, "--no-deps", built[1])
    listed = run_uv("pip", "freeze", "--python", python)
    required = "\n".join(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["prove"])
    bounds = re.findall(r"^([a-z\d-]+)>=([\d.]+)", required, re.MULTILINE)
    assert len(bounds) > 10
    if resolution != "highest":
        for name, bound in bounds:
            assert re.search(rf"(?m)^{name}=={re.escape(bound)}(\.0)*$", listed), (name, bound)
    imported = run_python(python, tmp_path, "-c", EVERY_MODULE)
    assert imported.returncode == 0, imported.stderr
    run = functools.partial(run_python, python, tmp_path, "-m")
    if resolution == "highest":  # references meet what is new in NumPy; the main job is enough else
        every = run("macproof", *EVERY_CASE, "--programs", "prebuilt")
        require_verified(every, {read_case(path).name for path in find_cases()})
    require_main_job(run, translates=resolution == "highest")


@pytest.mark.slow
@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_every_platform_has_wheels_of_what_is_locked(
    run_uv, tmp_path, platform: str, python: str
) -> None:
    """Those of requirements.lock are among them, as a test above says of every entry."""
    words = ("pip", "install", "--dry-run", "--require-hashes", "--only-binary", ":all:")
    target = ("--python-platform", platform, "--python-version", python, "--target", tmp_path)
    missing = (platform, python) == _NO_WHEEL
    said = run_uv(*words, *target, "-r", "requirements-test.lock", status=1 if missing else 0)
    if missing:
        assert "llvmlite" in said
    else:
        assert int(re.search(r"Would install (\d+) packages", said)[1]) >= 60


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
def test_the_wheel_brings_its_plugin_to_pytest(installed, tmp_path) -> None:
    """Nothing but the entry point names the plugin; the programs are the prebuilt ones."""
    (metadata_file,) = installed.glob("macproof-*.dist-info/entry_points.txt")
    assert "[pytest11]\nmacproof = emu.pytest_plugin\n" in metadata_file.read_text()
    (tmp_path / "test_installed.py").write_text(IN_PYTEST)
    case = installed / "macproof" / "mac_src" / "four_shifts" / "case.yaml"
    words = ("--macproof-scenes", "20", "--strict-markers", "-p", "no:cacheprovider")
    chosen = ("-k", "installed or O2 and not macros")
    run = run_installed(
        installed, tmp_path, "pytest", "-q", "test_installed.py", case, *chosen, *words
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"^7 passed, \d+ deselected", run.stdout, re.MULTILINE), run.stdout
