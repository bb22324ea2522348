"""The plan of a campaign: what is run, and how it is divided into shards.

A shard is a range of the scenes that one `verify` would run. What a shard finds depends on nothing
but the plan and its number: not on other shards, nor on how many processes work on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from emu import __version__
from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.keys.parts import IgnoredVariable
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import UNICORN
from emu.engines.registry import describe_engines
from emu.report.json_form import plain
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec


def require_scenes(scenes: int, shard: int) -> None:
    """Refuse a campaign without scenes.

    Raises:
        UsageError: there are none, or none in a shard.
    """
    if scenes < 1 or shard < 1:
        raise UsageError("a campaign needs at least one scene, and at least one in each shard")


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """What a campaign runs.

    Attributes:
        case: the path of the case file.
        title: the title of the case.
        reference: the name of what says which values are right.
        bulk_reference: the name of the function that answers in its place; "" if there is none.
        files: the SHA-256 of the case file and of its Python files, by their names.
        programs: the SHA-256 of each program, by its name, such as "68040 O2".
        scenes: the number of scenes.
        seed: the seed of the first scene of each kind.
        objects: the numbers of objects in scenes; empty for those of the case.
        shard: the number of scenes in a shard.
        macproof: the version of macproof.
        engine: the names and versions of the engines.
        engines: the names of the engines; each program is executed on each.
        bulk_make: the name of the function that makes many scenes at once; "" if there is none.
        ignored: the variables that the routine may change and that are compared with nothing.
        sources: the names of the case's source files.
    """

    case: str
    title: str
    reference: str
    bulk_reference: str
    files: Mapping[str, str]
    programs: Mapping[str, str]
    scenes: int
    seed: int
    objects: tuple[int, ...]
    shard: int
    macproof: str
    engine: str
    engines: tuple[str, ...] = (UNICORN,)
    bulk_make: str = ""
    ignored: tuple[IgnoredVariable, ...] = ()
    sources: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, selection: Selection, scenes: int, seed: int, objects: Sequence[int], shard: int
    ) -> CampaignPlan:
        """The plan to run programs of a case on scenes.

        Raises:
            UsageError: there are no scenes, or none in a shard.
            ToolMissingError: an engine is not installed.
        """
        case = selection.case
        require_scenes(scenes, shard)
        return cls(
            case=str(case.path),
            title=case.title,
            reference=case.reference,
            bulk_reference=case.bulk_reference,
            files=dict(case.read_from),
            programs={f"{built.cpu} {built.build}": built.sha256 for built in selection.built},
            scenes=scenes,
            seed=seed,
            objects=tuple(objects),
            shard=shard,
            macproof=__version__,
            engine=describe_engines(selection.engines),
            engines=selection.engines,
            bulk_make=case.bulk_make,
            ignored=case.ignored,
            sources=case.sources,
        )

    @property
    def shards(self) -> int:
        """The number of shards. The last one may have fewer scenes than the others."""
        return -(-self.scenes // self.shard)

    def size_of(self, number: int) -> int:
        """The number of scenes in a shard, by its number from 0."""
        return min(self.shard, self.scenes - number * self.shard)

    def specs_of(self, case: Case, number: int) -> list[SceneSpec]:
        """The calls of a shard, by its number from 0."""
        first = number * self.shard
        return plan_scenes(case, self.size_of(number), self.seed, self.objects or None, first=first)

    def difference_from(self, other: CampaignPlan) -> str:
        """What the other plan has otherwise, as a clause; "" if the two are the same."""
        for field in fields(self):
            mine, its = (plain(getattr(plan, field.name)) for plan in (self, other))
            if isinstance(mine, dict) and isinstance(its, dict):
                names = sorted(mine.keys() | its.keys())
                changed = [name for name in names if mine.get(name) != its.get(name)]
                if changed:
                    what = "programs" if field.name == "programs" else "files of the case"
                    return f"it has other {what}: {', '.join(changed)}"
            elif mine != its:
                return f"{field.name} is {its} there, not {mine}"
        return ""
