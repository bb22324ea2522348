"""A real browser without a window, told what to do by Chromium's DevTools protocol on pipes."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SECONDS = 120.0  # within which an answer comes, however busy the machine is
_KEYS = {
    "Tab": 9, "Enter": 13, "Shift": 16, "Control": 17, "Alt": 18, "Escape": 27, "End": 35,
    "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "F2": 113,
}  # fmt: skip
_MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
_START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_browser() -> str | None:
    """The program, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """A browser with one page."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._read = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setFocusEmulationEnabled", enabled=True)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command; its result."""
        number = self._send(method, params)
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def _send(self, method: str, params: dict[str, Any]) -> int:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        return self._number

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + _SECONDS
        while b"\0" not in self._read:
            ready, _, _ = select.select([self._back], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._back, 1 << 20)
            assert more, "the browser has ended"
            self._read += more
        line, _, self._read = self._read.partition(b"\0")
        message = json.loads(line)
        if "method" in message:
            self.events.append(message)
        if message.get("method") == "Page.javascriptDialogOpening":
            self._send("Page.handleJavaScriptDialog", {"accept": True})
        return message

    def show(
        self, page: Path | str, width: int, height: int, *, dark: bool = False, scale: float = 1
    ) -> None:
        """Open a file or an address in a window of a size, and wait until it is there.

        A page that asks whether it may be left is left.

        ``scale`` is how many pixels of the screen a CSS pixel has on each side.
        """
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=width < 600,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.ask("Page.navigate", url=page.as_uri() if isinstance(page, Path) else page)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._next()

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript comes to in the page, a promise when it is kept."""
        answer = self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str, *modifiers: str) -> None:
        """Press a key and let it go: a character, or a name such as "Tab" or "ArrowRight"."""
        self.key_down(key, *modifiers)
        self.key_up(key, *modifiers)

    def key_down(self, key: str, *modifiers: str) -> None:
        """Press a key and hold it; modifiers are such as "Control"."""
        text = {"text": "\r" if key == "Enter" else key} if key == "Enter" or len(key) == 1 else {}
        self._key("keyDown", key, modifiers, **text)

    def key_up(self, key: str, *modifiers: str) -> None:
        """Let a key go."""
        self._key("keyUp", key, modifiers)

    def _key(self, kind: str, key: str, modifiers: tuple[str, ...], **text: str) -> None:
        number = _KEYS.get(key) or ord(key.upper())
        code = key if len(key) > 1 else f"Key{key.upper()}"
        self.ask(
            "Input.dispatchKeyEvent",
            type=kind, key=key, code=code, windowsVirtualKeyCode=number,
            modifiers=sum(_MODIFIERS[name] for name in modifiers), **text,
        )  # fmt: skip

    def point_at(self, x: float, y: float, *, is_held: bool = False) -> None:
        """Move the pointer to a place in the window, maybe with the button held down."""
        button = {"button": "left", "buttons": 1} if is_held else {}
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, **button)

    def button_down(self, x: float, y: float, *modifiers: str) -> None:
        """Press the left button at a place in the window."""
        self._button("mousePressed", x, y, modifiers)

    def button_up(self, x: float, y: float, *modifiers: str) -> None:
        """Let the left button go."""
        self._button("mouseReleased", x, y, modifiers)

    def click(self, x: float, y: float) -> None:
        """Press the left button at a place in the window, and let it go."""
        self.button_down(x, y)
        self.button_up(x, y)

    def _button(self, kind: str, x: float, y: float, modifiers: tuple[str, ...]) -> None:
        self.ask(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1,
            modifiers=sum(_MODIFIERS[name] for name in modifiers),
        )  # fmt: skip

    def picture(self, *, is_whole: bool = True) -> bytes:
        """The whole page as a PNG, or what its window shows of it."""
        answer = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)
        return base64.b64decode(answer["data"])

    @property
    def requests(self) -> list[str]:
        """The addresses of all that was asked for since the page was opened, itself included.

        What lies in the page itself, at an address that begins with "data:", is not among them.
        """
        sent = (one for one in self.events if one["method"] == "Network.requestWillBeSent")
        urls = [one["params"]["request"]["url"] for one in sent]
        return [url for url in urls if not url.startswith("data:")]

    @property
    def complaints(self) -> list[Any]:
        """What the browser found wrong with the page."""
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown")
        return [one["params"] for one in self.events if one["method"] in kinds]


@contextlib.contextmanager
def running(program: str, profile: Path) -> Iterator[Browser]:
    """A browser with a profile of its own, which ends with it."""
    (their_in, to), (back, their_out) = os.pipe(), os.pipe()
    options = (
        "--headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run "
        "--disable-dev-shm-usage --remote-debugging-pipe"
    )
    # The browser reads from file 3 and writes to file 4; numbers this high are in no way.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 50) for end in (their_in, their_out)]
    os.close(their_in)
    os.close(their_out)
    words = [sys.executable, "-c", _START, *map(str, ends), program, *options.split()]
    with subprocess.Popen(
        [*words, f"--user-data-dir={profile}", "about:blank"],
        pass_fds=ends,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        for end in ends:
            os.close(end)
        try:
            yield Browser(to, back)
        finally:
            os.close(to)
            os.close(back)
            process.kill()
