"""Python functions that files name by their dotted names: "package.module:function".

They are somebody else's code and may raise anything; every exception becomes a `UsageError` that
says which function failed and why.

A module is first looked for beside the file that names it: if ``port/case.yaml`` names
``scenes:make``, then ``port/scenes.py`` is imported, whatever other module is called ``scenes``.
The modules that ``scenes.py`` imports are looked for there, too. Python knows such a module under
a name that contains its folder. Therefore two folders can have modules of the same name,
``sys.path`` stays as it is, and what the modules define can be sent to other processes.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from emu.base.errors import MacproofError, UsageError
from emu.base.progress_note import under_way
from emu.base.time_limit import TooLateError, patience

FAILURES = (Exception, SystemExit, TooLateError)
"""What somebody else's code may raise."""
_FOLDER = "macproof_folder_"
_INTERNAL_NAME = re.compile(rf"{_FOLDER}[0-9a-f]+\.")  # whoever wrote the module does not know it


def resolve(dotted: str, folder: Path | None = None) -> Callable[..., Any]:
    """The function of a dotted name.

    Args:
        dotted: the name.
        folder: where a module is looked for first: the folder of the file with the name.

    Raises:
        UsageError: it cannot be imported, or is not a function.
    """
    with told_as(f"{dotted} cannot be imported"):
        function: Callable[..., Any] = getattr(module_of(dotted, folder), dotted.partition(":")[2])
    if not callable(function):
        raise UsageError(f"{dotted} is not a function")
    return function


def module_of(dotted: str, folder: Path | None = None) -> ModuleType:
    """The module of a dotted name, imported; ``__file__`` is where it came from.

    Args:
        dotted: the name; what follows a colon does not matter.
        folder: where it is looked for first.

    Raises:
        Exception: what Python's import raises, or the module itself.
    """
    module = dotted.partition(":")[0]
    if folder is not None:
        own = f"{_package_of(folder)}.{module}"
        if own in sys.modules:  # to look for the file takes as long as making a small scene
            return sys.modules[own]
        if _lies_in(folder, module):
            module = own
    return importlib.import_module(module)


def forget_modules(folder: Path) -> None:
    """Let the modules of a folder be imported again, because their files have changed."""
    package = _package_of(folder)
    for name in [module for module in sys.modules if module.partition(".")[0] == package]:
        del sys.modules[name]
    importlib.invalidate_caches()
    linecache.checkcache()


def call(dotted: str, folder: Path | None, /, *arguments: Any, **named: Any) -> Any:
    """Call the function of a dotted name.

    Args:
        dotted: the name.
        folder: where its module is looked for first, or None.
        arguments: its arguments.
        named: its keyword arguments.

    Returns:
        What the function returns.

    Raises:
        UsageError: there is no such function, or it raised an exception.
        MacproofError: the function raised this itself.
    """
    function = resolve(dotted, folder)
    with told_as(f"{dotted} fails"):
        try:
            return function(*arguments, **named)
        except MacproofError as error:
            own = error
    raise own


@contextlib.contextmanager
def told_as(what: str) -> Iterator[Callable[[str], None]]:
    """Runs somebody else's code; what it raises becomes a UsageError that begins with ``what``.

    Code that does not return is interrupted, see `emu.base.time_limit`. If it ends the process,
    the parent is told so, see `emu.base.progress_note`.

    Yields:
        What tells that another thing begins, as ``what`` did the first, for a block that does many
        things: to enter this guard takes as long as making a small scene.

    Example:
        ``with told_as("make_scene fails on 3 objects"):`` around ``raise ValueError("too few")``
        raises UsageError("make_scene fails on 3 objects: ValueError: too few (scenes.py:7)").
    """
    begun = what

    def begin(another: str) -> None:
        nonlocal begun
        begun = another
        go_on(another)
        again()

    try:
        with under_way(what) as go_on, patience() as again:
            yield begin
    except FAILURES as error:
        raise failed(begun, error) from error


def failed(what: str, error: BaseException) -> UsageError:
    """The UsageError that tells in one line how somebody else's code failed, with its traceback.

    Args:
        what: who failed at what; begins the line.
        error: what the code raised, caught where it was called.
    """
    places = [
        (frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    own = next(((file, line) for file, line in reversed(places) if _is_own(file)), None)
    place = f" ({own[0]}:{own[1]})" if own else ""
    usage_error = UsageError(f"{what}: {_INTERNAL_NAME.sub('', words_of(error))}{place}")
    usage_error.failure = error
    return usage_error


def _is_own(file: str) -> bool:
    """Whether a file may be by the author of a named function, and so may hold the mistake.

    Files of Python, of macproof and of installed packages are not.
    """
    path = Path(file)
    ours = Path(__file__).parents[1], Path(os.__file__).parent
    return path.is_file() and not (
        "site-packages" in path.parts or any(path.is_relative_to(folder) for folder in ours)
    )


def words_of(error: BaseException) -> str:
    """The type of an exception and its message: "KeyError: 3", or the type alone.

    Of code that did not return it is the message alone.
    """
    if isinstance(error, TooLateError):
        return str(error)
    return ": ".join(filter(None, (type(error).__name__, str(error))))


def _package_of(folder: Path) -> str:
    """The name of the package that has the modules of a folder."""
    return _package_in(os.path.abspath(folder))


@functools.lru_cache(maxsize=64)  # asked for each scene, and links take 90 us to be followed
def _package_in(folder: str) -> str:
    return f"{_FOLDER}{os.fsencode(os.path.realpath(folder)).hex()}"


def _lies_in(folder: Path, module: str) -> bool:
    """Whether a folder has the first part of a module's name."""
    first = folder / module.partition(".")[0]
    return first.with_name(f"{first.name}.py").is_file() or (first / "__init__.py").is_file()


class _FolderFinder:
    """Finds modules of the package ``macproof_folder_HEX``; HEX is the path of their folder."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, inside = name.partition(".")
        if not package.startswith(_FOLDER):
            return None
        if not inside:
            spec = ModuleSpec(name, None, is_package=True)
            folder = os.fsdecode(bytes.fromhex(package.removeprefix(_FOLDER)))
            spec.submodule_search_locations = [folder]
            return spec
        module_spec = PathFinder.find_spec(name, path, target)
        if module_spec is not None and isinstance(module_spec.loader, SourceFileLoader):
            module_spec.loader = _FolderLoader(module_spec.loader.name, module_spec.loader.path)
        return module_spec


class _FolderLoader(SourceFileLoader):
    """Loads a module whose ``import x`` looks for ``x.py`` in the module's own folder first."""

    def path_stats(self, path: str) -> Any:
        """Keep no bytecode: Python would use it for a changed file of the same date and size."""
        raise OSError

    def exec_module(self, module: ModuleType) -> None:
        package = module.__name__.partition(".")[0]
        folder = Path(sys.modules[package].__path__[0])

        def import_(
            name: str,
            globals: Any = None,
            locals: Any = None,
            fromlist: Sequence[str] = (),
            level: int = 0,
        ) -> ModuleType:
            if level or not _lies_in(folder, name):
                return builtins.__import__(name, globals, locals, fromlist, level)
            whole = f"{package}.{name}"
            if fromlist:
                return builtins.__import__(whole, globals, locals, fromlist)
            importlib.import_module(whole)
            return sys.modules[f"{package}.{name.partition('.')[0]}"]

        # An import statement calls the __import__ that it finds in its module's __builtins__.
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": import_}
        super().exec_module(module)


sys.meta_path.insert(0, _FolderFinder)
