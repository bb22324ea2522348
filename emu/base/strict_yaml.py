"""Parses YAML strictly, without the traps of YAML 1.1.

There ``on`` is true, ``010`` is 8 and ``1:30`` is 90. Here only ``true`` and ``false`` are
booleans, only plain decimals are integers, and everything else is text, so that what a person
wrote is what the program sees. Aliases and tags are refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import yaml

YamlError = yaml.YAMLError
"""What `root` raises if a text is not YAML, or has what is refused here."""


class _Strict(yaml.composer.Composer, yaml.resolver.Resolver):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases, of which a few lines can make gigabytes, and tags."""
        event: Any = self.peek_event()  # type: ignore[attr-defined]
        if isinstance(event, yaml.AliasEvent):
            what = f"an alias, *{event.anchor}"
        elif event.tag is not None:
            what = f"a tag, {event.tag}"
        else:
            return super().compose_node(parent, index)
        raise yaml.MarkedYAMLError(
            problem=f"{what}, is not allowed here", problem_mark=event.start_mark
        )


for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("int", r"-?(?:0|[1-9][0-9]{0,17})", "-0123456789"),
    ("null", r"null|~|", ["n", "~", ""]),
):
    _Strict.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first)
    )


class _StrictLoader(_Strict, yaml.SafeLoader):
    def __init__(self, text: bytes) -> None:
        yaml.SafeLoader.__init__(self, text)


# PyYAML may have been built without libyaml, which parses ten times as fast.
_CLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _FastLoader(_Strict, _CLoader):  # type: ignore[misc]
    def __init__(self, text: bytes) -> None:
        _CLoader.__init__(self, text)
        yaml.composer.Composer.__init__(self)


@functools.lru_cache(maxsize=64)
def root(text: bytes) -> yaml.Node | None:
    """Parse a text. Commands read the same case several times, and all of them to find one.

    Raises:
        YamlError: the text is not YAML, or has an alias or a tag.
    """
    try:
        return _parsed(_FastLoader(text))
    except yaml.YAMLError:
        return _parsed(_StrictLoader(text))  # whose messages say more


def _parsed(loader: _StrictLoader | _FastLoader) -> yaml.Node | None:
    try:
        node: yaml.Node | None = loader.get_single_node()
        return node
    finally:
        loader.dispose()


def name_in_yaml(name: str) -> str:
    """A name as YAML is to have it: ``null`` and ``true`` would be no text without quotes."""
    node = root(name.encode())
    is_text = node is not None and node.tag == "tag:yaml.org,2002:str"
    return name if is_text else f'"{name}"'


def value_reader() -> Callable[[yaml.Node], Any]:
    """What gives the values of nodes of one document that are neither sequences nor mappings."""
    return _StrictLoader(b"").construct_object
