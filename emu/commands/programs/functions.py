"""The functions of a program for ``macproof inspect``: chosen, ranked, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from emu.base.errors import UsageError
from emu.base.printable import one_line
from emu.commands.interface.source_options import headers_of_options
from emu.port.likeness import Likeness, OldFunctions, Ranking
from emu.port.source_functions import FORMS, function_named, source_functions
from emu.port.traits import COUNTS
from emu.program.functions.conditions import (
    DataPlace,
    FunctionChoice,
    FunctionCondition,
    access_words,
    choose,
    places_in_data,
)
from emu.program.functions.find_functions import find_functions
from emu.program.functions.model import ProgramFunction, ProgramFunctions
from emu.program.instructions.listing import place_of
from emu.program.read import read_program
from emu.toolchain.mac_c.named_headers import Prefix

SCHEMA = "macproof.functions/1"
_MOST_RANKED = 10
_MOST_TRAITS = 5
_MOST_PLACES = 20
_MOST_NAMES = 8
_COUNTED = ("loops", "branches", "calls of functions", "calls of the Toolbox", "globals")


@dataclass(frozen=True, slots=True)
class SourceFunction:
    """A function of a source that a function of the program is looked for.

    Attributes:
        path: the source.
        name: the function.
        include: further folders with headers.
        prefix: the headers that it begins with.
    """

    path: Path
    name: str
    include: tuple[Path, ...] = ()
    prefix: tuple[Prefix, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionSurvey:
    """What was found out about the functions of a program.

    Attributes:
        functions: all functions.
        choices: those that were chosen, and why.
        data: places outside of functions that hold what was looked for.
        wanted: the function of the source that they are ranked for, or None.
        likenesses: the ranking, the likeliest first.
    """

    functions: ProgramFunctions
    choices: tuple[FunctionChoice, ...]
    data: tuple[DataPlace, ...] = ()
    wanted: ProgramFunction | None = None
    likenesses: tuple[Likeness, ...] = ()


def survey_functions(
    path: Path,
    condition: FunctionCondition,
    like: SourceFunction | None = None,
    architecture: str | None = None,
    resource: str = "",
) -> FunctionSurvey:
    """Find the functions of a program, choose some, and rank them for a function of a source.

    Raises:
        ProgramError: the program cannot be read, or is a fat one and no architecture is given.
        UsageError: the condition or the source names something that is not there.
        ToolMissingError, CompileError: the source cannot be compiled.
    """
    program = read_program(path, architecture=architecture, resource=resource)
    functions = find_functions(program)
    choices = choose(functions, condition)
    data = [place for wanted in condition.find for place in places_in_data(program, wanted)]
    if like is None:
        return FunctionSurvey(functions, tuple(choices), tuple(data))
    forms = source_functions(like.path, program.architecture, like.include, like.prefix)
    wanted = function_named(forms[0], like.name)
    chosen = {choice.function.address for choice in choices}
    ranked = Ranking(forms, OldFunctions(functions)).best(wanted.name, len(functions.functions))
    fitting = (likeness for likeness in ranked if likeness.function.address in chosen)
    return FunctionSurvey(
        functions,
        tuple(choices),
        tuple(data),
        wanted,
        tuple(islice(fitting, _MOST_RANKED)),
    )


def source_function(
    text: str, include: Sequence[Path], prefix: Sequence[str] = ()
) -> SourceFunction:
    """The source and the function that ``--like FILE:FUNCTION`` names.

    Raises:
        UsageError: it names no function, or there is no such prefix header or folder.
    """
    file, colon, name = text.rpartition(":")
    if not colon or not name.isidentifier():
        raise UsageError(f"--like {text}: name a source and a function in it, as in foo.c:Foo")
    prefixes, _ = headers_of_options(prefix, include=include)
    return SourceFunction(Path(file), name, tuple(include), prefixes)


def function_facts(survey: FunctionSurvey) -> Mapping[str, Any]:
    """The survey as the data of its JSON form."""
    functions = survey.functions
    place = functions.program
    facts: dict[str, Any] = {
        "schema": SCHEMA,
        "path": str(place.path),
        "architecture": place.architecture,
        "bytes_of_code": functions.code_bytes,
        "bytes_in_functions": functions.bytes_in_functions,
        "functions": [
            _one_function(functions, choice.function) | {"reasons": list(choice.reasons)}
            for choice in survey.choices
        ],
        "data": [{"place": place_of(place, d.address), "what": d.what} for d in survey.data],
    }
    if survey.wanted is not None:
        facts["like"] = {
            "function": survey.wanted.name,
            "ranking": [
                {
                    "place": likeness.function.place,
                    "name": likeness.function.name,
                    "score": round(likeness.score, 3),
                    "total": round(likeness.total, 3),
                    "shared": [str(trait) for trait in likeness.shared],
                    "neighbours": likeness.neighbours,
                }
                for likeness in survey.likenesses
            ],
        }
    return facts


def _one_function(functions: ProgramFunctions, function: ProgramFunction) -> dict[str, Any]:
    contents = function.contents
    return {
        "place": function.place,
        "name": function.name,
        "size": function.size,
        "kind": function.kind,
        "evidence": list(function.extent.evidence),
        "callers": [functions.by_address[address].place for address in function.callers],
        "callees": _callees(functions, function),
        "toolbox": dict(function.toolbox),
        "imports": dict(function.imports),
        "pointer_calls": contents.pointer_calls,
        "globals": [asdict(use) for use in contents.globals],
        "constants": {str(number): count for number, count in contents.constants.items()},
        "offsets": {str(offset): count for offset, count in contents.offsets.items()},
        "texts": list(contents.texts),
        "frame_size": contents.frame_size,
        "parameters": list(contents.parameters),
        "loops": contents.loops,
        "branches": contents.branches,
        "floating_point": contents.floating_point,
    }


def _callees(functions: ProgramFunctions, function: ProgramFunction) -> dict[str, int]:
    return {
        functions.by_address[address].label: count
        for address, count in function.callees.items()
        if address in functions.by_address
    }


def describe_functions(survey: FunctionSurvey, *, verbose: bool = False) -> Iterator[str]:
    """The survey as lines of text; ``verbose`` lists what is otherwise cut short."""
    functions = survey.functions
    if survey.wanted is not None:
        yield from _ranking_lines(survey)
    else:
        chosen = len(survey.choices)
        count = len(functions.functions)
        yield (
            f"{chosen:,} of {count:,} functions; {functions.bytes_in_functions:,} of "
            f"{functions.code_bytes:,} bytes of code lie in functions"
        )
        for choice in survey.choices:
            yield from _function_lines(functions, choice, verbose)
    if survey.data:
        yield "outside of functions, or between them:"
        shown = survey.data if verbose else survey.data[:_MOST_PLACES]
        for place in shown:
            where = place_of(functions.program, place.address)
            yield f"  {where:16}  {one_line(place.what)}"
        if len(shown) < len(survey.data):
            yield f"  and {len(survey.data) - len(shown):,} more places; --verbose lists them"


def _function_lines(
    functions: ProgramFunctions, choice: FunctionChoice, verbose: bool
) -> Iterator[str]:
    function, contents = choice.function, choice.function.contents
    callers = f"{len(function.callers)} caller{'s' if len(function.callers) != 1 else ''}"
    kind = f", {function.kind}" if function.kind else ""
    yield (
        f"  {function.place:16} {function.size:6,} bytes  {callers}{kind}  "
        f"{one_line(function.name)}".rstrip()
    )
    if choice.reasons:
        yield f"      {one_line('; '.join(choice.reasons))}"
    rows = {
        "calls": [*_callees(functions, function), *function.imports],
        "Toolbox": list(function.toolbox),
        "globals": [f"{use.place} ({access_words(use)})" for use in contents.globals],
    }
    if verbose:
        rows |= {
            "numbers": [f"{number:#x}" for number in contents.constants],
            "offsets": [f"{offset:#x}" for offset in contents.offsets],
            "texts": [f'"{text}"' for text in contents.texts],
        }
        floating = f", {contents.floating_point}" if contents.floating_point else ""
        yield (
            f"      found by {', '.join(function.extent.evidence)}; {contents.loops} loops, "
            f"{contents.branches} branches{floating}"
        )
    for title, names in rows.items():
        if names:
            shown = names if verbose else names[:_MOST_NAMES]
            more = f" and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
            yield f"      {title}: {one_line(', '.join(shown))}{more}"


def _ranking_lines(survey: FunctionSurvey) -> Iterator[str]:
    wanted = survey.wanted
    assert wanted is not None
    program = survey.functions.program
    forms = " and ".join(map(str, FORMS[program.architecture]))
    yield (
        f"{wanted.name}, compiled for comparison ({forms}): {wanted.size} bytes; the likeliest of "
        f"{len(survey.functions.functions):,} functions of {program.path.name}:"
    )
    for rank, likeness in enumerate(survey.likenesses, 1):
        function = likeness.function
        yield (
            f"{rank:4}. {function.place:16} {function.size:6,} bytes  {likeness.score:.2f}  "
            f"{one_line(function.name)}".rstrip()
        )
        yield f"      {one_line('; '.join(_why(wanted, likeness))) or 'its counts are near'}"


def _why(wanted: ProgramFunction, likeness: Likeness) -> Iterator[str]:
    """The reasons for a rank, in words."""
    shared = [str(trait) for trait in likeness.shared[:_MOST_TRAITS]]
    if shared:
        more = len(likeness.shared) - len(shared)
        yield ", ".join(shared) + (f" and {more} more" if more > 0 else "")
    same = [
        f"{name} ({COUNTS[name](wanted):.0f})"
        for name in _COUNTED
        if COUNTS[name](wanted) and COUNTS[name](wanted) == COUNTS[name](likeness.function)
    ]
    if same:
        yield f"as many {', '.join(same)}"
    if likeness.neighbours:
        yield f"{likeness.neighbours} of its neighbours in the source lie around it"
