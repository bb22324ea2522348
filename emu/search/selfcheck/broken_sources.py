"""The sources of a case as mutants need them: what can be changed in them, and changes made."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from emu.cases.case import Case
from emu.cases.programs.sources import GivenSource, source_tree
from emu.search.selfcheck.mutant import Mutant, TextChange
from emu.toolchain.sources import Sources

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def routine_sources(case: Case, source: GivenSource = None) -> Sources:
    """The sources of a case, of which a program gets only what the routine needs.

    So a mutant of a function that the routine never calls gives the same code, and is set aside.

    Raises:
        UsageError, CompileError: as of `source_tree` and `SourceTree.read`.
    """
    return replace(source_tree(case, source), trimmed=True).read()


def texts_of(sources: Sources) -> dict[str, str]:
    """The C and C++ files that mutants are made of: the units, and what they include of their own.

    Returns:
        Texts by the files' names, which are relative to the program's folder. A character is a
        byte, so that a text can be written back whatever its encoding is.
    """
    tree = sources.tree
    names = [
        tree.staged_name(path)
        for unit in sources.units
        if unit.language.is_compiled
        for path in unit.paths
    ]
    texts = {}
    for staged in names:  # which grows meanwhile
        text = texts[posixpath.relpath(staged, tree.place)] = sources.files[staged].decode(
            "latin-1"
        )
        for name in _INCLUDE.findall(text):
            for folder in (posixpath.dirname(staged), *tree.search()):
                header = posixpath.normpath(f"{folder}/{name}")
                if header in sources.files and header.startswith("program/"):
                    names += [header] if header not in names else []
                    break
    return texts


def with_changes(sources: Sources, mutants: Iterable[Mutant]) -> Sources:
    """The sources with some changes made."""
    files = dict(sources.files)
    for name, changes in _by_file(mutants).items():
        staged = posixpath.normpath(f"{sources.tree.place}/{name}")
        text = files[staged].decode("latin-1")
        # From the end of the file on, so that places in front of a change stay what they are.
        for change in sorted(changes, key=lambda change: change.start, reverse=True):
            text = change.apply(text)
        files[staged] = text.encode("latin-1")
    return replace(sources, files=files)


def _by_file(mutants: Iterable[Mutant]) -> Mapping[str, list[TextChange]]:
    changes: dict[str, list[TextChange]] = {}
    for mutant in mutants:
        if isinstance(mutant.change, TextChange):
            changes.setdefault(mutant.file, []).append(mutant.change)
    return changes
