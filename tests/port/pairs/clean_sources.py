"""Sources of 1994 as files that a compiler of today reads: what is changed, and nothing else.

1. Lines end as they do today, and text is UTF-8 instead of Mac Roman.
2. A file that a transfer has damaged is cut at its first control character, at the end of the
   function before it.
3. All files of a program lie in one folder. What is no letter, digit, dot, hyphen or underscore in
   a name becomes an underscore, also where a file is included.
4. A header is read once in each file: it begins with `#pragma once`.
5. A function that a compiler of today cannot compile, since it is machine code, becomes its
   declaration. `pairs.yaml` names these functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_INCLUDE = re.compile(r'^(\s*#\s*include\s*")([^"\n]+)', re.MULTILINE)
_OTHER = re.compile(r"[^A-Za-z0-9._-]")
_WHOLE = re.compile(r"(\}|#endif.*|\*/|;)\s*$")
_SUFFIXES = (".c", ".h", ".header")
_FORKS = (".rsrc", ".finf")


def clean(folder: Path, into: Path, machine_code: Iterable[str] = ()) -> list[Path]:
    """Write the cleaned sources of a folder, and of all folders in it, into one folder.

    Args:
        folder: where the sources are.
        into: where they are written; made if it is not there.
        machine_code: the functions that become declarations.

    Returns:
        The C files that were written. Of files with one name the first counts.

    Raises:
        ValueError: a function that is to become a declaration is in none of them.
    """
    into.mkdir(parents=True, exist_ok=True)
    texts: dict[str, str] = {}
    for path in _sources(folder):
        text = _INCLUDE.sub(_with_usual_name, text_of(path.read_bytes()))
        texts.setdefault(_usual_name(path.name), text)
    for function in machine_code:
        changed = {name: declared(text, function) for name, text in texts.items()}
        if changed == texts:
            raise ValueError(f"{folder}: {function} is not defined in any source")
        texts = changed
    for name, text in texts.items():
        (into / name).write_text(text if name.endswith(".c") else f"#pragma once\n{text}")
    return [into / name for name in texts if name.endswith(".c")]


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _SUFFIXES and path.parent.name not in _FORKS and path.is_file():
            yield path


def _usual_name(name: str) -> str:
    """The name of a file: rule 3."""
    return _OTHER.sub("_", name)


def _with_usual_name(include: re.Match[str]) -> str:
    """An include whose file, in whatever folder of a Mac it was, has its usual name."""
    return include[1] + _usual_name(include[2].rpartition(":")[2])


def text_of(data: bytes) -> str:
    """The text of a source of 1994: rules 1 and 2."""
    text = data.decode("mac_roman").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "")
    damage = _CONTROL.search(text.rstrip("\x00\x04\x1a"))
    if damage is None:
        return text.rstrip("\x00\x04\x1a")
    lines = text[: damage.start()].split("\n")[:-1]
    while lines and not _WHOLE.search(lines[-1]):
        lines.pop()
    return "\n".join(lines) + "\n"


def declared(text: str, function: str) -> str:
    """The text in which a function without braces in its body is only declared: rule 5."""
    return re.sub(rf"(\b{function}\s*\([^;{{}}]*\))\s*\{{[^{{}}]*\}}", r"\1;", text)
