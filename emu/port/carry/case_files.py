"""The files of a case whose scenes are recorded calls."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from string import Template
from typing import Any

from emu.base.strict_yaml import name_in_yaml
from emu.cases.skeletons.skeleton import SCHEMA_FILE, schema_of_cases
from emu.port.carry.rooms import CasePlace, CaseScene

_TEMPLATE = "recorded_calls.txt"


@dataclass(frozen=True, slots=True)
class RecordedCase:
    """A case of recorded calls.

    Attributes:
        name: its name.
        function: the function.
        place: where the old one lies.
        original: the digest of the old program.
        keys: what the case file says of compiling, by its keys.
        rooms: what it fills and observes.
        scenes: the values of each call.
    """

    name: str
    function: str
    place: str
    original: str
    keys: Mapping[str, Any]
    rooms: Sequence[CasePlace]
    scenes: Sequence[CaseScene]

    def files(self) -> dict[str, bytes]:
        """The contents of each file, by its name."""
        stem = f"{self.name.replace('-', '_')}_calls"
        template = resources.files("emu.port.carry").joinpath(_TEMPLATE).read_text("utf-8")
        words = {"function": self.function, "place": self.place}
        return {
            SCHEMA_FILE: schema_of_cases().encode(),
            "case.yaml": ("\n".join(self._lines(stem)) + "\n").encode(),
            f"{stem}.py": Template(template).substitute(words).encode(),
            f"{stem}.json": self._values().encode(),
        }

    def _lines(self, stem: str) -> Iterator[str]:
        yield f"# yaml-language-server: $schema={SCHEMA_FILE}"
        yield f"# Recorded calls of {self.function}, {self.place} of the old program; what is right"
        yield "# is what the old function left. Written by macproof port export."
        yield "schema: macproof.case/1"
        yield f"name: {name_in_yaml(self.name)}"
        yield f"title: {self.function} as the old program called it"
        for key, value in self.keys.items():
            yield f"{key}: {json.dumps(value, ensure_ascii=False)}"
        yield f"call: {self.function}"
        parameters = [room for room in self.rooms if room.is_parameter]
        globals_ = [r for r in self.rooms if not r.is_parameter and r.kind != "result"]
        yield from _mapping("arguments", {room.name: room.filling() for room in parameters})
        if globals_:
            yield from _mapping("input", {room.name: room.filling() for room in globals_})
        elif not parameters:
            yield "arguments: {}"
        yield "scene:"
        yield f"  make: {stem}:make_scene"
        yield "  generators: [recorded]"
        yield "  objects: [1]"
        yield f"  count: {len(self.scenes)}"
        observed = {room.place: room.expectation() for room in self.rooms if room.observed}
        yield from _mapping("observe", observed)
        yield f"reference: {stem}:expected"

    def _values(self) -> str:
        given, given_alike = _without_alike([scene.given for scene in self.scenes])
        left, left_alike = _without_alike([scene.left for scene in self.scenes])
        calls = ",\n".join(
            json.dumps({"given": one, "left": other}, separators=(",", ":"))
            for one, other in zip(given, left, strict=True)
        )
        alike = json.dumps({"given": given_alike, "left": left_alike}, separators=(",", ":"))
        head = f'"function": {json.dumps(self.function)},\n"original": {json.dumps(self.original)}'
        return f'{{{head},\n"alike": {alike},\n"calls": [\n{calls}\n]}}\n'


def _without_alike(
    values: Sequence[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The values of each call that are not the same in all, and those that are."""
    alike = {
        name: value
        for name, value in values[0].items()
        if all(other[name] == value for other in values)
    }
    return [{n: v for n, v in one.items() if n not in alike} for one in values], alike


def _mapping(key: str, values: Mapping[str, Any]) -> Iterator[str]:
    if values:
        yield f"{key}:"
    for name, value in values.items():
        yield f"  {_word(name)}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_word(k)}: {_flow(v)}' for k, v in value.items())}}}"
    return json.dumps(value) if not isinstance(value, str) else value


def _word(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)
