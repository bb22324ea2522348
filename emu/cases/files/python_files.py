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
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import CaseError, MacproofError
from emu.base.files import read_file
from emu.base.functions import forget_modules
from emu.cases.files.read_files import (
    files_read_by,
    forget_files_of,
    have_changed,
    noting_files,
)
from emu.toolchain.build_cache import digest_of

_KIT = Path(__file__).resolve().parents[3]
_REFERENCES = "pyref"


@dataclass(frozen=True, slots=True, order=True)
class _File:
    """A file of Python: its name in receipts, where it is, and the SHA-256 of its text."""

    name: str
    path: Path
    sha256: str


_imported: dict[Path, str] = {}
"""The SHA-256 of each file when this process imported it."""

_loaded: dict[tuple[tuple[str, ...], Path], Sequence[_File]] = {}
"""The files of the functions that were loaded, by their names and their folder."""

_places: dict[Path, dict[str, Path]] = {}
"""Where the files of the functions of a folder are, by their names."""


def load(dotted: Sequence[str], folder: Path, importing: Callable[[], None]) -> Mapping[str, str]:
    """Import functions, and note which files they are made of.

    A process imports a module only once. If a file of the folder has changed since, all modules of
    the folder are imported again.

    Args:
        dotted: the functions' names.
        folder: where their modules are looked for first.
        importing: the function that imports them.

    Returns:
        The SHA-256 of each file, by its name: relative to the folder, or to where its package lies.

    Raises:
        CaseError: a file was changed while it was loaded; or one outside the folder was changed
            after this process had imported it.
    """
    key = (tuple(dotted), folder.resolve())
    loaded = _loaded.get(key)
    if loaded is not None and have_changed(_read_by(loaded)):
        _forget(key[1])
        loaded = None
    if loaded is None or not all(map(_is_current, loaded)):
        _loaded[key] = loaded = _import(*key, importing)
    _places.setdefault(key[1], {}).update((file.name, file.path) for file in loaded)
    return {file.name: file.sha256 for file in loaded}


def files_read(folder: Path, names: Iterable[str]) -> Mapping[str, str]:
    """The files that the Python of a case has read in this process, as it was imported or ran.

    Args:
        folder: the folder of the case.
        names: the names of the files of its Python, as `load` gives them.

    Returns:
        The SHA-256 of each by its name, which is relative to the folder if it lies there; or
        `read_files.ABSENT` of one that was looked for and is not there.
    """
    folder = folder.resolve()
    places = _places.get(folder, {})
    digests = files_read_by(places[name] for name in names if name in places)
    return {
        path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path): digest
        for path, digest in sorted(digests.items())
    }


def changed_since(folder: Path, read: Iterable[tuple[str, str]]) -> list[str]:
    """Which of the files that the Python of a case has read have other contents now.

    Args:
        folder: the folder of the case.
        read: the name of each and its digest, as `files_read` gives them.
    """
    folder = folder.resolve()
    places = [(folder / name, name, digest) for name, digest in read]
    return [name for path, name, digest in places if have_changed({path: digest})]


def _read_by(files: Iterable[_File]) -> Mapping[Path, str]:
    return files_read_by(file.path for file in files)


def _forget(folder: Path) -> None:
    """Let the modules of a folder be imported again."""
    forget_modules(folder)
    own = [path for path in _imported if path.is_relative_to(folder)]
    forget_files_of(own)
    for path in own:
        del _imported[path]


def _import(
    dotted: tuple[str, ...], folder: Path, importing: Callable[[], None]
) -> Sequence[_File]:
    """Import functions, again if a file has changed; the files that they are made of."""
    before = _files(dotted, folder)
    changed = [file for file in before if _imported.get(file.path, file.sha256) != file.sha256]
    for file in changed:
        if not file.path.is_relative_to(folder):
            raise CaseError(
                folder,
                f"{file.path} was changed after this process imported it",
                remedy="Begin Python again.",
            )
    if changed:
        _forget(folder)
    is_new = any(file.path not in _imported for file in before)
    try:
        with noting_files():
            importing()
    except MacproofError:
        forget_modules(folder)  # also those that it has imported before it failed
        raise
    if not is_new:
        return before
    after = _files(dotted, folder)
    digests = {file.path: file.sha256 for file in before}
    for file in after:
        if digests.get(file.path, file.sha256) != file.sha256:
            raise CaseError(folder, f"{file.name} was changed while it was being loaded")
    _imported.update((file.path, file.sha256) for file in after)
    return after


def _is_current(file: _File) -> bool:
    """Whether the text of a file, on disk and as it was imported last, is the known one."""
    try:
        digest = digest_of(file.path)
    except OSError:
        return False
    return digest == file.sha256 == _imported.get(file.path)


def _files(dotted: tuple[str, ...], folder: Path) -> list[_File]:
    modules = [name.partition(":")[0] for name in dotted]
    roots = [_Root(folder), _Root(_KIT, _REFERENCES)]
    roots += [root for root in map(_root_of, modules) if root is not None]
    search = _Search(tuple(roots))
    for module in modules:
        search.follow(module)
    return sorted(search.found.values())


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
    found: dict[str, _File] = field(default_factory=dict)
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
            content = read_file(path)
        except OSError:
            return  # importing it reports the error
        self.found[name] = _File(name, path, hashlib.sha256(content).hexdigest())
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
    imports: dict[tuple[int, str], None] = {}
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            imports |= dict.fromkeys((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [f"{module}.{alias.name}".strip(".") for alias in node.names]
            imports |= dict.fromkeys((node.level, name) for name in (module, *names) if name)
    return tuple(imports)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """The statements of a module, those inside others after them; no expression has an import."""
    waiting: deque[ast.AST] = deque([tree])
    while waiting:
        node = waiting.popleft()
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            waiting.extend(getattr(node, name, ()))
        yield node
