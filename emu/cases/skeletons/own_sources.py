"""Writes a new case of a function in the user's own sources, to which the case refers.

The sources are compiled with debugging information. What the function is called with and which
globals it works on, itself or by the functions that it calls, follows from that.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from emu.base.errors import CompileError, UsageError
from emu.base.files import read_file, write_whole
from emu.cases.case import Case
from emu.cases.case_file import read_outline
from emu.cases.files.places import CASE_FILE
from emu.cases.programs.mac_headers import declares_variable
from emu.cases.programs.programs import provide_for
from emu.cases.programs.sources import source_tree
from emu.cases.skeletons.compiled_function import prototype_of
from emu.cases.skeletons.function import CPrototype
from emu.cases.skeletons.function_bodies import function_bodies
from emu.cases.skeletons.old_routine import OldReference, OldRoutine, narrowed
from emu.cases.skeletons.skeleton import CaseTexts, OwnSources, new_folder
from emu.program.elf.interface import FunctionInterface, UsedGlobal, interface_of
from emu.program.model.signatures import Parameter, Signature
from emu.toolchain.builds import BUILDS, Target, targets_of
from emu.toolchain.compilers.find import find_compiler
from emu.toolchain.languages import SOURCE_SUFFIXES
from emu.toolchain.programs.gcc import compile_everything

_BUILD = BUILDS["O0"]
_INT_SIZE = 4
_TEXT = r"\b(Str(?:255|63|31|27|15))\s+{name}\b"


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A function in sources of the user.

    Attributes:
        name: its name.
        sources: the files; the first has it.
        keys: what the case file says of compiling them, by its keys, such as ``define``. Paths are
            relative to where the command runs.
    """

    name: str
    sources: tuple[Path, ...]
    keys: Mapping[str, Any] = field(default_factory=dict)

    def lines(self, place: Path) -> dict[str, Any]:
        """The keys of a case file in a folder."""
        keys = dict(self.keys)
        for key in _FOLDERS & keys.keys():
            keys[key] = [_relative(Path(folder), place) for folder in keys[key]]
        if "prefix" in keys:  # the name of a header, unless there is a file
            keys["prefix"] = [
                _relative(Path(name), place) if Path(name).exists() else name
                for name in keys["prefix"]
            ]
        if "headers" in keys:
            keys["headers"] = _relative(Path(keys["headers"]), place)
        return keys

    def names(self, place: Path) -> tuple[tuple[str, ...], ...]:
        """The names of the sources in a case file in a folder, each a unit of its own."""
        return tuple((_relative(path, place),) for path in self.sources)


_FOLDERS = {"include"}
_MAIN = "main"


def _relative(path: Path, place: Path) -> str:
    return Path(os.path.relpath(path.resolve(), place.resolve())).as_posix()


def write_case_of_source(
    name: str, function: OwnFunction, folder: Path, old: OldRoutine | None = None
) -> Path:
    """Write a new case of a function, whole or not at all.

    Args:
        name: the name of the case.
        function: the function and its sources.
        folder: where the folder of the case is made.
        old: the routine of an old program that says what is right; None if a function in Python is
            to say it.

    Returns:
        The folder of the case.

    Raises:
        UsageError: the case cannot be named so, the folder is there, or a source is not; or no
            scene can be made for the function, as for main; or it needs functions that no source
            defines.
        ProgramError: the first source has no such function.
        ToolMissingError: there is no compiler.
        CompileError: a source does not compile.
        InputError: the folder cannot be written.
    """
    if function.name == _MAIN:
        raise UsageError(
            "no case calls main, which starts a program once: name a function that it calls, or "
            "run the whole program with macproof run"
        )
    for path in function.sources:
        if not path.is_file():
            raise UsageError(f"--source {path}: there is no such file")
    with new_folder(name, folder) as place:
        interface, target = read_interface(function, place)
        reference = None
        if old is not None:
            sources = source_tree(read_outline(place / CASE_FILE)).read()
            reference = old.reference(interface, sources, _relative(old.path, place))
        prototype, own = _case_of(interface, function, place, reference)
        for file, content in CaseTexts(name, prototype, own).files().items():
            write_whole(place / file, content)
        require_linking(read_outline(place / CASE_FILE), function, interface, target)
    return folder / name


