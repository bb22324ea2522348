"""What tests of our own sources ask of each file, which is parsed once for all of them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class SourceCode:
    """What a module has.

    Attributes:
        imports: every module that it imports, as a dotted name, with the line.
        functions: every function and method, inner ones too, with its lines but for the docstring.
        classes: the public classes that it defines.
    """

    imports: tuple[tuple[str, int], ...]
    functions: tuple[tuple[str, int], ...]
    classes: tuple[str, ...]


def read_source(text: str, package: tuple[str, ...] = ()) -> SourceCode:
    """Parse a module of a package; to read all of emu takes three seconds."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return SourceCode(
        tuple(_imports(nodes, package)),
        tuple(_functions(nodes)),
        tuple(name for name in names if not name.startswith("_")),
    )


@functools.cache
def source_of(path: Path) -> SourceCode:
    """A file of the repository."""
    return read_source(path.read_text(encoding="utf-8"), path.relative_to(ROOT).parts[:-1])


def _imports(nodes: Iterable[ast.AST], package: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """``from emu.cases import case`` counts as emu.cases.case, a relative one as what it is."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *((node.module,) if node.module else ())))
            for alias in node.names:
                yield f"{module}.{alias.name}", node.lineno


def _functions(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if ast.get_docstring(node) is not None:
                text = node.body[0]
                lines -= (text.end_lineno or text.lineno) - text.lineno + 1
            yield node.name, lines
