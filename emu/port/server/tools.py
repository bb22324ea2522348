"""What a program that drives a port can ask for: each tool gives a document, as a command does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from emu.base.errors import UsageError
from emu.base.temporary import temporary_folder
from emu.port.explain.documents import EXPLAIN_SCHEMA, explanation_document
from emu.port.explain.explanation import PortExplanation
from emu.port.explain.request import ExplainTerms, explain_port
from emu.port.project.project import Project, read_project
from emu.port.status.documents import functions_document
from emu.port.status.listing import disassembly, named_program
from emu.port.status.table import SCHEMA as STATUS_SCHEMA
from emu.port.status.table import STATES, PortedFunction, PortStatus, find_row, survey_port
from emu.port.verify.documents import (
    RECORD_SCHEMA,
    VERIFY_SCHEMA,
    PortVerifyReport,
    RecordReport,
    record_document,
    verify_document,
)
from emu.port.verify.judgement import verify_port
from emu.port.verify.record import RecordLimits, record_port
from emu.port.verify.terms import VaryTerms, VerifyTerms
from emu.report.document import Document, Points, Section, Table
from emu.runner.document import PICTURES, run_document
from emu.runner.report import SCHEMA as RUN_SCHEMA
from emu.runner.report import RunReport
from emu.runner.runner import run_program
from emu.toolbox.computer.outputs import ScreenPicture
from emu.toolchain.builds import BUILDS

FUNCTION_SCHEMA = "macproof.port-function/1"
_MOST_FUNCTIONS = 200
_MOST_PICTURES = 4
_MOST_CALLS = 100_000

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FunctionPage:
    """A function of the old program beside its new source.

    Attributes:
        function: its facts, its state and its verdict.
        instructions: its old code, a line each: the place, the instruction.
        file: the file of the new source, relative to port.yaml; "" without one.
        line: the line there with which the source begins; 0 without one.
        source: the lines of the new source.
    """

    function: PortedFunction
    instructions: tuple[str, ...]
    file: str
    line: int
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool has to say.

    Attributes:
        document: it, for programs and for people.
        pictures: pictures that belong to it.
    """

    document: Document
    pictures: tuple[ScreenPicture, ...] = ()


@dataclass(frozen=True, slots=True)
class PortTool:
    """A tool.

    Attributes:
        name: its name.
        about: what it does, for the program that chooses.
        parameters: the JSON Schema of each argument.
        required: the arguments that must be given.
        kind: the dataclass of its answer.
        schema: the name of the answer's schema.
        answer: makes the answer.
        only_reads: whether it leaves all files as they are.
    """

    name: str
    about: str
    parameters: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...]
    kind: type
    schema: str
    answer: Callable[[Project, Arguments], ToolAnswer]
    only_reads: bool = True

    def __call__(self, port: Path, arguments: Arguments) -> ToolAnswer:
        """Answer.

        Args:
            port: port.yaml, or its folder; it is read each time.
            arguments: such as `parameters` allow.

        Raises:
            MacproofError: as of the command that does the same.
        """
        return self.answer(read_project(port), arguments)


def _functions(project: Project, arguments: Arguments) -> ToolAnswer:
    survey = survey_port(project)
    states, most = arguments.get("states") or STATES, arguments.get("most", _MOST_FUNCTIONS)
    chosen = [row for row in survey.status.functions if row.state in states]
    document = functions_document(survey)
    left = len(chosen) - most
    data = replace(survey.status, functions=chosen[:most])
    notes = (f"{left:,} more functions are left out; ask for other states.",) if left > 0 else ()
    columns = ("place", "function", "state", "bytes")
    rows = [(row.place, row.label, row.state, f"{row.size:,}") for row in data.functions]
    parts = (Table(columns, tuple(rows), words=3), *notes) if rows else ("None.",)
    following = Points(tuple(survey.status.next)) if survey.status.next else "Nothing."
    sections = (Section("Functions", parts), Section("What to port next", (following,)))
    return ToolAnswer(replace(document, sections=sections, data=data))


def _function(project: Project, arguments: Arguments) -> ToolAnswer:
    survey = survey_port(project)
    row = find_row(survey.status, arguments["function"])
    old = {one.place: one for one in survey.functions.functions}[row.place]
    excerpt = survey.excerpts.get(row.place)
    page = FunctionPage(
        row,
        tuple(disassembly(named_program(survey), old)),
        row.file,
        row.line,
        excerpt.lines if excerpt is not None else (),
    )
    document = functions_document(survey, [row.place])
    return ToolAnswer(replace(document, data=page, schema=FUNCTION_SCHEMA))


def _varied(arguments: Arguments) -> VaryTerms | None:
    return VaryTerms(arguments["vary"]) if "vary" in arguments else None


def _verify(project: Project, arguments: Arguments) -> ToolAnswer:
    terms = VerifyTerms(
        arguments.get("build", "O2"),
        _varied(arguments),
        arguments.get("together", False),
        jobs=0,
    )
    report = verify_port(project, [arguments["function"]], terms)
    return ToolAnswer(verify_document(report))


