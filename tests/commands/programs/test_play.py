"""What ``macproof play`` serves, and whom it tells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.cli import main
from emu.runner.runner import RunRequest
from tests.processes import wait_until

ADDRESS = "http://127.0.0.1:9/?token=x"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were opened in a browser."""
    addresses: list[str] = []

    def open_in_browser(address: str) -> bool:
        addresses.append(address)
        return False

    monkeypatch.setattr("webbrowser.open", open_in_browser)
    return addresses


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was served."""
    served: list[tuple[Any, ...]] = []

    def serve(
        request: RunRequest, other: RunRequest | None, port: int, on_ready: Callable[[str], None]
    ) -> None:
        served.append((request, other, port))
        on_ready(ADDRESS)

    monkeypatch.setattr("emu.commands.programs.play.serve_game", serve)
    return served


def test_the_browser_is_opened_with_the_address_that_is_printed(
    opened: list[str], games: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "x"]) == 0
    wait_until(lambda: opened == [ADDRESS], "the browser is opened", 30)
    assert capsys.readouterr().out.splitlines()[0] == ADDRESS
    ((request, other, port),) = games
    assert (request.program, other, port) == (Path("x"), None, 0)
    assert request.settings.timeout == float("inf")


def test_no_browser_is_opened_if_none_is_wanted(
    opened: list[str], games: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["play", "x", "--no-browser", "--quiet", "--machine", "plus", "--port", "8123"]
    assert main([*words, "--against", "y", "--against-cpu", "601"]) == 0
    assert opened == []
    assert capsys.readouterr().out == f"{ADDRESS}\n"
    ((request, other, port),) = games
    assert (request.cpu, request.settings.screen, port) == ("68000", (512, 342), 8123)
    assert (other.program, other.cpu) == (Path("y"), "601")
