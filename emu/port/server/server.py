"""Serves a port over stdin and stdout, by the official SDK of the Model Context Protocol.

A call of a tool is answered in a thread, so that the server hears its client meanwhile; guest code
and compilers run in processes of their own. There is one call at a time. One that the client gives
up, or during which it goes away, ends with these processes.
"""

from __future__ import annotations

import base64
import logging
import multiprocessing
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emu import __version__
from emu.base.errors import InternalError, MacproofError, ToolMissingError, UsageError
from emu.base.system.start_method import load_beforehand
from emu.base.yaml_document import did_you_mean
from emu.port.server.tools import TOOLS, PortTool
from emu.report.forms.markdown import to_markdown
from emu.report.json_form import plain
from emu.report.schema import schema_of

if TYPE_CHECKING:
    from mcp import types

_BY_NAME = {tool.name: tool for tool in TOOLS}
_SECONDS = 0.05
_INSTRUCTIONS = (
    "A port of an old Macintosh program to new source, function by function. Edit the sources with "
    "your own tools; verify_function says whether a function does what the old one did."
)


def serve(port: Path) -> None:
    """Serve a port until the client closes stdin.

    Args:
        port: port.yaml, or its folder.

    Raises:
        ToolMissingError: the SDK is not installed.
    """
    try:
        import anyio
        from mcp.server.lowlevel import Server
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise ToolMissingError(
            f"the SDK of the Model Context Protocol cannot be loaded ({error}): "
            "pip install 'macproof[mcp]'"
        ) from error
    load_beforehand("emu.port.server.tools")
    logging.getLogger("mcp").setLevel(logging.ERROR)  # what a client does wrong, it is told
    tools = ServedTools(port)
    server: Server[Any] = Server(
        "macproof",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(run)


class ServedTools:
    """Lists and calls tools as the SDK wants it.

    Args:
        port: port.yaml, or its folder.
    """

    def __init__(self, port: Path) -> None:
        import anyio

        self._port = port
        self._turn = anyio.Lock()

    async def list(self, context: object, request: object) -> types.ListToolsResult:
        """The tools, with the schemas of arguments and answers."""
        from mcp import types

        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def call(
        self, context: object, request: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Call a tool; whatever is wrong is its answer."""
        import anyio
        import anyio.to_thread

        has_begun, is_over = threading.Event(), threading.Event()

        def answer() -> types.CallToolResult:
            has_begun.set()
            try:
                return _answer(self._port, request.name, request.arguments or {})
            finally:
                is_over.set()

        async with self._turn:
            try:
                return await anyio.to_thread.run_sync(answer, abandon_on_cancel=True)
            except anyio.get_cancelled_exc_class():
                with anyio.CancelScope(shield=True):
                    while has_begun.is_set() and not is_over.is_set():
                        for process in multiprocessing.active_children():
                            process.kill()
                        await anyio.sleep(_SECONDS)
                raise


def _described(tool: PortTool) -> types.Tool:
    from mcp import types

    return types.Tool(
        name=tool.name,
        description=tool.about,
        input_schema=_schema_of_arguments(tool),
        output_schema=dict(schema_of(tool.kind, tool.schema)),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.only_reads,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _schema_of_arguments(tool: PortTool) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in tool.parameters.items()},
        "required": list(tool.required),
        "additionalProperties": False,
    }


def _answer(port: Path, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
    """The answer of a tool; an error is one in words."""
    from mcp import types

    try:
        tool = _checked(name, arguments)
        answer = tool(port, arguments)
    except (MacproofError, OSError) as error:
        return _refusal(str(error))
    except BaseException as error:  # our own mistake
        return _refusal(str(InternalError.of(error)))
    document = answer.document
    content: list[Any] = [types.TextContent(text=to_markdown([document]))]
    for picture in answer.pictures:
        data = base64.b64encode(picture.png).decode()
        content.append(types.TextContent(text=f"picture {picture.name}:"))
        content.append(types.ImageContent(data=data, mime_type="image/png"))
    structured = {"schema": document.schema, **plain(document.data)}
    return types.CallToolResult(content=content, structured_content=structured)


def _refusal(text: str) -> types.CallToolResult:
    from mcp import types

    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _checked(name: str, arguments: Mapping[str, Any]) -> PortTool:
    """The tool of a name, for which arguments are right.

    Raises:
        UsageError: there is none, or they are not.
    """
    import jsonschema

    if name not in _BY_NAME:
        raise UsageError(f"there is no tool {name:.60}{did_you_mean(name, _BY_NAME)}")
    tool = _BY_NAME[name]
    validator = jsonschema.Draft202012Validator(_schema_of_arguments(tool))
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(dict(arguments)))
    if wrong is not None:
        place = ".".join(map(str, wrong.absolute_path))
        raise UsageError(f"{name}{f', {place}' if place else ''}: {wrong.message:.200}")
    return tool