def _explain(project: Project, arguments: Arguments) -> ToolAnswer:
    terms = ExplainTerms(
        arguments.get("build", "O2"),
        arguments.get("call", 0),
        _varied(arguments),
        project.path,
    )
    name = arguments["function"]
    outcome = explain_port(project, name, terms)
    if outcome.explanation is None:
        raise UsageError(f"{project.path}: nothing to explain of {name}: {outcome.remark}")
    return ToolAnswer(explanation_document(outcome.explanation))


def _record(project: Project, arguments: Arguments) -> ToolAnswer:
    limits = RecordLimits(arguments.get("calls", RecordLimits().calls))
    (report,) = record_port(project, [_named_script(project, arguments["script"])], limits)
    return ToolAnswer(record_document(report))


def _run(project: Project, arguments: Arguments) -> ToolAnswer:
    with temporary_folder() as folder:
        if "steps" in arguments:
            script = folder / "script.yaml"
            script.write_text(arguments["steps"])
        else:
            script = _named_script(project, arguments.get("script", ""))
        result = run_program(project.original, cpu=project.cpu, script=script)
    document = run_document(result)
    sections = tuple(one for one in document.sections if one.title != PICTURES)
    return ToolAnswer(
        replace(document, sections=sections), tuple(result.pictures[-_MOST_PICTURES:])
    )


def _named_script(project: Project, name: str) -> Path:
    """A script of the port by its name.

    Raises:
        UsageError: port.yaml names none like that.
    """
    names = {path.name: path for path in project.scripts}
    if name not in names:
        known = ", ".join(names) or "none"
        raise UsageError(f"{project.path}: it names no script {name!r}; its scripts are: {known}")
    return names[name]


_FUNCTION = {
    "type": "string",
    "description": 'its name in the new or the old program, or its place, such as "CODE 1+0x4da"',
}
_BUILD = {"enum": list(BUILDS), "description": "how it is compiled; O2 if left out"}
_SCRIPT = {
    "type": "string",
    "description": "a script of port.yaml, by the name of its file, such as play.yaml",
}

TOOLS = (
    PortTool(
        "list_functions",
        "List the functions of the old program with the state of each in the port, and say which "
        "to port next.",
        {
            "states": {
                "type": "array",
                "items": {"enum": list(STATES)},
                "description": "only functions with these states",
            },
            "most": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MOST_CALLS,
                "description": f"how many at most; {_MOST_FUNCTIONS} if left out",
            },
        },
        (),
        PortStatus,
        STATUS_SCHEMA,
        _functions,
    ),
    PortTool(
        "show_function",
        "Show the instructions of a function of the old program, with globals, Toolbox routines "
        "and callees by name, beside its new source, and its last verdict.",
        {"function": _FUNCTION},
        ("function",),
        FunctionPage,
        FUNCTION_SCHEMA,
        _function,
    ),
    PortTool(
        "verify_function",
        "Compile the port, make each recorded call of a function on the old and on the new one, "
        "and compare all that they leave. A refuted function is explained by its first "
        "difference, in words of the new source. The verdict is kept.",
        {
            "function": _FUNCTION,
            "vary": {
                "type": "integer",
                "minimum": 0,
                "maximum": _MOST_CALLS,
                "description": "compare so many changed calls, too, and name the blocks of the old "
                "function that no call reaches; 0 only names the blocks",
            },
            "together": {
                "type": "boolean",
                "description": "whether what it calls is new, too; else it is old",
            },
            "build": _BUILD,
        },
        ("function",),
        PortVerifyReport,
        VERIFY_SCHEMA,
        _verify,
        only_reads=False,
    ),
    PortTool(
        "explain_function",
        "Explain a refuted function: the arguments of the call, what the new one does differently "
        "first and at which line, the old instructions there, and how often the call came to each "
        "line of the new source. If nothing differs, the answer is an error that says so.",
        {
            "function": _FUNCTION,
            "call": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MOST_CALLS,
                "description": "the number of a recorded call; the first that differs if left out",
            },
            "vary": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MOST_CALLS,
                "description": "if no recorded call differs, look among so many changed ones",
            },
            "build": _BUILD,
        },
        ("function",),
        PortExplanation,
        EXPLAIN_SCHEMA,
        _explain,
    ),
    PortTool(
        "record_calls",
        "Run the old program with a script, and keep calls of the port's functions, on which they "
        "are verified. Those of an earlier run of the same script go.",
        {
            "script": _SCRIPT,
            "calls": {
                "type": "integer",
                "minimum": 1,
                "maximum": _MOST_CALLS,
                "description": f"how many of each function; {RecordLimits().calls} if left out",
            },
        },
        ("script",),
        RecordReport,
        RECORD_SCHEMA,
        _record,
        only_reads=False,
    ),
    PortTool(
        "run_script",
        "Run the old program with a script, and see its windows and screen as pictures, the text "
        f"that it drew, and how it ended. The last {_MOST_PICTURES} pictures are given.",
        {
            "script": _SCRIPT,
            "steps": {
                "type": "string",
                "description": "a script in place of one of port.yaml, as YAML: "
                "'schema: macproof.script/1', then 'steps:' with steps such as "
                "'- click: {window: [92, 68]}', '- menu: [File, Open]', '- picture: name'",
            },
        },
        (),
        RunReport,
        RUN_SCHEMA,
        _run,
    ),
)
"""The tools, in the order in which a port needs them."""
