"""Documented commands are those of POSIX, so that they do the same on Linux and on macOS.

For example, ``sed -i`` takes no argument on Linux and one on macOS. So a command that is not
macproof's or Python's has to be in the table below, and has no option but those it lists.
"""

from __future__ import annotations

import re
import shlex

import pytest

from tests.test_documentation import PAGES, Page

_OUR_OWN = ("macproof", "pytest", "make", "python", "python3", ".venv/bin/")
_EVERYWHERE = {
    "cc": "-g -shared -fPIC -o",
    "cp": "-r",
    "echo": "",
    "mkdir": "-p",
    "mv": "",
    "printf": "",
    "sed": "-e -n",
    "test": "-eq",
}
# In a script of sed: what only GNU's knows, and text after a, i or c on the same line.
_OF_GNU_SED = re.compile(
    r"\\[+?|wWsSbB<>ntd]|^0,|^(/[^/]*/|[\d$,]*) ?[aic] ?[^\\ ]|^s.*/[0-9gpw]*[IMe]+$"
)
_VARIABLE = re.compile(r"[A-Z_0-9]+=")
_PARTS = {"|", "||", "&&", ";", "&"}


def not_everywhere(command: str) -> list[str]:
    """What in a line for the shell is not the same on Linux and on macOS."""
    found = []
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.commenters = "#"
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word not in _PARTS:
            words.append(word)
            continue
        found += _wrong(words)
        words = []
    return found + [form for form in ("<(", "&>", "<<<", "[[") if form in command]


def _wrong(words: list[str]) -> list[str]:
    while words and _VARIABLE.match(words[0]):
        words = words[1:]
    if not words or words[0].startswith(_OUR_OWN):
        return []
    name, *rest = words
    if name not in _EVERYWHERE:
        return [name]
    options = [word for word in rest if word.startswith("-")]
    wrong = [f"{name} {word}" for word in options if word not in _EVERYWHERE[name].split()]
    if name == "sed":
        scripts = [rest[i + 1] for i, word in enumerate(rest[:-1]) if word == "-e"]
        plain = [word for word in rest if not word.startswith("-")]
        wrong += [script for script in scripts or plain[:1] if _OF_GNU_SED.search(script)]
    if name == "echo":
        wrong += [word for word in rest if "\\" in word]
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=[page.path.name for page in PAGES])
def test_commands_are_the_same_on_linux_and_macos(page: Page):
    lines = page.commands() + [line for text in page.of("sh") for line in text.splitlines()]
    ours = [line for line in lines if not line.startswith(("pip install ", "dask "))]
    assert {line: not_everywhere(line) for line in ours if not_everywhere(line)} == {}


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("sed -i 's/a/b/' file", ["sed -i"]),
        ("sed -i.bak 's/a/b/' file", ["sed -i.bak"]),
        ("sed -r 's/a/b/' file", ["sed -r"]),
        ("mkdir a && sed --expression='s/a/b/' file", ["sed --expression=s/a/b/"]),
        (r"sed 's/a\+/b/' file", [r"s/a\+/b/"]),
        (r"sed 's/a/\n/' file", [r"s/a/\n/"]),
        ("sed 's/a/b/I' file", ["s/a/b/I"]),
        ("sed '/a/a text' file", ["/a/a text"]),
        ("sed '0,/a/d' file", ["0,/a/d"]),
        ("cp -a one two", ["cp -a"]),
        ("cat file | grep -P 'x' ; macproof cases", ["cat", "grep"]),
        ("echo -e 'a'", ["echo -e"]),
        (r"echo 'a\tb'", [r"a\tb"]),
        ("readlink -f file", ["readlink"]),
        ("macproof verify && timeout 5 macproof verify", ["timeout"]),
        ("A=1 macproof cases", []),
        ("A=1 B='x y' readlink file", ["readlink"]),
        ("source <(macproof completion bash)", ["source", "<("]),
    ],
)
def test_what_differs_is_found(command, wrong):
    assert not_everywhere(command) == wrong
