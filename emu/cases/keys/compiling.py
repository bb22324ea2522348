"""Reads what a case file says about compiling its sources: headers, and flags of the compiler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from emu.base.yaml_document import YamlDocument, YamlPath
from emu.toolchain.mac_c.named_headers import HeaderFolder, Prefix, header_folder_of, prefix_of
from emu.toolchain.user_flags import problem_of

KEYS = ("define", "include", "cflags", "prefix", "headers")
"""The keys that are about compiling."""

_INCLUDE = "-include"


class _Word(NamedTuple):
    """A flag or the name of a prefix header, and where the file has it."""

    text: str
    place: YamlPath


def include_of(document: YamlDocument) -> tuple[str, ...]:
    """Read the folders of headers, which are relative to the case file."""
    folders = tuple(document.data.get("include", ()))
    for index, name in enumerate(folders):
        if not (document.path.parent / name).is_dir():
            raise document.error(("include", index), f"there is no folder {name} beside it")
    return folders


def cflags_of(document: YamlDocument) -> tuple[str, ...]:
    """Read the flags of the compiler; ``-include`` is another way to write ``prefix``."""
    flags, _ = _split(document)
    for flag in flags:
        if problem := problem_of(flag.text):
            raise document.error(flag.place, problem)
    return tuple(flag.text for flag in flags)


def prefixes_of(document: YamlDocument) -> tuple[Prefix, ...]:
    """Read the headers that every source begins with."""
    prefixes = []
    for name in _prefixes(document):
        try:
            prefixes.append(prefix_of(name.text, document.path.parent))
        except ValueError as error:
            raise document.error(name.place, str(error)) from error
    return tuple(prefixes)


def headers_of(document: YamlDocument) -> HeaderFolder | None:
    """Read the folder of headers in place of macproof's."""
    if "headers" not in document.data:
        return None
    try:
        return header_folder_of(document.data["headers"], document.path.parent)
    except ValueError as error:
        raise document.error(("headers",), str(error)) from error


def lines_of_prefixes(document: YamlDocument) -> dict[str, int]:
    """The lines in which the file names its prefix headers."""
    return {name.text: document.line(name.place) for name in _prefixes(document)}


def _prefixes(document: YamlDocument) -> Iterator[_Word]:
    written = document.data.get("prefix", ())
    if isinstance(written, str):
        yield _Word(written, ("prefix",))
    else:
        yield from (_Word(name, ("prefix", n)) for n, name in enumerate(written))
    yield from _split(document)[1]


def _split(document: YamlDocument) -> tuple[list[_Word], list[_Word]]:
    """The flags without ``-include``, and the headers that it names."""
    flags: list[_Word] = []
    names: list[_Word] = []
    is_name = False
    for index, written in enumerate(document.data.get("cflags", ())):
        word = _Word(written, ("cflags", index))
        option, _, rest = written.partition(" ")
        if is_name:
            names.append(word)
            is_name = False
        elif option == _INCLUDE:
            is_name = not rest
            names += [_Word(rest.strip(), word.place)] if rest else []
        else:
            flags.append(word)
    if is_name:
        raise document.error(("cflags",), "-include has to be followed by the name of a header")
    return flags, names
