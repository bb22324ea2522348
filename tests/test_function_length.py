"""A function does one thing: it has at most fifty lines, its docstring not counted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 50


def lengths(source: str) -> Iterator[tuple[str, int]]:
    """Each function of a source with its lines, without those of its docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if ast.get_docstring(node) is not None:
                text = node.body[0]
                lines -= (text.end_lineno or text.lineno) - text.lineno + 1
            yield node.name, lines


def test_no_function_is_longer() -> None:
    longer = [
        f"{path.relative_to(ROOT).as_posix()}:{name}, {lines} lines"
        for path in sorted((ROOT / "emu").rglob("*.py"))
        for name, lines in lengths(path.read_text(encoding="utf-8"))
        if lines > MOST
    ]
    assert not longer, "split them by idea"


def test_a_longer_function_is_seen_and_its_docstring_is_not() -> None:
    body = "    pass\n" * MOST
    text = '    """What.\n\n    More.\n    """\n'
    assert list(lengths(f"def one():\n{body}")) == [("one", MOST + 1)]
    assert list(lengths(f"def one():\n{text}{body}")) == [("one", MOST + 1)]
    assert list(lengths("class A:\n    async def two(self):\n        pass\n")) == [("two", 2)]
