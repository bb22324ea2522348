"""A function does one thing: it has at most fifty lines, its docstring not counted."""

from __future__ import annotations

from tests.source_code import ROOT, read_source, source_of

MOST = 50


def test_no_function_is_longer() -> None:
    longer = [
        f"{path.relative_to(ROOT).as_posix()}:{name}, {lines} lines"
        for path in sorted((ROOT / "emu").rglob("*.py"))
        for name, lines in source_of(path).functions
        if lines > MOST
    ]
    assert not longer, "split them by idea"


def test_a_longer_function_is_seen_and_its_docstring_is_not() -> None:
    def lengths(source: str) -> list[tuple[str, int]]:
        return list(read_source(source).functions)

    body = "    pass\n" * MOST
    text = '    """What.\n\n    More.\n    """\n'
    assert lengths(f"def one():\n{body}") == [("one", MOST + 1)]
    assert lengths(f"def one():\n{text}{body}") == [("one", MOST + 1)]
    assert lengths("class A:\n    async def two(self):\n        pass\n") == [("two", 2)]
