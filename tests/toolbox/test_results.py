"""Result codes have their numbers in one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from emu.toolbox.records.results import Modifier, ResultCode

TOOLBOX = Path(__file__).parents[2] / "emu" / "toolbox"
_ALSO_OTHERS = range(-10, 0)
"""Numbers that mean other things, too: -1 is the file of none."""


def repeated(source: str) -> Iterator[str]:
    """The numbers of result codes that a module gives names of its own."""
    for statement in ast.parse(source).body:
        for node in ast.walk(statement) if isinstance(statement, ast.Assign) else ():
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                value = ast.literal_eval(node)
                if value in set(ResultCode) and value not in _ALSO_OTHERS:
                    yield f"line {node.lineno}: {ResultCode(value).name}"


def test_no_module_has_a_name_of_its_own_for_a_result_code() -> None:
    paths = [path for path in TOOLBOX.rglob("*.py") if path.name != "results.py"]
    assert len(paths) > 200
    found = {path.name: list(repeated(path.read_text())) for path in paths}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_name_for_a_result_code_is_seen() -> None:
    source = "_NO = -1\n_FULL = -108\n_A, _B = 3, -50\nclass A:\n    pass\n"
    assert list(repeated(source)) == ["line 2: memFullErr", "line 3: paramErr"]


def test_each_number_has_one_name() -> None:
    for kind in (ResultCode, Modifier):
        assert len(kind) == len(kind.__members__)
        assert all(isinstance(one.value, int) for one in kind)
