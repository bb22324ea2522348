"""A client of the SDK talks to the server of a port, which is a process of its own."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from emu.port.server.tools import TOOLS
from tests.gallery.old_game import FOLDER
from tests.port.verify.old_game_port import recorded_port

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
anyio = pytest.importorskip("anyio")

ROOT = Path(__file__).parents[3]
SERVER = ("-m", "macproof", "port", "mcp")
LOOK = (
    "schema: macproof.script/1\nsteps:\n  - wait: {window: Turncoat}\n  - picture: start\n"
    "  - key: q\n    modifiers: [command]\n"
)

Step = tuple[str, dict[str, Any]] | Callable[[], None]


@pytest.fixture
def port(tmp_path: Path) -> Path:
    shutil.copytree(FOLDER, tmp_path / "old-game")
    return tmp_path / "old-game" / "port"


def ask(port: Path, *steps: Step, words: Sequence[str] = ()) -> list[Any]:
    """Start a server; call tools one after the other, or do something in between."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    answers: list[Any] = []

    async def talk() -> None:
        started = [*(words or (*SERVER, str(port)))]
        transport = stdio_client(
            StdioServerParameters(command=sys.executable, args=started, cwd=port.parent)
        )
        async with mcp.Client(transport) as client:
            listed = (await client.list_tools()).tools
            schemas = {tool.name: tool.output_schema for tool in listed}
            for step in steps:
                if callable(step):
                    step()
                    continue
                answer = await client.call_tool(*step)
                if not answer.is_error:
                    jsonschema.Draft202012Validator(schemas[step[0]]).validate(
                        answer.structured_content
                    )
                answers.append(answer)

    anyio.run(talk)
    return answers


def text(answer: Any) -> str:
    return "\n".join(part.text for part in answer.content if part.type == "text")


def test_functions_are_listed_and_shown_beside_their_source(port: Path) -> None:
    listed, few, shown = ask(
        port,
        ("list_functions", {"states": ["inconclusive"]}),
        ("list_functions", {"most": 2}),
        ("show_function", {"function": "Worth"}),
    )
    functions = listed.structured_content["functions"]
    assert len(functions) == 39
    assert {one["state"] for one in functions} == {"inconclusive"}
    assert "Worth" in text(listed)
    assert len(few.structured_content["functions"]) == 2
    assert "more functions are left out" in text(few)
    page = shown.structured_content
    assert page["function"]["new_name"] == "Worth"
    assert page["file"] == "machine.c"
    assert "board" in "".join(page["instructions"])
    assert "Disc sum = 0" in "".join(page["source"])


def test_a_script_gives_pictures(port: Path) -> None:
    (answer,) = ask(port, ("run_script", {"steps": LOOK}))
    run = answer.structured_content
    assert run["completed"], run["problem"]
    pictures = [part for part in answer.content if part.type == "image"]
    assert {part.mime_type for part in pictures} == {"image/png"}
    assert len(pictures) == len(run["pictures"])
    assert all(base64.b64decode(part.data).startswith(b"\x89PNG") for part in pictures)
    assert "picture start:" in text(answer)


def test_what_is_wrong_is_told_in_a_sentence_and_the_server_goes_on(port: Path) -> None:
    wrong: dict[tuple[str, str], str] = {
        ("show_function", '{"function": "Wroth"}'): "it has no function Wroth; did you mean Worth?",
        ("show_function", "{}"): "show_function: 'function' is a required property",
        ("show_function", '{"function": 7}'): "show_function, function: 7 is not of type 'string'",
        ("show_function", '{"function": "Worth", "x": 1}'): "'x' was unexpected",
        ("verify_function", '{"function": "Worth", "vary": -1}'): "-1 is less than the minimum",
        ("explain_function", '{"function": "Worth", "call": 0}'): "0 is less than the minimum",
        ("list_functions", '{"states": ["lost"]}'): "'lost' is not one of",
        ("run_script", "{}"): "it names no script ''; its scripts are: play.yaml",
        ("run_script", '{"script": "../../x"}'): "it names no script '../../x'",
        ("run_script", '{"steps": "steps: ["}'): "script.yaml, line 1:",
        ("record_calls", '{"script": "none.yaml"}'): "it names no script 'none.yaml'",
        ("show_functions", "{}"): "there is no tool show_functions; did you mean show_function?",
    }
    calls = [(name, json.loads(arguments)) for name, arguments in wrong]
    *answers, last = ask(port, *calls, ("show_function", {"function": "Worth"}))
    for (call, words), answer in zip(wrong.items(), answers, strict=True):
        assert answer.is_error, call
        assert words in text(answer)
        assert "Traceback" not in text(answer)
        assert "\n" not in text(answer)
    assert not last.is_error


