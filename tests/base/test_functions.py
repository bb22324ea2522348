"""Functions that files name: found beside the file, kept apart by folder, told about in words."""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import UsageError
from emu.base.functions import call, module_of, resolve
from emu.base.processes.workers import run_apart
from emu.base.time_limit import at_most

EXAMPLE = Path(__file__).parents[2] / "examples" / "bounce"


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Makes a folder with some modules."""

    def make(name: str = "one", **modules: str) -> Path:
        made = tmp_path / name
        made.mkdir()
        for module, text in modules.items():
            (made / f"{module}.py").write_text(text)
        return made

    return make


def test_a_module_beside_the_file_that_names_it_is_found(folder: Callable[..., Path]):
    here = folder(ref5="def f(): return 5\n")
    before = list(sys.path)
    with pytest.raises(UsageError, match="No module named 'ref5'"):
        resolve("ref5:f")
    assert resolve("ref5:f", here)() == 5
    assert sys.path == before
    assert "ref5" not in sys.modules
    assert Path(str(module_of("ref5", here).__file__)) == here / "ref5.py"
    assert [path.name for path in here.iterdir()] == ["ref5.py"]  # and no bytecode beside it


def test_modules_of_the_same_name_in_two_folders_are_two(folder: Callable[..., Path]):
    helper = "from helper import VALUE\nimport helper\ndef f(): return VALUE, helper.VALUE\n"
    one = folder("one", ref=helper, helper="VALUE = 1\n")
    two = folder("two", ref=helper, helper="VALUE = 2\n")
    for _ in range(2):
        assert resolve("ref:f", one)() == (1, 1)
        assert resolve("ref:f", two)() == (2, 2)


def test_neighbours_are_found_late_and_in_packages(folder: Callable[..., Path]):
    here = folder(
        ref="def f():\n    import inside.deep as late\n    import inside\n"
        "    return late.VALUE + inside.deep.VALUE\n"
    )
    (here / "inside").mkdir()
    (here / "inside" / "__init__.py").touch()
    (here / "inside" / "deep.py").write_text("import other\nVALUE = other.VALUE\n")
    (here / "other.py").write_text("VALUE = 20\n")
    assert resolve("ref:f", here)() == 40


def test_modules_that_are_not_there_are_those_of_the_kit(folder: Callable[..., Path]):
    from pyref.scene import make_scene

    here = folder(ref="import json\nimport pyref.scene as s\nf = s.make_scene\n")
    assert resolve("pyref.scene:make_scene", here) is make_scene
    assert resolve("ref:f", here) is make_scene
    assert module_of("ref", here).json is sys.modules["json"]  # type: ignore[attr-defined]


@pytest.mark.slow
def test_what_they_make_can_be_sent_to_another_process():
    scene = call("bounce_reference:make_scene", EXAMPLE, "walls", 3, 7, width=1, height=1)
    assert pickle.loads(pickle.dumps(scene)).x.tolist() == scene.x.tolist()
    there = run_apart(_make_there, EXAMPLE)
    assert type(there) is type(scene)
    assert there.x.tolist() == scene.x.tolist()


def _make_there(folder: Path) -> Any:
    return call("bounce_reference:make_scene", folder, "walls", 3, 7, width=1, height=1)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return 1 // 0", "fails: ZeroDivisionError: integer division or modulo by zero ({}:2)"),
        ("raise ValueError('too many')", "fails: ValueError: too many ({}:2)"),
        ("import json; json.loads('{')", "({}:2)"),  # the line that its author wrote
        ("raise SystemExit(0)", "fails: SystemExit: 0 ({}:2)"),
    ],
)
def test_a_failure_names_the_line_and_keeps_the_traceback(
    folder: Callable[..., Path], body: str, words: str
):
    here = folder(ref=f"def f():\n    {body}\n")
    with pytest.raises(UsageError) as refused:
        call("ref:f", here)
    assert words.format(here / "ref.py") in str(refused.value)
    assert "\n" not in str(refused.value)
    assert body in refused.value.trace
    sent = pickle.loads(pickle.dumps(refused.value))
    assert (str(sent), sent.trace) == (str(refused.value), refused.value.trace)


def test_a_module_that_fails_names_its_line(folder: Callable[..., Path]):
    here = folder(ref="x = 1\nx.no\n", syntax="x = (\n")
    with pytest.raises(UsageError, match=r"ref:f cannot be imported: .*ref\.py:2\)$"):
        resolve("ref:f", here)
    with pytest.raises(UsageError, match=r"SyntaxError: .*syntax\.py, line 1"):
        resolve("syntax:f", here)


@pytest.mark.slow
def test_a_case_needs_no_python_path(macproof_apart: Callable[..., Any], compilers: Any):
    """Neither where it is read nor in the worker processes, nor where scenes are explained."""
    compilers("68040")
    chosen = ("--cpu", "68040", "--build", "O2", "--scenes", 8)
    done = macproof_apart("verify", EXAMPLE, *chosen)
    assert done.code == 0, done
    assert "compared with bounce_reference:move_balls" in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    ["while True: pass", "while True:\n        try: pause()\n        except Exception: pass"],
)
def test_code_that_does_not_return_is_interrupted(folder: Callable[..., Path], body: str):
    place = folder(
        endless=f"from time import sleep\ndef pause(): sleep(0.01)\ndef run():\n    {body}"
    )
    told = r"endless:run fails: it did not return within 0\.3 s \("
    with at_most(0.3), pytest.raises(UsageError, match=told):
        call("endless:run", place)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_time_that_code_is_busy_is_not_that_of_the_clock(folder: Callable[..., Path]):
    """Code that waits may take longer than code that computes."""
    place = folder(
        slow="from time import sleep\ndef wait(): sleep(0.4)\ndef turn():\n    while True: pass"
    )
    with at_most(30.0, 0.1):
        call("slow:wait", place)
        with pytest.raises(UsageError, match=r"within 0\.1 s of processor time \("):
            call("slow:turn", place)
    with at_most(0.2, 0.1), pytest.raises(UsageError, match=r"did not return within 0\.2 s \("):
        call("slow:wait", place)
