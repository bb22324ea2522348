"""Who may see a program that is played: the page of this server, with the token."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from emu.base.errors import MacproofError, UsageError
from emu.play.server import PlayServer
from tests.play.play_kit import MENUS, request_for, served


def get(url: str, path: str, **headers: str) -> tuple[int, str, Mapping[str, str]]:
    """Ask the server by HTTP."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=30)
    try:
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, response.read().decode(), dict(response.headers)
    finally:
        connection.close()


def with_server(look: Callable[[str], Any], files: Path | None = None) -> None:
    """Look at a server that is up, from another thread."""

    async def play() -> None:
        server = PlayServer(request_for(MENUS["68000"]), None, files=files)
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        run = asyncio.create_task(server.run(0, ready.set_result))
        try:
            await asyncio.to_thread(look, await ready)
        finally:
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)

    asyncio.run(play())


def test_only_the_printed_address_opens_the_page(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>the page")
    (tmp_path / "page.js").write_text("0")
    (tmp_path / "secret.txt").write_text("no")

    def look(url: str) -> None:
        path = url.partition("127.0.0.1")[2].partition("/")
        path = f"/{path[2]}"
        status, body, headers = get(url, path)
        assert (status, body) == (200, "<p>the page")
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert get(url, "/page.js")[0] == 200
        for wrong in ("/", "/?token=", f"{path}x", "/ws", "/?token=%ff", "/ws?token=1&token=2"):
            status, body, _ = get(url, wrong)
            assert (status, "lacks the token" in body) == (403, True), wrong
        for lost in ("/secret.txt", "/../game.py", "/nothing.js", "/%2e%2e/game.py", "//page.html"):
            assert get(url, lost)[0] == 404, lost

    with_server(look, tmp_path)


def test_a_name_that_leads_here_from_elsewhere_is_refused() -> None:
    """DNS rebinding: a page of another name whose address becomes that of this computer."""

    def look(url: str) -> None:
        path = url[url.index("/?") :]
        port = urlsplit(url).port
        for host in (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil.example"):
            status, body, _ = get(url, path, Host=host)
            assert (status, "127.0.0.1 only" in body) == (403, True), host
        assert get(url, path, Host=f"localhost:{port}")[0] != 403

    with_server(look)


def test_the_socket_takes_the_page_of_this_server_only() -> None:
    async def play() -> None:
        async with served(MENUS["68000"], leaving=30.0) as (page, _, url):
            place = url.replace("http:", "ws:").replace("/?", "/ws?")
            port = urlsplit(url).port
            wrong = [
                (place, "http://evil.example"),
                (place, f"https://127.0.0.1:{port}"),
                (place, "null"),
                (place[:-1], f"http://127.0.0.1:{port}"),
            ]
            for address, origin in wrong:
                with pytest.raises(InvalidStatus) as refused:
                    async with connect(address, origin=origin):  # type: ignore[arg-type]
                        pass
                assert refused.value.response.status_code == 403
            async with connect(place, origin=f"http://127.0.0.1:{port}"):  # type: ignore[arg-type]
                pass  # it is told that another page is open
            await page.do("end")
            await page.socket.wait_closed()

    asyncio.run(play())


def test_a_port_that_is_taken_and_a_program_that_is_none_are_told(tmp_path: Path) -> None:
    async def begin(program: Path, port: int) -> None:
        await PlayServer(request_for(program), None).run(port, lambda url: None)

    def look(url: str) -> None:
        port = urlsplit(url).port
        assert port is not None
        with pytest.raises(UsageError, match=rf"--port {port}: "):
            asyncio.run(begin(MENUS["68000"], port))

    with_server(look)
    (tmp_path / "text").write_text("no program")
    with pytest.raises(MacproofError, match="it is not a Mac file"):
        asyncio.run(begin(tmp_path / "text", 0))
