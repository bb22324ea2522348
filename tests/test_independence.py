"""Which tests continuous integration leaves out once they have passed without compilers."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PLAIN = """
from hypothesis import given, strategies

def test_one():
    pass

@given(strategies.integers())
def test_two(n):
    pass
"""
# Each has a second test, which is independent by itself: it is its module that counts.
DEPENDENT = {
    "command": "import shutil\ndef test():\n    assert shutil.which('m68k-none-g++') is None\n",
    "at_import": "import shutil\nFOUND = shutil.which('m68k-none-g++')\ndef test():\n    pass\n",
    "extra": "import importlib.util as u\ndef test():\n    assert not u.find_spec('no_extra')\n",
    "process": "import os\ndef test():\n    assert os.system('true') == 0\n",
    "worker": "import multiprocessing as m\ndef test():\n    m.Process(target=int).start()\n",
    "pool": (
        "from concurrent.futures import ProcessPoolExecutor\n"
        "def test():\n    with ProcessPoolExecutor(1) as pool:\n        pool.submit(int).result()\n"
    ),
    "fixture": "def test(asking):\n    pass\n",
    "same_fixture": "def test(asking):\n    pass\n",
    "skipped": "import pytest\ndef test():\n    pytest.skip('without it')\n",
    "failed": "def test():\n    raise ValueError\n",
}
_SECOND = "\ndef test_another():\n    pass\n"
CONFTEST = """
import shutil
import pytest

pytest_plugins = ["tests.independence"]

@pytest.fixture(scope="session")
def asking():
    return shutil.which("m68k-none-g++")
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["0", "2"])
def test_what_asked_for_nothing_is_left_out_and_nothing_else(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    pytester.makeconftest(CONFTEST)
    modules = {name: text + _SECOND for name, text in DEPENDENT.items()}
    for name, text in {**modules, "plain": PLAIN}.items():
        (pytester.path / f"test_{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    words = ("-p", "no:cacheprovider", "-n", jobs)
    first = pytester.runpytest_subprocess(*words, "--tell-independent", "build/told.txt")
    first.assert_outcomes(passed=20, skipped=1, failed=1)
    first.stdout.fnmatch_lines(["2 tests of 1 modules are independent of what is installed"])
    told = (pytester.path / "build" / "told.txt").read_text().split()
    assert told == ["test_plain.py::test_one", "test_plain.py::test_two"]
    (pytester.path / "test_plain.py").write_text(f"{PLAIN}\ndef test_new():\n    pass\n")
    again = pytester.runpytest_subprocess(*words, "--leave-out", "build/told.txt")
    again.assert_outcomes(passed=19, skipped=1, failed=1, deselected=0 if jobs == "2" else 2)
    again.stdout.fnmatch_lines(["left out: 2 tests, which passed before and asked for nothing *"])


_LOOKS = ("which(", "find_spec(", "import_module(")


def keeps_what_it_asked(text: str) -> list[str]:
    """The functions that look for what is installed and keep the answer: only the first asks."""
    return [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and any("cache" in ast.unparse(one) for one in node.decorator_list)
        and any(word in ast.unparse(node) for word in _LOOKS)
    ]


def test_no_function_keeps_whether_something_is_installed() -> None:
    """A test that is told a kept answer would look as if it had not asked."""
    asks = "@functools.cache\ndef version():\n    return shutil.which('gcc')\n"
    assert keeps_what_it_asked(asks) == ["version"]
    found = {
        str(path.relative_to(ROOT)): names
        for top in ("emu", "posts", "tests")
        for path in (ROOT / top).rglob("*.py")
        if any(word in (text := path.read_text()) for word in _LOOKS)
        and (names := keeps_what_it_asked(text))
    }
    # uv, which slow tests alone use
    assert found == {"tests/test_packaging.py": ["uv"]}
