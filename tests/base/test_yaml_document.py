"""YAML read strictly: what is text stays text, and what could hurt is refused at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.base.yaml_document import YamlDocument

Reader = Callable[[bytes | str], YamlDocument]

WORD_TRAPS = ("on", "off", "yes", "no", "y", "True", "NULL", "<<", "=", "--")
NUMBER_TRAPS = ("010", "0o17", "0x10", "0b1", "1:30", "1_000", "+1", "1e3", "1.5", ".inf", ".nan")


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    path = tmp_path / "some.yaml"

    def write_and_read(text: bytes | str) -> YamlDocument:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return YamlDocument(path)

    return write_and_read


def test_plain_data(read: Reader):
    text = "a: 1\nb: [-2, 0, text, 'quoted', \"5\"]\nc: {d: true, e: false, f: null, g: ~, h: }\n"
    assert read(text).data == {
        "a": 1,
        "b": [-2, 0, "text", "quoted", "5"],
        "c": {"d": True, "e": False, "f": None, "g": None, "h": None},
    }


@pytest.mark.parametrize(
    "word",
    [*WORD_TRAPS, *NUMBER_TRAPS, "2001-01-01"],
)
def test_what_yaml_1_1_would_change_stays_as_it_was_written(read: Reader, word: str):
    assert read(f"a: {word}").data == {"a": word}


def test_a_number_too_long_to_be_one_is_text(read: Reader):
    assert read("a: 999999999999999999").data == {"a": 10**18 - 1}
    assert read("a: " + "9" * 10_000).data == {"a": "9" * 10_000}


def test_lines_are_known_for_every_value(read: Reader):
    document = read("# comment\na: 1\nb:\n  c:\n    - x\n    - y: 2\n      z: 3\n")
    assert document.line(()) == 2
    assert document.line(("b", "c", 0)) == 5
    assert document.line(("b", "c", 1, "z")) == 7
    assert document.line(("b", "c", 7)) == 4  # of what holds it
    assert document.line(("nowhere",)) == 2


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "the key a twice"),
        ("x:\n  a: 1\n  a: 1\n", 3, "the key a twice"),
        ("a: 1\n? [b]\n: 2\n", 2, "a key that is not text"),
        ("a: &one [1]\nb: *one\n", 2, "an alias, *one"),
        ("&self [*self]", 1, "an alias, *self"),
        ("a: &b {c: 1}\nd:\n  <<: *b\n", 3, "an alias, *b"),
        ("a: !!python/object/apply:os.system [ls]", 1, "a tag"),
        ("\na: !!int x", 2, "a tag"),
        ("a: !own 1", 1, "a tag, !own"),
        ("!!map {a: 1}", 1, "a tag"),
        ("a:\n\tb: 1", 2, "cannot start any token"),
        ("a: [1, 2", 1, "expected"),
        ("a: 1\nb: 'open", 2, "unexpected end of stream"),
        ("a: 1\n---\nb: 2", 2, "another document"),
    ],
)
def test_refused_with_the_line(read: Reader, text: str, line: int, words: str):
    with pytest.raises(CaseError) as caught:
        read(text)
    assert f"some.yaml, line {line}: " in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "data", [bytes(range(256)), b"\x7fELF\x01\x02\x01\0", b"a: \xe9", b"a: \0", b"\xff\xfea"]
)
def test_a_file_that_is_no_text(read: Reader, data: bytes):
    with pytest.raises(CaseError, match="not YAML"):
        read(data)


@pytest.mark.parametrize("data", [b"a: 1\nb: \xe9\n", b"a: 1\nb: \0\n", b"a: \xc3\xa9\nb: \x07"])
def test_the_line_of_a_character_that_is_none(read: Reader, data: bytes):
    with pytest.raises(CaseError) as caught:
        read(data)
    assert "some.yaml, line 2: it is not YAML: unacceptable character" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_file_has_nothing_in_it(read: Reader):
    assert read("").data is None
    assert read("# only a comment\n").data is None


LAUGHS = "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &a [x, x, x, x, x, x, x, x, x]\n" + LAUGHS, "alias"),
        ("[" * 2_000, "too deeply"),
        ("[" * 200_000, "too deeply"),
        ("- " * 100_000, "too deeply"),
        ("{a: " * 50_000, "too deeply"),
        ("a: '" + "x" * (256 << 10) + "'", "too large for a case file"),
    ],
    ids=["billion laughs", "deep", "deeper", "deep lists", "deep maps", "huge"],
)
def test_refused_soon(read: Reader, text: str, words: str):
    began = time.process_time()
    with pytest.raises(CaseError, match=words):
        read(text)
    assert time.process_time() - began < 5


def test_what_cannot_be_read(tmp_path: Path):
    with pytest.raises(CaseError, match="No such file"):
        YamlDocument(tmp_path / "missing.yaml")
    with pytest.raises(CaseError, match="Is a directory"):
        YamlDocument(tmp_path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without /dev/zero")
def test_a_file_without_an_end():
    with pytest.raises(CaseError, match="too large"):
        YamlDocument(Path("/dev/zero"))
