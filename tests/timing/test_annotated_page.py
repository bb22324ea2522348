"""The annotated page: complete, alone, and harmless whatever the source says."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from emu.timing.annotated_page import annotated_page
from emu.timing.profiling import SourceTexts
from tests.timing.profile_samples import HOSTILE, HOSTILE_NAME, TEXT, sample_report

TEXTS = SourceTexts({"a.c": TEXT}, {})
_VOID = {"meta"}


class Page(HTMLParser):
    """Tags in their order, and the text of rows by their id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: dict[str, list[str]] = {}
        self.text = ""
        self._open: list[str] = []
        self._row: list[str] | None = None
        self._depth = -1
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "tr" and "id" in found:
            self._row = self.rows[found["id"]] = []
            self._depth = len(self._open)

    def handle_endtag(self, tag):
        if len(self._open) == self._depth:
            self._row = None
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self._row is not None and data.strip():
            self._row.append(data.strip())


@pytest.fixture
def page(case, tmp_path):
    return annotated_page(sample_report(case, tmp_path, TEXTS), TEXTS)


def test_every_tag_is_closed_and_nothing_is_loaded(page):
    parsed = Page(page)
    names = {tag for tag, _ in parsed.tags}
    assert not names & {"script", "img", "link", "iframe", "object", "embed", "base", "form", "b "}
    for tag, attributes in parsed.tags:
        assert not {"src", "srcset", "data", "action"} & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_every_link_leads_somewhere(page):
    tags = Page(page).tags
    targets = {attributes["id"] for _, attributes in tags if "id" in attributes}
    links = [attributes["href"][1:] for tag, attributes in tags if tag == "a"]
    assert links
    assert set(links) <= targets


def test_what_others_wrote_is_text_and_nothing_else(page):
    parsed = Page(page)
    assert HOSTILE not in page
    assert HOSTILE in parsed.text
    assert HOSTILE_NAME not in parsed.text
    assert '<b onclick="a()">\\x1b[31m\\u202ef</b>' in parsed.text
    assert "\x1b" not in page
    assert "a compiler <1>" in parsed.text


def test_lines_have_their_numbers(page):
    rows = Page(page).rows
    first, second, third, fourth = (rows[f"f0-{n}"] for n in range(1, 5))
    assert first == ["1", "int f()"]
    assert second[:6] == ["2", "2.0", "2.0", "30.0", "30.0%", TEXT[1].strip()]
    assert third[:6] == ["3", "2.0", "2.0", "60.0", "60.0%", "return 1;"]
    assert third[-9:-1] == [
        "00001000",
        third[-8],
        "moveq #1, d0",
        "2.0",
        "60.0",
        "30.00",
        "moveq",
        "manual",
    ]
    assert third[-1] == "[1]"
    assert fourth == ["4", "0", "never();"]
    assert re.search(r'id="f0-3" class="hot"', page)


def test_long_stretches_without_code_are_put_away_and_not_lost(case, tmp_path):
    many = [f"// <line> {n}" for n in range(5, 60)]
    texts = SourceTexts({"a.c": (*TEXT, *many)}, {})
    page = annotated_page(sample_report(case, tmp_path, texts), texts)
    parsed = Page(page)
    assert "lines 11 to 59: no code in the program" in parsed.text
    assert [name for name in parsed.rows if name.startswith("f")] == [
        f"f0-{n}" for n in range(1, 11)
    ]
    for n in range(5, 60):
        assert page.count(f"// &lt;line&gt; {n}\n") + page.count(f"// &lt;line&gt; {n}<") == 1


def test_the_longest_bar_is_that_of_the_hottest_line(page):
    source = page[page.index('<table class="source">') :]
    bars = re.findall(r'--part:([\d.]+)"', source[: source.index("</table>\n<h2>")])
    assert bars == ["0.500", "1.000"]


def test_code_of_unknown_lines_is_listed_by_function(page):
    text = Page(page).text
    listed = text[text.index("Code without source text") :]
    assert "10.0 cycles of a call, 10.0% of all" in listed
    assert "00002000" in listed


def test_a_source_that_is_missing_is_said_to_be(case, tmp_path):
    texts = SourceTexts({}, {"a.c": "it is gone"})
    parsed = Page(annotated_page(sample_report(case, tmp_path, texts), texts))
    assert "There is no text of a.c: it is gone." in parsed.text
    assert "100.0 cycles of a call, 100.0% of all" in parsed.text
    assert "a.c:3" in parsed.text
    assert not [row for row in parsed.rows if row.startswith("f")]


def test_the_page_comes_out_the_same_again(case, tmp_path, page):
    assert annotated_page(sample_report(case, tmp_path, TEXTS), TEXTS) == page


@pytest.mark.slow
def test_a_browser_shows_it(page, tmp_path):
    """The numbers stand in the page as a browser has it, nothing ran, and it can be drawn."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium to look at the page with; on Debian: apt-get install chromium")
    # Were a script to run, it would show in the title.
    file = tmp_path / "page.html"
    file.write_text(page.replace("</body>", "<script>document.title='ran'</script></body>"))
    options = ["--headless", "--disable-gpu", "--no-sandbox", f"--user-data-dir={tmp_path / 'u'}"]
    shown = subprocess.run(
        [browser, *options, "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert "<title>ran" not in shown
    assert "where the cycles of a call go</title>" in shown
    rows = Page(re.sub(r"<script>.*?</script>", "", shown)).rows
    assert rows["f0-3"][:6] == ["3", "2.0", "2.0", "60.0", "60.0%", "return 1;"]
    picture = tmp_path / "page.png"
    subprocess.run(
        [browser, *options, f"--screenshot={picture}", "--window-size=1200,2400", file.as_uri()],
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert _colours(picture) >= {(0xF2, 0xB8, 0x80), (0xFF, 0xFF, 0xFF)}  # bars on white


def _colours(path):
    from PIL import Image

    with Image.open(path) as picture:
        return {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
