"""The folder of a search: the state, the corpus, and the findings, each in a file of its own."""

from __future__ import annotations

from pathlib import Path

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.report.json_form import read_json, to_json
from emu.search.findings import write_finding
from emu.search.fuzz.report import (
    SCENE_SCHEMA,
    SCHEMA,
    FoundScene,
    FuzzReport,
    Setting,
)
from emu.verify.explain.finding import SceneFinding, StoredScene
from emu.verify.scenes.changed_scenes import ChangedScene

_STATE, _CORPUS, _FINDINGS = "fuzz.json", "corpus", "findings"


class FuzzFolder:
    """The files of a search.

    Args:
        path: the folder; it is made when something is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, setting: Setting) -> tuple[FuzzReport | None, list[ChangedScene]]:
        """The state of the search and its corpus; None if there is none yet.

        Raises:
            UsageError: it is the state of another search.
            InputError: a file is damaged.
        """
        state = self.path / _STATE
        if not state.exists():
            return None, []
        (report,) = read_json(state, FuzzReport, SCHEMA)
        if report.setting != setting:
            raise UsageError(
                f"{state} is of another search: another case, program, seed or beginning. Give "
                "--folder another folder, or remove this one"
            )
        return report, [self._scene(number) for number in range(report.corpus)]

    def _scene(self, number: int) -> ChangedScene:
        path = self._corpus_file(number)
        (scene,) = read_json(path, StoredScene, SCENE_SCHEMA)
        return scene.changed

    def _corpus_file(self, number: int) -> Path:
        return self.path / _CORPUS / f"{number + 1:05}.json"

    def keep(self, number: int, scene: ChangedScene) -> None:
        """Write a scene of the corpus."""
        self._write(self._corpus_file(number), to_json(StoredScene.of(scene), SCENE_SCHEMA))

    def keep_finding(self, number: int, finding: SceneFinding) -> FoundScene:
        """Write a finding; what the report tells of it."""
        return FoundScene(
            file=write_finding(self.path / _FINDINGS, number + 1, finding, below=self.path),
            program=f"{finding.cpu} {finding.build}",
            symptom=finding.symptom,
            objects=finding.objects,
            executions=finding.executions,
            seconds=finding.seconds,
        )

    def write(self, report: FuzzReport) -> None:
        """Write the state; the search goes on from there."""
        self._write(self.path / _STATE, to_json(report, SCHEMA))

    def _write(self, path: Path, text: str) -> None:
        write_whole(path, text.encode(), below=self.path)
