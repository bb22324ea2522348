"""Nodes of trees and lists as Python has them: mappings, or objects with attributes.

A node is known by its identity. So a node that two others lead to is one node, and a list may lead
back into itself. ``None`` is the null pointer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

_NO_NODES = (bool, int, float, complex, str, bytes, bytearray, list, tuple, set, np.ndarray)


def members_of(value: Any) -> Mapping[str, Any] | None:
    """The members of a node by their names; None if the value is no node."""
    if value is None or isinstance(value, (*_NO_NODES, np.generic)):
        return None
    if isinstance(value, Mapping):
        return value
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return dict(vars(value)) if hasattr(value, "__dict__") else None


def described(roots: Any) -> list[str]:
    """A structure as lines of text, one for each node, the nearest to the root first.

    Nodes have numbers: ``#0 key 5, left #1, right null``. Two structures of the same shape with the
    same values have the same lines.

    Args:
        roots: the node that leads to all others, or a sequence of such nodes.
    """
    several = roots if isinstance(roots, (list, tuple)) else [roots]
    numbers: dict[int, int] = {}
    nodes: list[Mapping[str, Any]] = []

    def words(value: Any) -> str:
        members = members_of(value)
        if members is None:
            is_row = isinstance(value, (list, tuple))
            return f"({' '.join(map(words, value))})" if is_row else _plain(value)
        if id(value) not in numbers:
            numbers[id(value)] = len(nodes)
            nodes.append(members)
        return f"#{numbers[id(value)]}"

    first = [words(node) for node in several]
    lines = [" ".join(first)] if first not in (["#0"], []) else []
    for number, members in _growing(nodes):
        words_of_members = ", ".join(f"{name} {words(value)}" for name, value in members.items())
        lines.append(f"#{number} {words_of_members}")
    return lines


def _growing(nodes: list[Mapping[str, Any]]) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """The elements of a list to which others are added meanwhile, with their numbers."""
    number = 0
    while number < len(nodes):
        yield number, nodes[number]
        number += 1


def _plain(value: Any) -> str:
    if value is None:
        return "null"
    return str(value.tolist()) if isinstance(value, (np.ndarray, np.generic)) else repr(value)