def test_a_port_that_was_damaged_meanwhile_is_told(port: Path) -> None:
    def damage() -> None:
        (port / "port.yaml").write_text("schema: macproof.port/1\n")

    (answer,) = ask(port, damage, ("list_functions", {}))
    assert answer.is_error
    assert "port.yaml" in text(answer)


def test_functions_are_verified_as_they_are_edited(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    port = recorded_port(tmp_path / "old-game", ["Place", "CountDiscs"], 4)
    source = port / "rules.c"
    right = source.read_text()
    start = "    const Disc* square = board[0];\n    short count = 0;\n"
    assert start in right

    def edited(before: str) -> Callable[[], None]:
        return lambda: [source.write_text(right.replace(start, before + start)), None][1]

    count = ("verify_function", {"function": "CountDiscs"})
    why = ("explain_function", {"function": "CountDiscs"})
    first, nothing, late, explained, wild, broken, last, listed = ask(
        port,
        count,
        why,
        edited("    board[0][0] = 3;\n"),
        ("explain_function", {"function": "CountDiscs", "call": 2}),
        why,
        edited("    ((void (*)(void))0x0badf00c)();\n"),
        count,
        edited("    oops\n"),
        count,
        edited(""),
        count,
        ("list_functions", {"states": ["verified"]}),
    )
    verdicts = [
        answer.structured_content["functions"][0]["verdict"] for answer in (first, wild, last)
    ]
    assert verdicts == ["verified", "refuted", "verified"]
    assert "CountDiscs: call 1:" in text(wild)
    assert nothing.is_error
    assert "nothing to explain of CountDiscs: 4 recorded calls leave the same" in text(nothing)
    assert late.structured_content["call"] == 2
    because = explained.structured_content
    assert (because["call"], because["kind"]) == (1, "further store")
    assert because["line"].startswith("rules.c:")
    assert "board[0][0]" in " ".join(because["first"])
    assert f"macproof port verify {port / 'port.yaml'} --function CountDiscs --call 1" in text(
        explained
    )
    assert broken.is_error
    assert "rules.c" in text(broken)
    assert "oops" in text(broken)
    assert [one["new_name"] for one in listed.structured_content["functions"]] == ["CountDiscs"]


def test_a_client_that_goes_away_does_not_keep_the_server(port: Path) -> None:
    asked = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {
            "id": 2,
            "method": "tools/call",
            "params": {"name": "run_script", "arguments": {"script": "play.yaml"}},
        },
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    done = subprocess.run(
        [sys.executable, *SERVER, str(port)],
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "macproof"
    assert "Traceback" not in done.stderr


def test_a_client_is_told_of_it_as_the_documentation_says(port: Path) -> None:
    page = (ROOT / "docs" / "port.md").read_text()
    (block,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    (server,) = json.loads(block)["mcpServers"].values()
    assert server["command"] == "macproof"
    port.rename(port.with_name("turncoat"))
    words = ["-m", "macproof", *server["args"]]
    (answer,) = ask(port, ("list_functions", {"most": 1}), words=words)
    assert not answer.is_error
    assert all(f"`{tool.name}`" in page for tool in TOOLS)


def test_without_the_sdk_it_says_what_to_install(
    port: Path, macproof: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    outcome = macproof("port", "mcp", port)
    assert outcome.code == 3
    assert "pip install 'macproof[mcp]'" in outcome.err
