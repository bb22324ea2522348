"""What a program leaves is bounded, and nothing in it is obeyed by a terminal."""

from __future__ import annotations

import pytest

from emu.toolbox.calls import call_log
from emu.toolbox.calls.call_log import LogFullError
from emu.toolbox.computer.outputs import MOST_PICTURES, Outputs
from emu.toolbox.computer.settings import Settings
from tests.toolbox.conftest import do, make_mac


def test_pictures_beyond_the_limit_are_only_counted() -> None:
    outputs = Outputs()
    for _ in range(MOST_PICTURES + 5):
        outputs.keep_picture("window", b"", numbered=True)
    assert len(outputs.pictures) == MOST_PICTURES
    assert outputs.left_out == 5
    assert outputs.pictures[1].name == "2-window"


def test_window_text_is_bounded() -> None:
    outputs = Outputs()
    for _ in range(40):
        outputs.keep_window("title", "x" * (1 << 20))
    assert len(outputs.windows) == 16


def test_a_window_is_kept_with_its_picture() -> None:
    outputs = Outputs()
    outputs.keep_window("My Window!", "words", b"a picture")
    outputs.keep_window("", "", b"another")
    outputs.keep_window("Invisible", "")
    outputs.keep_window("Hidden", "text")
    assert [(one.title, one.text) for one in outputs.windows] == [
        ("My Window!", "words"),
        ("", ""),
        ("Hidden", "text"),
    ]
    pictures = [one.picture for one in outputs.windows]
    assert pictures == [*outputs.pictures, None]
    assert [one.name for one in outputs.pictures] == ["1-my-window", "2-window"]


def test_a_log_that_is_full_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_log, "MOST_CALLS", 3)
    mac = make_mac(settings=Settings(keep_log=True))
    for _ in range(3):
        do(mac, "TickCount")
    with pytest.raises(LogFullError, match="3 calls"):
        do(mac, "TickCount")


def test_a_string_with_a_line_end_stays_on_its_line_of_the_log() -> None:
    mac = make_mac(settings=Settings(keep_log=True))
    text = mac.memory.new_pointer(16)
    mac.guest.put_pascal_string(text, b"one\rtwo")
    do(mac, "InitGraf", mac.memory.new_pointer(256) + 200)
    do(mac, "InitWindows")
    do(mac, "StringWidth", text)
    assert mac.log is not None
    assert str(mac.log.calls[-1]).startswith('StringWidth ("one\\x0dtwo")')


def test_variables_of_a_call_that_failed_are_not_in_the_log() -> None:
    """What is in them may differ between processors: GetScrap leaves its offset alone."""
    mac = make_mac("68040", settings=Settings(keep_log=True))
    assert mac.log is not None
    offset = mac.memory.new_pointer(4)
    mac.guest.put32(offset, 128)
    do(mac, "GetScrap", 0, "PICT", offset)
    assert str(mac.log.calls[-1]) == "GetScrap (nil, 'PICT') = -102"
    do(mac, "PutScrap", 4, "TEXT", offset)
    do(mac, "GetScrap", 0, "TEXT", offset)
    assert str(mac.log.calls[-1]).startswith("GetScrap (nil, 'TEXT') = 4, offset ")
    name, reference = mac.memory.new_pointer(256), mac.memory.new_pointer(2)
    mac.guest.put_pascal_string(name, b"nowhere")
    do(mac, "FSOpen", name, 0, reference)
    assert str(mac.log.calls[-1]) == 'FSOpen ("nowhere", 0) = -43'
