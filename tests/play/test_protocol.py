"""What the page says is read into typed values, and what it may not say is refused."""

from __future__ import annotations

import json

import pytest

from emu.play.protocol import (
    FindingRequest,
    LogRequest,
    MomentRequest,
    PageInputs,
    PageMessage,
    PauseRequest,
    ProtocolError,
    parse,
)
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.users.inputs import (
    FileDrop,
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ({"do": "move", "h": 3, "v": -4}, PageInputs((MouseMove(Point(-4, 3)),))),
        (
            {"do": "press", "h": 3, "v": 4, "modifiers": ["shift", "command"]},
            PageInputs((MousePress(Point(4, 3), ("command", "shift")),)),
        ),
        ({"do": "key", "key": "a"}, PageInputs((KeyPress("a"), KeyRelease("a")))),
        ({"do": "key_down", "key": "return"}, PageInputs((KeyPress("return"),))),
        ({"do": "held", "keys": ["option"]}, PageInputs((HeldModifiers(("option",)),))),
        ({"do": "file", "name": "a", "data": "aGk="}, PageInputs((FileDrop("a", b"hi"),))),
        ({"do": "file", "name": "e\u0301", "data": ""}, PageInputs((FileDrop("é", b""),))),
        ({"do": "seek", "moment": 12}, MomentRequest(12)),
        ({"do": "stop_at", "finding": 1}, FindingRequest(1)),
        ({"do": "resume"}, PauseRequest(False)),
        ({"do": "log", "on": True, "filter": "Draw"}, LogRequest(True, "Draw")),
    ],
)
def test_what_is_said_is_read(said: object, read: PageMessage) -> None:
    assert parse(json.dumps(said)) == read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "does not say what to do"),
        ('{"do": 1}', "does not say what to do"),
        ('{"do": "dance"}', "called 'dance'"),
        ('{"do": "move", "h": 1}', "move: v is a whole number from -32768 to 32767"),
        ('{"do": "move", "h": 1, "v": 1e9}', "move: v is a whole number"),
        ('{"do": "move", "h": 1, "v": 100000}', "move: v is a whole number"),
        ('{"do": "move", "h": 1, "v": true}', "move: v is a whole number"),
        ('{"do": "press", "h": 1, "v": 1, "modifiers": ["hyper"]}', "modifiers are some of comm"),
        ('{"do": "key", "key": "page up"}', "a Macintosh has no key for 'page up'"),
        ('{"do": "key", "key": "字"}', "a Macintosh has no key for '字'"),
        ('{"do": "file", "name": "a", "data": "?"}', "data is no base64"),
        ('{"do": "seek", "moment": -1}', "moment is a whole number from 0"),
        ('{"do": "expect_text", "text": 3}', "text is a text of at most 10000"),
        ('{"do": "expect_text", "text": ""}', "expect_text: text is empty"),
        (r'{"do": "expect_text", "text": "\ud800"}', r"text has '\\ud800', which a Macintosh does"),
        (
            '{"do": "file", "name": "字", "data": ""}',
            "name has '字', which a Macintosh does",
        ),
        ('{"do": "file", "name": "", "data": ""}', "file: name is empty"),
    ],
)
def test_what_may_not_be_said_is_refused(text: str, words: str) -> None:
    with pytest.raises(ProtocolError, match=words):
        parse(text)
