"""Writes a new case: a source, a case file, a reference and a test, to be changed step by step.

The function that it writes adds up what it is given. So the new case is verified as it is, and its
author always has something that works while replacing one part after the other.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from string import Template

from emu.base.errors import InputError, UsageError
from emu.base.files import read_file, write_whole
from emu.base.strict_yaml import name_in_yaml
from emu.cases.skeletons.function import MOST_ELEMENTS, CParameter, CPrototype
from emu.cases.skeletons.reference_text import Attribute, ReferenceText
from emu.cases.skeletons.source_text import FunctionText

SCHEMA_FILE = "case.schema.json"
_MOST_IN_A_CHAR = 100  # a number of elements may be a signed char
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_BLOCK = 1  # the pointer of a handle that leads to its block
_OF_A_HANDLE = 2


def schema_of_cases() -> str:
    """The JSON Schema of case files, for editors."""
    return resources.files("emu.cases").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")


def write_skeleton(name: str, prototype: CPrototype, folder: Path) -> Path:
    """Write a new case into a folder of its name, whole or not at all.

    Args:
        name: the name of the case: small letters, digits and hyphens ("unpack-bits").
        prototype: the function that is called.
        folder: where the folder of the case is made.

    Returns:
        The folder of the case.

    Raises:
        UsageError: the name cannot be that of a case, or the folder is there already.
        InputError: the folder cannot be written.
    """
    with new_folder(name, folder) as place:
        for file, content in CaseTexts(name, prototype).files().items():
            write_whole(place / file, content)
    return folder / name


@contextlib.contextmanager
def new_folder(name: str, folder: Path) -> Iterator[Path]:
    """A folder that gets the name of a new case at the end, or is taken away if that fails.

    Raises:
        UsageError: the name cannot be that of a case, or the folder is there already.
        InputError: the folder cannot be written.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a case: that has small letters, digits and hyphens, "
            "and begins with a letter, such as unpack-bits"
        )
    place = folder / name
    if place.exists() or place.is_symlink():
        raise UsageError(f"{place} exists already, and nothing is overwritten; take another name")
    staging = folder / f".{name}-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        staging.mkdir()  # with the usual permissions, and as deep as the case will be
        yield staging
        os.rename(staging, place)
    except OSError as error:
        raise InputError(place, f"cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class OwnSources:
    """The user's own sources, to which a new case refers.

    Attributes:
        units: the names of the files of each translation unit, relative to the case.
        keys: the further lines of the case file that say how they are compiled.
        globals: the text of a file that belongs to the first unit and defines what no source does.
        remarks: what the case leaves to its author, a line each.
        reference: the lines under ``reference`` in the case file, if a routine of an old program
            says what is right; empty if a function in Python does.
    """

    units: tuple[tuple[str, ...], ...]
    keys: tuple[str, ...] = ()
    globals: str = ""
    remarks: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()


class CaseTexts:
    """Makes the files of a new case.

    Args:
        name: the name of the case.
        prototype: the function that is called.
        own: the user's sources with the function; None if a function is written, too.
    """

    def __init__(self, name: str, prototype: CPrototype, own: OwnSources | None = None) -> None:
        self._own = own
        self._name = name
        self._stem = name.replace("-", "_")
        self._module = f"{self._stem}_reference"
        self._prototype = prototype
        self._function = FunctionText(prototype)
        source = f"{self._stem}.c" if own is None else own.units[0][0]
        self._reference = ReferenceText(prototype, source, has_small=own is not None)
        texts = [value.most for value in prototype.values if value.text]
        self._texts = len(texts)
        self._has_buffers = any(parameter.is_counted for parameter in self._reference.scene)
        self._most = min(texts, default=MOST_ELEMENTS)
        if texts and self._has_buffers:
            self._most = min(self._most, _MOST_IN_A_CHAR)

    def files(self) -> dict[str, bytes]:
        """The contents of each file, by its name."""
        words = {
            "name": name_in_yaml(self._name),
            "stem": self._stem,
            "module": self._module,
            "function": self._prototype.name,
            "prototype": str(self._prototype),
            "before": self._function.before(),
            "body": self._function.body(),
            **self._sources(),
            **self._case(),
            **self._reference.words(),
        }
        contents = {SCHEMA_FILE: schema_of_cases().encode()}
        header = self._prototype.header
        if header is not None:
            contents[header.name] = read_file(header)
        if self._own is None:
            contents[f"{self._stem}.c"] = _filled("source.c", words)
        elif self._own.globals:
            contents[self._globals_file] = self._own.globals.encode()
        words["expected"] = _filled(self._expected, words).decode()
        for template, file in (
            ("case.yaml", "case.yaml"),
            ("reference.py", f"{self._module}.py"),
            ("test.py", f"test_{self._stem}.py"),
        ):
            contents[file] = _filled(template, words).rstrip() + b"\n"
        return contents

    @property
    def _expected(self) -> str:
        """The template of what says which answer is right."""
        if self._own is None:
            return "expected.py"
        return "functions.py" if self._own.reference else "unwritten.py"

    @property
    def _globals_file(self) -> str:
        own = self._own
        return f"{self._stem}_globals{PurePosixPath(own.units[0][0]).suffix if own else '.c'}"

    def _sources(self) -> dict[str, str]:
        """What the case file says of its sources."""
        own = self._own
        if own is None:
            remark = "# CHANGE: all files of the routine; each is compiled alone"
            return {"sources": f"sources: [{self._stem}.c] {remark}", "remarks": ""}
        units = [list(unit) for unit in own.units]
        if own.globals:
            units[0].append(self._globals_file)
        written = ", ".join(
            json.dumps(unit if len(unit) > 1 else unit[0], ensure_ascii=False) for unit in units
        )
        return {
            "sources": "\n".join([f"sources: [{written}]", *own.keys]),
            "remarks": "".join(f"# CHANGE: {remark}\n" for remark in own.remarks),
        }

    def _case(self) -> dict[str, str]:
        prototype = self._prototype
        arguments = [f"  {p.name}: {self._argument(p)}" for p in prototype.parameters]
        inputs = [f"  {one.name}: {self._argument(one)}" for one in prototype.globals]
        return {
            "arguments": _arguments_key(arguments, inputs),
            "input": "input:\n" + "\n".join(inputs) + "\n" if inputs else "",
            **self._expectation(),
            **self._kinds(),
        }

    def _expectation(self) -> dict[str, str]:
        """What is compared, and with what."""
        observed = {"return": self._reference.results} if self._reference.results else {}
        observed |= {
            parameter.observed: self._attributes(parameter)
            for parameter in self._prototype.values
            if parameter.is_changed
        }
        lines = () if self._own is None else self._own.reference
        if lines:
            places = ", ".join(_places(observed))
            return {
                "observe": f"# CHANGE: what the routine gives back\nobserve: [{places}]",
                "reference": "".join(f"\n  {line}" for line in lines),
            }
        answers = "".join(
            f"\n  {_quoted(place)}: {_members(attributes)}"
            for place, attributes in observed.items()
        )
        remark = "on the left what the routine gives back, on the right attributes of Answer"
        return {
            "observe": f"# CHANGE: {remark}\nobserve:{answers}",
            "reference": f" {self._module}:expected",
        }

    def _argument(self, parameter: CParameter) -> str:
        """What a case file gives for a parameter."""
        if parameter.function is not None:
            return f'{{python: "{self._module}:{parameter.name}"}}'
        if parameter.name in self._prototype.lengths:
            return "objects"
        if parameter.is_null:
            return f"null # CHANGE: {parameter.remark}"
        value = self._filled(parameter)
        remarks = "; ".join(one.remark for one in (parameter, *parameter.members) if one.remark)
        remark = "a list of one" if parameter.pointers > _OF_A_HANDLE else remarks
        return f"{value} # CHANGE: {remark}" if remark else value

    def _filled(self, parameter: CParameter) -> str:
        """What fills a parameter, a global, or what a pointer in a struct leads to."""
        value = _members(self._attributes(parameter), self._pointers(parameter))
        room = self._most if parameter.has_many else parameter.most + 1 if parameter.text else 0
        count = (
            f", count: {parameter.most_elements if parameter.is_whole else room}" if room else ""
        )
        for pointer in range(parameter.pointers):
            is_last = parameter.is_handle and pointer == _BLOCK
            key = "handle_to" if is_last else "points_to"
            if parameter.is_handle and not pointer:
                continue  # a handle is two pointers, and one word
            value, count = f"{{{key}: {value}{count}}}", ""
        return value

    def _pointers(self, parameter: CParameter) -> Iterator[str]:
        """The pointers in a struct: what they lead to, or null."""
        filled = {one.path: one for one in parameter.members}
        # What a global holds, or a pointer in a struct leads to, begins with null pointers anyhow.
        is_inside = bool(parameter.path) or (parameter.is_global and not parameter.is_pointer)
        for path, _ in parameter.nulls:
            if path in filled:
                yield f"{path}: {self._filled(filled[path])}"
            elif not is_inside:
                yield f"{path}: null"

    def _attributes(self, parameter: CParameter) -> list[Attribute]:
        return [a for a in self._reference.scene if a.parameter is parameter]

    def _kinds(self) -> dict[str, str]:
        """The kinds of scenes: their generators and numbers of objects."""
        generators = ["anywhere", "borders"]
        generators += ["small"] if self._reference.has_small else []
        generators += ["text"] if self._reference.has_texts else []
        generators += ["digits"] if self._texts else []
        objects = "[0]"
        if self._has_buffers or self._texts:
            objects = f"[0, 1, {12 if self._texts else 2}, {self._most}]"
        what = ["numbers of elements"] if self._has_buffers else []
        what += ["lengths of texts"] if self._texts else []
        return {
            "objects": objects,
            "generators": f"[{', '.join(generators)}]",
            "what_objects_are": " and ".join(what) or "no buffers, so 0",
        }


def _filled(template: str, words: Mapping[str, str]) -> bytes:
    """The text of a template with words in its places."""
    path = resources.files("emu.cases").joinpath("templates", f"{template}.txt")
    return Template(path.read_text(encoding="utf-8")).substitute(words).encode()


def _arguments_key(arguments: Sequence[str], inputs: Sequence[str]) -> str:
    """The key with the arguments, which a routine without any needs if it reads no global."""
    if arguments:
        return "arguments:\n" + "\n".join(arguments) + "\n"
    return "" if inputs else "arguments: {}\n"


def _places(observed: Mapping[str, Sequence[Attribute]]) -> Iterator[str]:
    """What two programs are compared in: of a struct each member that is filled."""
    for place, attributes in observed.items():
        for attribute in attributes:
            path = attribute.part.path
            yield _quoted(f"{place}.{path}" if path else place)


def _quoted(place: str) -> str:
    return place if place == "return" else json.dumps(place)


def _members(attributes: Sequence[Attribute], pointers: Iterable[str] = ()) -> str:
    """The attribute of a number or text; of a struct, those of its members, and its pointers."""
    if not attributes[0].part.path:
        return f"{attributes[0].text} {attributes[0].name}".lstrip()
    members = [f"{parameter.part.path}: {parameter.name}" for parameter in attributes]
    return f"{{{', '.join([*members, *pointers])}}}"
