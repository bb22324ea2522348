"""On Windows macproof says what to do; what runs on Linux only says so on a Mac."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from emu.base.errors import ToolMissingError
from emu.base.system.support import require_linux, require_posix
from emu.engines.qemu_user import qemu_version
from emu.toolchain.programs.native import host_compiler
from posts.findings.hosted_programs import run_hosted

ROOT = Path(__file__).parents[3]
USE_WSL = "macproof does not run on Windows itself. Use WSL"
# Modules of Python that Windows does not have. Those of other packages are loaded before, since
# they would look for parts of Windows that are not here.
WINDOWS = """
import sys
import rich.console
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
sys.platform = "win32"
"""


def on_windows(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"{WINDOWS}{code}", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_linux_and_macos_are_not_refused(monkeypatch):
    for system in ("linux", "darwin"):
        monkeypatch.setattr("sys.platform", system)
        require_posix()


def test_the_command_says_on_windows_what_to_use_instead():
    done = on_windows("from emu.cli import main; sys.exit(main(sys.argv[1:]))", "verify")
    assert done.returncode == 2
    assert USE_WSL in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_the_package_says_it_on_windows():
    done = on_windows("import macproof; macproof.verify")
    assert f"UsageError: {USE_WSL}" in done.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("case.yaml", "name: any\n"),
        (
            "test_any.py",
            'import pytest\n@pytest.mark.mac(case="four-shifts")\ndef test_any(mac): pass\n',
        ),
    ],
)
def test_pytest_says_it_on_windows_where_macproof_is_used(name, text, pytester, monkeypatch):
    monkeypatch.setattr("emu.base.system.support.sys", SimpleNamespace(platform="win32"))
    pytester.path.joinpath(name).write_text(text)
    pytester.path.joinpath("test_other.py").write_text("def test_other(): pass\n")
    refused = pytester.runpytest_inprocess(name)
    refused.assert_outcomes(errors=1)
    assert USE_WSL in refused.stdout.str()
    assert "plugin/__init__.py" not in refused.stdout.str()  # it is no mistake of ours
    pytester.runpytest_inprocess("test_other.py").assert_outcomes(passed=1)


@pytest.fixture
def on_a_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")


@pytest.mark.usefixtures("on_a_mac")
@pytest.mark.parametrize(
    ("need", "what"),
    [
        (lambda: require_linux("this"), "this"),
        (lambda: qemu_version("qemu-m68k"), "the engine qemu-user"),
        (host_compiler, "the engine host"),
        (lambda: run_hosted(None, "68040"), "a hosted program, in qemu-user,"),
    ],
)
def test_what_needs_linux_says_so_on_a_mac(need, what):
    with pytest.raises(ToolMissingError, match=f"^{what} runs on Linux only, and this is macOS$"):
        need()


def test_where_it_is_linux_nothing_is_said(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    require_linux("this")
