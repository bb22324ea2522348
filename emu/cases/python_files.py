"""Loads the Python functions that a case names, and records the files they are made of.

A verdict rests on its reference, so a receipt must name the reference's text. That is the text of
its module, and of every module that this imports from the case's folder, from its own package or
from macproof's references. Other packages are identified by their versions.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import CaseError

_KIT = Path(__file__).resolve().parents[2]
_REFERENCES = "pyref"
_loaded: dict[tuple[tuple[str, ...], Path], Mapping[str, str]] = {}


def load(dotted: Sequence[str], folder: Path, importing: Callable[[], None]) -> Mapping[str, str]:
    """Import functions, and note which files they are made of.

    A process imports a module only once, so the digests stay those of the first import.

    Args:
        dotted: the functions' names.
        folder: where their modules are looked for first.
        importing: the function that imports them.

    Returns:
        The SHA-256 of each file, by its name: relative to the folder, or to where its package lies.

    Raises:
        CaseError: a file was changed while it was loaded.
    """
    key = (tuple(dotted), folder.resolve())
    if key not in _loaded:
        before = _files(*key)
        importing()
        after = _files(*key)
        for name in after:
            if before.get(name, after[name]) != after[name]:
                raise CaseError(folder, f"{name} was changed while it was being loaded")
        _loaded[key] = after
    return _loaded[key]


def _files(dotted: tuple[str, ...], folder: Path) -> dict[str, str]:
    modules = [name.partition(":")[0] for name in dotted]
    roots = [_Root(folder), _Root(_KIT, _REFERENCES)]
    roots += [root for root in map(_root_of, modules) if root is not None]
    search = _Search(tuple(roots))
    for module in modules:
        search.follow(module)
    return dict(sorted(search.found.items()))


@dataclass(frozen=True, slots=True)
class _Root:
    """A folder that is searched for modules: for all, or for one top-level module or package."""

    folder: Path
    only: str = ""


def _root_of(module: str) -> _Root | None:
    """The folder in which Python finds a module's package."""
    first = module.partition(".")[0]
    try:
        spec = importlib.util.find_spec(first)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    path = Path(spec.origin).resolve()
    return _Root(path.parent.parent if spec.submodule_search_locations else path.parent, first)


@dataclass(frozen=True, slots=True)
class _Search:
    """The files found so far, by name, and the modules that were looked for."""

    roots: tuple[_Root, ...]
    found: dict[str, str] = field(default_factory=dict)
    followed: set[str] = field(default_factory=set)

    def follow(self, module: str) -> None:
        """Record the files of a module and of what it imports; modules elsewhere are skipped."""
        if module in self.followed:
            return
        self.followed.add(module)
        first = module.partition(".")[0]
        for root in self.roots:
            paths = list(_paths(root.folder, module)) if root.only in ("", first) else []
            for path in paths:
                self._note(root, path)
            if paths:
                return

    def _note(self, root: _Root, path: Path) -> None:
        name = path.relative_to(root.folder).as_posix()
        if name in self.found:
            return
        try:
            content = path.read_bytes()
        except OSError:
            return  # importing it reports the error
        self.found[name] = hashlib.sha256(content).hexdigest()
        package = name.removesuffix(".py").split("/")[:-1]
        for level, module in _imports(content):
            # A relative import with one dot means the module's own package.
            above = package[: len(package) - level + 1] if level else []
            self.follow(".".join([*above, *([module] if module else [])]))


def _paths(folder: Path, module: str) -> Iterator[Path]:
    """The files of a module below a folder, and of the packages that contain it."""
    place = folder
    for part in module.split("."):
        place /= part
        for path in (place / "__init__.py", place.with_name(f"{part}.py")):
            if path.is_file():
                yield path
                break


@functools.lru_cache(maxsize=512)
def _imports(content: bytes) -> tuple[tuple[int, str], ...]:
    """The imports of a text: for each the number of leading dots and the dotted name after them."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    found: dict[tuple[int, str], None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= dict.fromkeys((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [f"{module}.{alias.name}".strip(".") for alias in node.names]
            found |= dict.fromkeys((node.level, name) for name in (module, *names) if name)
    return tuple(found)
