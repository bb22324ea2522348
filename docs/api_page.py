"""The page of the public names, from their docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import macproof

_HEAD = """# The public API

Made by `make docs` from the docstrings of what `import macproof` gives. A test runs every
example. Modules of `emu` may change between versions; these names are what is promised. Paths in
the examples are those of a checkout, `Path` is that of `pathlib`. What the words mean is said in
[architecture.md](architecture.md).

"""
_SUMMARY = """# The public API

These names of `import macproof` are promised; modules of `emu` may change between versions. In
Python, `help(macproof.load_case)` shows one with its arguments and an example; the documentation
site, which `make docs` builds, has all of them on this page. A test runs every example. What the
words mean is said in [architecture.md](architecture.md).

"""
_SECTION = re.compile(r"(Args|Attributes|Returns|Raises|Example):")
_ENTRY = re.compile(r"([^:]+): (.*)")
_TABLE = "| name | what it is |\n|---|---|\n"
_WIDEST = 96
_LONGEST = 40  # of a default


def api_page() -> str:
    """The page of the site: a table of the names, and a part for each."""
    values = _values()
    rows = "".join(
        f"| [`{name}`](#{name.lower()}) | {_gist(value)} |\n" for name, value in values.items()
    )
    parts = "\n".join("\n".join(_part(name, value)) for name, value in values.items())
    return f"{_HEAD}{_TABLE}{rows}\n{parts}"


def api_summary() -> str:
    """The page of the repository: a table of the names."""
    rows = "".join(f"| `{name}` | {_gist(value)} |\n" for name, value in _values().items())
    return f"{_SUMMARY}{_TABLE}{rows}"


def _values() -> dict[str, Any]:
    return {name: getattr(macproof, name) for name in macproof.__all__}


def _gist(value: object) -> str:
    return _marked(_sections(value)[0][1][0])


def _part(name: str, value: type) -> Iterator[str]:
    yield f"## {name}\n"
    if not (inspect.isclass(value) and issubclass(value, Exception)):
        yield f"```text\n{_heading(name, value)}\n```\n"
    yield from _text(value)
    members = list(_members(value))
    shown = [one for one in members if _has_example(one[2])]
    told = [one for one in members if one not in shown]
    for _, label, member in told:
        one_line = " ".join(label.split()).replace("( ", "(").replace(", )", ")")
        yield f"* `{one_line}`: {_marked(_sections(member)[0][1][0])}"
    if told:
        yield ""
    for own_name, label, member in shown:
        yield f"### {name}.{own_name}\n\n```text\n{label}\n```\n"
        yield from _text(member)


def _heading(name: str, value: object) -> str:
    """How it is called, a parameter on each line if one line has no room for them."""
    signature = inspect.signature(value)  # type: ignore[arg-type]
    parts = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        if parameter.name != "self":
            parts.append(_parameter(parameter))
    gives = "" if inspect.isclass(value) else f" -> {signature.return_annotation}"
    one_line = f"{name}({', '.join(parts)}){gives}"
    if len(one_line) <= _WIDEST:
        return one_line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){gives}"


def _parameter(parameter: inspect.Parameter) -> str:
    """A parameter with its type; a default that has no short name is left out."""
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    words = f"{star}{parameter.name}: {parameter.annotation}"
    if parameter.default is parameter.empty:
        return words
    shown = repr(parameter.default)
    return f"{words} = {'...' if '<' in shown or len(shown) > _LONGEST else shown}"


def _members(value: object) -> Iterator[tuple[str, str, object]]:
    """The public methods and properties of a class: each one's name, how it is called, and itself.

    Of its base classes they are those that have an example.
    """
    if not inspect.isclass(value):
        return
    inherited = {
        name: member
        for base in value.__mro__[:0:-1]
        for name, member in vars(base).items()
        if _has_example(member)
    }
    for name, member in {**inherited, **vars(value)}.items():
        if name.startswith("_"):
            continue
        if isinstance(member, property) and member.fget is not None:
            yield name, f"{name}: {inspect.signature(member.fget).return_annotation}", member.fget
        elif inspect.isfunction(member):
            yield name, _heading(name, member), member


def _has_example(member: object) -> bool:
    return any(title == "Example" for title, _ in _sections(member))


def _text(value: object) -> Iterator[str]:
    """A docstring as Markdown."""
    for title, paragraphs in _sections(value):
        if title == "Example":
            yield "```pycon\n" + "\n".join(paragraphs) + "\n```\n"
        elif title in ("Args", "Attributes", "Raises"):
            entries = (_ENTRY.fullmatch(entry) for entry in paragraphs)
            lines = [
                f"* `{match[1]}`: {_marked(match[2])}" for match in entries if match is not None
            ]
            if title == "Raises":
                yield "Raises:\n"
            yield "\n".join(lines) + "\n"
        elif title == "Returns":
            yield f"Gives: {_marked(' '.join(paragraphs))}\n"
        else:
            yield from (f"{_marked(paragraph)}\n" for paragraph in paragraphs)


def _sections(value: object) -> list[tuple[str, list[str]]]:
    """A docstring's sections: ("", paragraphs) first, then each with its entries or lines."""
    sections: list[tuple[str, list[str]]] = [("", [""])]
    for line in (inspect.getdoc(value) or "").splitlines():
        title = _SECTION.fullmatch(line)
        name, parts = sections[-1]
        if title:
            sections.append((title[1], []))
        elif name == "Example":
            parts.append(line.removeprefix("    "))
        elif not line.strip():
            parts.append("")
        elif name in ("Args", "Attributes", "Raises") and not line.startswith("     "):
            parts.append(line.strip())
        elif parts and parts[-1]:
            parts[-1] += f" {line.strip()}"
        else:
            parts[-1:] = [line.strip()]
    return [(name, _trimmed(name, parts)) for name, parts in sections]


def _trimmed(name: str, parts: list[str]) -> list[str]:
    if name == "Example":
        return "\n".join(parts).strip().split("\n")
    return [part for part in parts if part]


def _marked(text: str) -> str:
    """Docstrings mark names with one or two backquotes, Markdown with one."""
    return text.replace("``", "`")
