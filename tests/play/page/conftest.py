"""A browser for all tests of the page, and for each a server that has no Macintosh behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.play.page.fake_server import FakeServer, serving
from tests.report.browser import NAMES, Browser, find_browser, running

PROGRAM = find_browser()
DESK = (1280, 900)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them start a browser."""
    for item in items:
        if "tests/play/page/" in item.path.as_posix():
            item.add_marker(pytest.mark.slow)
            reason = f"there is no browser: {', '.join(NAMES)}"
            item.add_marker(pytest.mark.skipif(PROGRAM is None, reason=reason))


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with running(PROGRAM or "", tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with serving() as server:
        yield server


@dataclass
class Page:
    """The page as a user has it."""

    browser: Browser
    fake: FakeServer

    def show(self, size: tuple[int, int] = DESK, dark: bool = False, scale: float = 1) -> None:
        """Open it in a window of a size."""
        self.fake.expect_page()
        self.browser.show(self.fake.address, *size, dark=dark, scale=scale)

    def value(self, expression: str) -> Any:
        """What JavaScript comes to in it."""
        return self.browser.value(expression)

    def text(self, selector: str) -> str:
        """The text of its first element of this kind."""
        return str(self.value(f"document.querySelector({selector!r}).textContent")).strip()

    def click(self, selector: str) -> None:
        """Click an element."""
        self.value(f"document.querySelector({selector!r}).click()")

    def enter(self, selector: str, text: str) -> None:
        """Put a text into a field as if it were typed."""
        self.value(
            f"(() => {{ const field = document.querySelector({selector!r}); field.value = {text!r};"
            " field.dispatchEvent(new Event('input')); })()"
        )

    def place(self, h: float, v: float) -> tuple[float, float]:
        """Where the middle of a pixel of the Macintosh is in the window."""
        box = self.value(
            "(() => { const c = document.querySelector('#screen-0'), b = c.getBoundingClientRect();"
            " return [b.left, b.top, b.width / c.width]; })()"
        )
        return box[0] + (h + 0.5) * box[2], box[1] + (v + 0.5) * box[2]

    def frame(self) -> None:
        """Wait until what has come is seen."""
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")


@pytest.fixture
def page(browser: Browser, fake: FakeServer) -> Page:
    return Page(browser, fake)


@pytest.fixture
def shown(page: Page) -> Page:
    """The page with a program that runs."""
    page.show()
    page.fake.begin()
    page.frame()
    return page
