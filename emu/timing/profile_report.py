"""A profile as plain data. The tables and the annotated page are made from it and source texts.

Numbers are means of a call of the routine. A share is a part of all cycles of the call, as 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from emu.cases.case import Case
from emu.cycles.model import KINDS, Source
from emu.cycles.profile import Profile
from emu.timing.predict import Plan, Unpriced
from emu.timing.profiling import Profiled, SourceTexts
from emu.timing.report import Report


def make_profile_report(
    case: Case,
    plan: Plan,
    profiled: Sequence[Profiled],
    texts: SourceTexts,
    *,
    unpriced: Sequence[Unpriced] = (),
    command: Sequence[str] = (),
) -> Report:
    """The profile of some programs of a case.

    Args:
        case: the case.
        plan: the scenes; those with the most objects were profiled.
        profiled: the programs.
        texts: the text of their sources.
        unpriced: programs left out.
        command: the command line.
    """
    files = sorted(
        {line.place[0] for one in profiled for line in one.profile.lines} - {""},
        key=lambda file: (-sum(_cycles_of(one.profile, file) for one in profiled), file),
    )
    return {
        "note": "Counts are exact. Cycles are a model's, and are not measured.",
        "unit": "means of a call of the routine, without those parts that macproof adds to it",
        "case": case.name,
        "title": case.title,
        "credit": case.credit,
        "routine": case.call,
        "reference": case.reference,
        "scenes": {
            "generator": plan.generator,
            "objects": max(plan.objects),
            "count": plan.scenes,
            "seed": plan.seed,
        },
        "files": [{"name": file, "missing": texts.missing.get(file)} for file in files],
        "programs": [_program(one) for one in profiled],
        "not_profiled": [{"what": str(one.program), "why": one.why} for one in unpriced],
        "command": list(command),
    }


def _cycles_of(profile: Profile, file: str) -> float:
    return sum(line.cycles for line in profile.lines if line.place[0] == file)


def _program(one: Profiled) -> Report:
    profile, subject = one.profile, one.program.subject
    sources = _sources(profile)
    number = {source: index for index, source in enumerate(sources)}
    return {
        "cpu": subject.cpu,
        "build": subject.build,
        "source": one.program.source,
        "origin": one.built.origin,
        "file": one.built.path.name,
        "sha256": one.built.sha256,
        "compiler": one.built.compiler,
        "flags": list(one.built.flags),
        "model": one.model.title,
        "assumptions": list(one.model.assumptions()),
        "megahertz": one.megahertz,
        "has_lines": one.has_lines,
        "calls": profile.calls,
        "cycles": profile.cycles,
        "instructions": profile.instructions,
        "functions": [
            {
                "name": cost.name or None,
                "address": cost.address if cost.name else None,
                "calls": cost.calls,
                "instructions": cost.instructions,
                "cycles": cost.cycles,
                "cycles_each": cost.cycles_each,
                "share": _share(cost.cycles, profile),
            }
            for cost in profile.functions
        ],
        "lines": [
            {
                "file": cost.place[0] or None,
                "line": cost.place[1] or None,
                "executed": cost.executed,
                "instructions": cost.instructions,
                "cycles": cost.cycles,
                "share": _share(cost.cycles, profile),
            }
            for cost in profile.lines
        ],
        "never_executed": [{"file": file, "line": line} for file, line in sorted(profile.never)],
        "sources": [
            {"kind": source.kind, "title": source.title, "share": _share(cycles, profile)}
            for source, cycles in sources.items()
        ],
        "code": [
            {
                "address": cost.address,
                "function": cost.function or None,
                "offset": cost.offset,
                "file": cost.place[0] or None,
                "line": cost.place[1] or None,
                "text": cost.text,
                "executed": cost.executed,
                "cycles": cost.cycles,
                "cell": cost.cell,
                "source": number[cost.source],
            }
            for cost in profile.code
        ],
    }


def _share(cycles: float, profile: Profile) -> float:
    return cycles / profile.cycles if profile.cycles else 0.0


def _sources(profile: Profile) -> dict[Source, float]:
    """What the cycles rest on, the firmest kind first and in it what most rests on."""
    found: defaultdict[Source, float] = defaultdict(float)
    for cost in profile.code:
        found[cost.source] += cost.cycles
    return dict(sorted(found.items(), key=lambda s: (KINDS.index(s[0].kind), -s[1], s[0].title)))
