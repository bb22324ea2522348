"""Reads and checks a case file."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from emu.base.errors import CaseError
from emu.base.yaml_document import YamlDocument, YamlPath
from emu.cases.case import DEFAULT_SCENES, GIVEN, Case, Opponent
from emu.cases.change_marks import change_marks
from emu.cases.keys.arguments import (
    Argument,
    Phrase,
    Pointer,
    addresses_in,
    arguments_of,
    calls_of,
    further_types_of,
    is_pointer,
    phrase_at,
    pointer_of,
)
from emu.cases.keys.compiling import cflags_of, headers_of, include_of, prefixes_of
from emu.cases.keys.declarations import declarations_of
from emu.cases.keys.parts import IgnoredVariable, InitialValue, ObservedVariable
from emu.cases.keys.references import (
    OtherProgram,
    Routine,
    digests_of,
    places_in,
    places_of,
    reference_words,
    require_places,
    routine_of,
)
from emu.cases.keys.sections import (
    cpus_of,
    extra_builds,
    extra_of,
    lines_of,
    load_functions,
    members_of,
    more_objects,
    picture_of,
    prebuilt_of,
    program_of,
    proof_of,
    timing_of,
    units_of,
)
from emu.cases.keys.toolbox_state import (
    TOOLBOX,
    compared_parts,
    environment_of,
    is_in,
    observed_state,
)
from emu.toolchain.builds import BUILDS, Build
from emu.toolchain.compiler_choice import compilers_of
from emu.toolchain.known_documents import check_once

_OF_A_REFERENCE = {"reference", "bulk_reference", "specification"}
_fitting: set[str] = set()  # SHA-256 of texts that fit the schema: cases are read several times


def _checked_document(path: Path, fitting: str) -> YamlDocument:
    """A case file that fits the schema.

    Raises:
        CaseError: it does not.
    """
    document = YamlDocument(path)
    if document.sha256 not in {fitting, *_fitting}:
        check_once(document, "emu.cases:case.schema.json")
    _fitting.add(document.sha256)
    if not {"call", "calls"} & document.data.keys():
        raise document.error((), "the key call is missing (or calls, for several calls in a row)")
    if not {"input", "arguments", "calls"} & document.data.keys():
        raise document.error(
            (), "the key arguments is missing (or input, for a routine that reads globals)"
        )
    return document


def read_case(path: Path, *, fitting: str = "", against: Opponent | None = None) -> Case:
    """Read and check a case file.

    Args:
        path: the file.
        fitting: the SHA-256 of a text that another process has checked against the schema already,
            so that it is not checked again.
        against: a program of the case that says what is right in place of its reference.

    Raises:
        CaseError: the file is wrong, or observes something that no program can tell. The message
            names the line, and suggests the right spelling of a misspelled word.
    """
    with _files_told(path):
        document = _checked_document(path, fitting)
        python = load_functions(document)
        return (
            _case_of(document, python) if against is None else _against(document, python, against)
        )


def read_outline(path: Path) -> Case:
    """Read a case file without importing its Python.

    To import a module is to execute it. Therefore this is for files that the user has not named, as
    in a list of all cases. The functions that the case names may be missing.

    Raises:
        CaseError: as of `read_case`.
    """
    with _files_told(path):
        return _case_of(_checked_document(path, ""), {})


@contextlib.contextmanager
def _files_told(path: Path) -> Iterator[None]:
    """Tell that a file which a case names is none that a system can have, such as a long name."""
    try:
        yield
    except OSError as error:
        raise CaseError(path, f"a file that it names cannot be used: {error.strerror}") from error


def _against(document: YamlDocument, python: Mapping[str, str], opponent: Opponent) -> Case:
    """The case of a document, of which one program says what is right for the others."""
    written = document.data
    data = {key: value for key, value in written.items() if key not in _OF_A_REFERENCE}
    data["scene"] = {k: value for k, value in written["scene"].items() if k != "bulk_make"}
    data["observe"] = places_in(document)
    asked = copy.copy(document)
    asked.data = data
    case = _case_of(asked, python)
    declared = declarations_of(document, (), {name: name for name in case.called})
    words = f"{', '.join(case.called)} of the program {opponent.name}"
    kept = compared_parts(data["observe"], written.get("ignore", ()), is_all=True)
    return replace(
        case,
        routine=OtherProgram(opponent.program, declared, words, opponent.cpu),
        reference=words,
        against=opponent,
        toolbox_state=kept,
        lines={**case.lines, "reference:": document.line(("reference",))},
    )


def _case_of(document: YamlDocument, python: Mapping[str, str]) -> Case:
    """The case of a document; ``python`` has the digests of its Python files."""
    data = document.data
    units = units_of(document)
    scene = data["scene"]
    calls, arguments = calls_of(document), arguments_of(document)
    called = list(dict.fromkeys(call.routine for call in calls)) or [data["call"]]
    pointers = _pointers_of(document)
    addresses = _addresses_of(arguments, *(call.arguments for call in calls), *pointers.values())
    routine = routine_of(document, called, [*called, *addresses])
    case = Case(
        path=document.path.resolve(),
        name=data["name"],
        title=data["title"],
        credit=data.get("credit", ""),
        units=units,
        call=called[0],
        calls=calls,
        make=scene["make"],
        generators=tuple(scene["generators"]),
        objects=tuple(scene["objects"]),
        width=scene.get("width", 640),
        height=scene.get("height", 480),
        inputs=_inputs_of(document),
        pointers=pointers,
        arguments=arguments,
        further=further_types_of(document),
        before=tuple(data.get("before", ())),
        ignored=_ignored_of(document),
        toolbox=dict(data.get("toolbox", {})),
        environment=environment_of(data.get("environment", {})),
        toolbox_state=compared_parts(
            data["observe"], data.get("ignore", ()), is_all=isinstance(routine, OtherProgram)
        ),
        keeps_blocks=_keeps_blocks(data, routine),
        observed=tuple(_observed(document)),
        reference=reference_words(document, routine),
        bulk_reference=data.get("bulk_reference", ""),
        bulk_make=scene.get("bulk_make", ""),
        specification=data.get("specification", ""),
        program=program_of(document, [*called, *data.get("before", ()), *addresses]),
        declared=declarations_of(document, (), {name: name for name in called}),
        routine=routine,
        lines=lines_of(document),
        marks=change_marks(document.text),
        sha256=document.sha256,
        python={**python, **digests_of(routine, document.path.parent)},
    )
    return _with_programs(case, document)


def _addresses_of(*given: Mapping[str, Argument | None]) -> list[str]:
    """The functions and variables whose addresses are given."""
    return [name for each in given for value in each.values() for name in addresses_in(value)]


def _inputs_of(document: YamlDocument) -> dict[str, dict[str, Phrase]]:
    """What fills each variable, or each member of it, with values."""
    by_variable = {
        variable: {
            member: _filler_at(document, ("input", variable), name)
            for member, name in members_of(what).items()
            if not is_pointer(name)
        }
        for variable, what in document.data.get("input", {}).items()
        if not is_pointer(what)
    }
    return {variable: members for variable, members in by_variable.items() if members}


def _filler_at(document: YamlDocument, place: YamlPath, written: Any) -> Phrase:
    """What fills a variable, or a member of it, with values: a phrase, and no keys of a pointer."""
    if not isinstance(written, str):
        words = ", ".join(map(str, written)) if isinstance(written, Mapping) else str(written)
        raise document.error(
            place,
            f"{words}: what fills a member is the name of an attribute, or "
            "has points_to or handle_to",
        )
    return phrase_at(document, place, written)


def _pointers_of(document: YamlDocument) -> dict[str, dict[str, Pointer]]:
    """The variables, or members of them, that point to memory of their own."""
    by_variable = {
        variable: {
            member: pointer_of(document, ("input", variable), written)
            for member, written in ({"": what} if is_pointer(what) else members_of(what)).items()
            if is_pointer(written)
        }
        for variable, what in document.data.get("input", {}).items()
    }
    return {variable: members for variable, members in by_variable.items() if members}


def _with_programs(case: Case, document: YamlDocument) -> Case:
    """The case with what its file says of programs, and all that is no input or answer."""
    data = document.data
    if case.program is not None:
        builds = {GIVEN: Build(GIVEN, ())}
    else:
        builds = {
            **BUILDS,
            **extra_builds(document, ("extra_builds",), data.get("extra_builds", {})),
        }
    return replace(
        case,
        builds=builds,
        picture=picture_of(document, data["picture"]) if "picture" in data else None,
        cpus=cpus_of(document, case.program),
        scene_count=data["scene"].get("count", DEFAULT_SCENES),
        also=more_objects(document),
        proof=proof_of(document),
        timing=timing_of(document, builds) if "timing" in data else None,
        script=data.get("script", ""),
        repeat=data.get("repeat", ""),
        suppressed=tuple(data.get("suppress", ())),
        stack=data.get("stack", 0),
        budget=data.get("budget", 0),
        prebuilt=prebuilt_of(document, builds),
        not_run=dict(data.get("not_run", {})),
        extra=extra_of(document),
        defines=tuple(data.get("define", ())),
        include=include_of(document),
        cflags=cflags_of(document),
        prefix=prefixes_of(document),
        headers=headers_of(document),
        compilers=compilers_of(document, ("compilers",), data.get("compilers", {})),
    )


def _observed(document: YamlDocument) -> list[ObservedVariable]:
    """Read what is compared with the reference."""
    written = document.data["observe"]
    if isinstance(written, list):
        return places_of(document)
    require_places(document)
    return [
        ObservedVariable(variable, member, phrase_at(document, ("observe", variable), name))
        for variable, what in written.items()
        if variable != TOOLBOX
        for member, name in members_of(what).items()
    ] + observed_state(written.get(TOOLBOX))


def _ignored_of(document: YamlDocument) -> tuple[IgnoredVariable, ...]:
    """What is ignored: a list of names, or what each begins with by its name.

    Raises:
        CaseError: what an argument points to is to begin as loaded, or is observed, too.
    """
    given = document.data.get("ignore", ())
    how = given if isinstance(given, Mapping) else {}
    ignored = []
    for place, name in enumerate(given):
        if name.split(".")[0] == TOOLBOX:
            continue
        points = name.startswith("*")
        begins = InitialValue(how.get(name, InitialValue.SCRATCH if points else InitialValue.KEPT))
        at = ("ignore", name if how else place)
        if points and begins is not InitialValue.SCRATCH:
            remedy = "Write scratch, and let the scene give what it begins with."
            problem = f"{name} is memory of the caller, never {begins}"
            raise document.error(at, problem, remedy)
        if points and name in document.data["observe"]:
            raise document.error(at, f"{name} is observed, so it cannot be ignored")
        ignored.append(IgnoredVariable(name, begins))
    return tuple(ignored)


def _keeps_blocks(data: Mapping[str, Any], routine: Routine | None) -> bool:
    """Whether a block that the case gives may be disposed of only where a reference does so, too.

    A reference in Python says how many blocks there are: ``heap.blocks``.
    """
    if is_in("heap", data.get("ignore", ())):
        return False
    observed = data["observe"]
    state = observed.get(TOOLBOX) if routine is None and isinstance(observed, Mapping) else None
    return not (isinstance(state, Mapping) and state.get("heap.blocks"))
