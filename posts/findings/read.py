"""Reads findings files. Like in case files, an unknown word or a wrong value is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from emu.base.functions import call, resolve
from emu.base.yaml_document import YamlDocument, YamlPath, did_you_mean
from emu.cases.keys.parts import Scene
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of
from emu.toolchain.sources import mac_sources
from macproof import Case, UsageError, load_case
from posts.findings.facts import check_fact_name, wanted_of
from posts.findings.model import Drawing, Facts, Finding, FindingsFile, Step, StepSide
from posts.trials.locations import check_location
from posts.trials.trial import Setup

FINDINGS_FILE = "findings.yaml"
_LARGEST_INPUT = 400


def find_findings_files(folder: Path | None = None) -> Iterator[Path]:
    """The findings files one level below a folder, which is ``mac_src`` if none is given."""
    return iter(sorted((folder or mac_sources()).glob(f"*/{FINDINGS_FILE}")))


def read_findings(path: Path) -> FindingsFile:
    """Read and check a findings file, with the cases and scenes that it names.

    Raises:
        CaseError: the file is wrong. The message has the line, and suggests a word where one is
            misspelled.
    """
    document = YamlDocument(path, "a findings file")
    document.check_by_file("posts.findings:findings.schema.json")
    return _Reader(document).file()


class _Reader:
    """Makes the dataclasses of a YAML document that fits the schema."""

    def __init__(self, document: YamlDocument) -> None:
        self._document = document
        self._data: dict[str, Any] = document.data
        self._cases: dict[str, Case] = {}
        self._made_scenes: dict[tuple[object, ...], Scene] = {}

    def file(self) -> FindingsFile:
        findings = [
            self._finding(("findings", index), data)
            for index, data in enumerate(self._data["findings"])
        ]
        ids: set[str] = set()
        for index, finding in enumerate(findings):
            if finding.id in ids:
                raise self._document.error(("findings", index), f"there are two {finding.id}")
            ids.add(finding.id)
        return FindingsFile(self._document.path, self._data["post"], tuple(findings))

    def _finding(self, place: YamlPath, data: Mapping[str, Any]) -> Finding:
        if ("steps" in data) == ("not_run" in data):
            raise self._document.error(
                place,
                f"{data['id']} needs either steps, or not_run with the reason why it has none",
            )
        steps = [
            self._step((*place, "steps", index), step)
            for index, step in enumerate(data.get("steps", []))
        ]
        return Finding(
            id=data["id"],
            title=data["title"],
            post=self._data["post"],
            says=" ".join(data["says"].split()),
            corrected=" ".join(data.get("corrected", "").split()),
            steps=tuple(steps),
            not_run=" ".join(data.get("not_run", "").split()),
            path=self._document.path,
        )

    def _step(self, place: YamlPath, data: Mapping[str, Any]) -> Step:
        compared = "corrected" in data and "right" in data
        if compared == ("claimed" in data) or ("corrected" in data) != ("right" in data):
            raise self._document.error(
                place,
                "a step needs either corrected and right, or claimed",
                remedy="Say what the corrected form does, or what the post says would be seen.",
            )
        if "hosted" in data["as_described"] and "hosted" not in data.get("corrected", {}):
            raise self._document.error(place, "hosted must be given for both forms or for neither")
        facts, claimed = data["shows"], data.get("claimed", {})
        described = self._side((*place, "as_described"), data["as_described"], data, facts, claimed)
        corrected = None
        if compared:
            # The corrected form must not show the facts of the defect: look for them there too.
            corrected = self._side(
                (*place, "corrected"), data["corrected"], data, data["right"], facts
            )
        for key in ("shows", "right", "claimed"):
            for name in data.get(key, {}):
                self._checked((*place, key, name), check_fact_name, name)
        cpus = tuple(str(cpu) for cpu in data["cpus"]) if "cpus" in data else None
        for cpu in cpus or ():
            if cpu not in described.case.cpus:
                raise self._document.error(
                    (*place, "cpus"), f"{described.case.name} is not for a {cpu}"
                )
        for build in data.get("builds", ()):
            if build not in described.case.builds:
                hint = did_you_mean(build, list(described.case.builds))
                raise self._document.error((*place, "builds"), f"there is no build {build}{hint}")
        return Step(
            name=data.get("name", ""),
            input=_input_words(data["as_described"], data),
            described=described,
            corrected=corrected,
            claimed=claimed,
            cpus=cpus,
            builds=tuple(data["builds"]) if "builds" in data else None,
            drawing=_drawing(data["picture"]) if "picture" in data else None,
        )

    def _side(
        self,
        place: YamlPath,
        data: Mapping[str, Any],
        step: Mapping[str, Any],
        facts: Facts,
        also: Facts,
    ) -> StepSide:
        case = self._case((*place, "case"), data["case"])
        own = data if "scene" in data or "scenes" in data else step
        hosted = data.get("hosted", "")
        if hosted and not (case.path.parent / hosted).is_file():
            raise self._document.error((*place, "hosted"), f"there is no file {hosted}")
        if hosted:
            own = {"scenes": []}
        if ("scene" in own) == ("scenes" in own):
            raise self._document.error(place, "a form needs either scene or scenes")
        given = [own["scene"]] if "scene" in own else own["scenes"]
        scenes: list[Scene] = []
        for side in given:
            scenes += self._checked(place, self._scenes, case, side)
        point = data.get("point", {})
        for pointer, target in point.items():
            self._checked((*place, "point", pointer), check_location, pointer)
            self._checked((*place, "point", pointer), check_location, target)
        judge = data.get("judge", "")
        if judge:
            self._checked((*place, "judge"), resolve, judge)
        setup = Setup(
            entry=data.get("entry", ""),
            defines=tuple(data.get("define", ())),
            point=point,
            keep=tuple(data.get("keep", ())),
            blocks=data.get("blocks", 0),
        )
        for name in setup.keep:
            if name not in case.sources:
                raise self._document.error((*place, "keep"), f"{case.name} has no source {name}")
        return StepSide(
            case=case,
            # With a judge, a word that names no variable names a fact of the judge.
            setup=wanted_of(setup, facts, also, variables=not data.get("judge")),
            scenes=tuple(scenes),
            judge=judge,
            of=data.get("of", ""),
            facts=facts,
            ours=data.get("ours", False),
            hosted=hosted,
        )

    def _case(self, place: YamlPath, name: str) -> Case:
        if name not in self._cases:
            self._cases[name] = self._checked(place, load_case, name)
        return self._cases[name]

    def _scenes(self, case: Case, data: Mapping[str, Any]) -> list[Scene]:
        if "generator" in data:
            seeds = range(data["seeds"]) if "seeds" in data else [data.get("seed", 0)]
            generator, objects = data["generator"], data.get("objects", 0)
            return [self._scene_of(case, SceneName(generator, objects, seed)) for seed in seeds]
        if "rows" not in data:
            raise UsageError("a scene needs either rows or a generator")
        make = data.get("make", self._data.get("make", ""))
        if not make:
            raise UsageError("a scene of rows needs make, the function that makes a scene of them")
        rows = data["rows"] * data.get("repeat", 1)
        return [call(make, None, rows, **data.get("arguments", {}))]

    def _scene_of(self, case: Case, name: SceneName) -> Scene:
        """A scene by a generator of the case, made once for all steps that use it."""
        key = case.make, name, case.width, case.height
        if key not in self._made_scenes:
            self._made_scenes[key] = scene_of(case, name)
        return self._made_scenes[key]

    def _checked(self, place: YamlPath, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except UsageError as error:
            raise self._document.error(place, str(error)) from error


def _drawing(data: Mapping[str, Any]) -> Drawing:
    return Drawing(
        flags=data.get("flags", ""),
        pairs=tuple(data.get("pairs", ())),
        count=data.get("count", ""),
        corners=tuple(data.get("corners", ())),
        objects=data.get("objects", ""),
    )


def _input_words(side: Mapping[str, Any], step: Mapping[str, Any]) -> str:
    if "hosted" in side:
        return f"the program {side['hosted']}"
    own = side if "scene" in side or "scenes" in side else step
    given = [own["scene"]] if "scene" in own else own["scenes"]
    words = []
    for scene in given:
        if "generator" in scene:
            seeds = scene.get("seeds")
            which = f"seeds 0 to {seeds - 1}" if seeds else f"seed {scene.get('seed', 0)}"
            words.append(f"{scene['generator']}, {scene.get('objects', 0)} objects, {which}")
            continue
        text = json.dumps(scene["rows"]).replace('"', "")
        if len(text) > _LARGEST_INPUT:
            text = f"{text[:_LARGEST_INPUT]} ..."
        if "repeat" in scene:
            text += f", {scene['repeat']} times"
        named = [f"{k} {json.dumps(v)}" for k, v in scene.get("arguments", {}).items()]
        words.append(", ".join([text, *named]))
    return "; ".join(words)