def read_interface(function: OwnFunction, place: Path) -> tuple[FunctionInterface, Target]:
    """Compile sources for the first processor with a compiler, and read what a function needs.

    Args:
        function: the function and its sources.
        place: an empty folder for the case.

    Raises:
        ProgramError, ToolMissingError, CompileError: as of `write_case_of_source`.
    """
    outline = {
        **{"schema": "macproof.case/1", "name": "outline", "title": "outline"},
        **{"sources": [name for (name,) in function.names(place)], **function.lines(place)},
        **{"call": function.name, "observe": ["return"], "arguments": {}},
        "scene": {"make": "outline:make", "generators": ["any"], "objects": [0]},
        "reference": {"program": CASE_FILE, "symbol": function.name},
    }
    path = place / CASE_FILE
    write_whole(path, json.dumps(outline).encode())
    case = read_outline(path)
    targets = targets_of(case.cpus)
    target = next((one for one in targets if find_compiler(one, case.compilers)), targets[0])
    tree = replace(source_tree(case), lines={})  # nobody has written this case
    image = compile_everything(tree.read(), _BUILD, target)
    interface = interface_of(image, function.sources[0], function.name)
    signature = _with_texts(interface.signature, function)
    return replace(interface, signature=_without_result(signature, function)), target


def _with_texts(signature: Signature, function: OwnFunction) -> Signature:
    """A signature whose texts are declared as such: in DWARF a Str255 is an unsigned char *."""
    found = function_bodies(_texts(function.sources), {function.name})
    heads = [body.head for body in found.values()]

    def completed(parameter: Parameter) -> Parameter:
        wanted = _TEXT.format(name=re.escape(parameter.name))
        found = next(filter(None, (re.search(wanted, head) for head in heads)), None)
        if not parameter.name or found is None:
            return parameter
        return replace(parameter, declaration=f"{found[1]} {parameter.name}")

    return replace(signature, parameters=tuple(map(completed, signature.parameters)))


def _without_result(signature: Signature, function: OwnFunction) -> Signature:
    """A signature without a result that the function declares, or leaves to C, and never sets."""
    body = function_bodies(_texts(function.sources), {function.name}).get(function.name)
    if signature.result_type is None or body is None or body.returns_a_value:
        return signature
    return replace(signature, result="void", result_type=None, returns_struct=False)


def _texts(paths: Sequence[Path]) -> list[str]:
    return [read_file(path).decode("latin-1") for path in paths]


def _case_of(
    interface: FunctionInterface,
    function: OwnFunction,
    place: Path,
    reference: OldReference | None,
) -> tuple[CPrototype, OwnSources]:
    """What a case fills and compares, and how it names its sources."""
    defined = [one for one in interface.globals if one.is_defined]
    others = [
        one
        for one in interface.globals
        if not (one.is_defined or declares_variable(one.declared.name))
    ]
    used = [*defined, *others]
    if reference is not None:  # a global that the old program lacks cannot be filled there
        used = [one for one in used if one.name in reference.places]
    bodies = function_bodies(_texts(function.sources), interface.functions)
    prototype, remarks = prototype_of(interface, used, bodies, is_placed=reference is not None)
    if reference is not None:
        remarks += reference.remarks
        prototype = narrowed(prototype) if reference.int_size < _INT_SIZE else prototype
    own = OwnSources(
        function.names(place),
        tuple(f"{key}: {json.dumps(value)}" for key, value in function.lines(place).items()),
        _globals_text(others, function.sources[0].name),
        remarks,
        () if reference is None else reference.lines,
    )
    return prototype, own


def _globals_text(others: Sequence[UsedGlobal], source: str) -> str:
    """A file that defines globals, as the source before it in the same unit declares them."""
    if not others:
        return ""
    lines = "".join(f"__typeof__({one.declared.name}) {one.declared.name};\n" for one in others)
    return (
        f"/* Globals that {source} declares and another file of its program defines.\n\n"
        "   CHANGE: name that file under sources in case.yaml, in place of this one, if the\n"
        "   routine needs what it gives them. */\n\n"
        f"{lines}"
    )


def require_linking(
    case: Case, function: OwnFunction, interface: FunctionInterface, target: Target
) -> None:
    """Raise an error if something is missing that the function calls.

    Raises:
        UsageError: it calls functions that nothing defines.
        CompileError: it does not link for another reason.
    """
    try:
        provide_for(case, source_tree(case), [target], [_BUILD], use="compiled")
    except CompileError as error:
        words = set(re.findall(r"\w+", str(error)))
        missing = [name for name in interface.missing if name in words]
        if not missing:
            raise
        listed = "; ".join(_where(name, function) for name in missing)
        raise UsageError(
            f"{function.name} calls what neither these sources nor the Toolbox of a case define: "
            f"{listed}. Name the files with it, each with a further --source"
        ) from error


def _where(name: str, function: OwnFunction) -> str:
    """A missing function, and the files beside the sources that seem to define it."""
    folders = dict.fromkeys(path.resolve().parent for path in function.sources)
    files = [
        path
        for folder in folders
        for path in sorted(folder.iterdir())
        if path.suffix in SOURCE_SUFFIXES and path.is_file()
    ]
    found = [path.name for path in files if function_bodies(_texts([path]), {name})]
    return f"{name} (see {', '.join(found)})" if found else name
