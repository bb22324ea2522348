"""The report: what was run, what came of it, and what it takes to run it again.

The JSON form is the truth; the table, Markdown and JUnit are made from it, so that none of them
can say more than it does.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from emu import __version__
from emu.base.errors import InputError
from emu.base.files import read_at_most
from emu.cases.case import Case
from emu.cases.sources import Replacements
from emu.checks.isa import is_checked
from emu.machine.cpu import CPUS
from emu.machine.engine import describe_engine, find_model
from emu.toolchain.gcc import BuiltProgram
from emu.verify.fills import Fill
from emu.verify.schedule import INCONCLUSIVE, BorrowedTypes, Failure, Result, SceneSpec, verdict_of

SCHEMA = "macproof.report/1"
_LARGEST_REPORT = 64 << 20

Report = dict[str, Any]


def make_report(
    case: Case,
    programs: Sequence[BuiltProgram],
    results: Sequence[Result],
    specs: Sequence[SceneSpec],
    *,
    source: Path | Replacements | None,
    provision: str,
    not_run: Sequence[tuple[str, str]],
    command: Sequence[str],
    seconds: float,
) -> Report:
    """Everything a verdict rests on, as plain data.

    Args:
        case: the case.
        programs: what was run.
        results: what came of each, in the same order.
        specs: the scenes.
        source: what stood in place of the case's own sources, or None.
        provision: where the programs came from, in words.
        not_run: what was left out, each with the reason.
        command: the command line.
        seconds: how long it took.
    """
    return {
        "schema": SCHEMA,
        "verdict": verdict_of(results),
        "results": [_result(case, p, r) for p, r in zip(programs, results, strict=True)],
        "not_run": [{"what": what, "why": why} for what, why in not_run],
        "receipt": {
            "command": list(command),
            "macproof": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "engine": describe_engine(),
            "models": {p.cpu: find_model(CPUS[p.cpu]) for p in programs},
            "case": {
                "name": case.name,
                "title": case.title,
                "credit": case.credit,
                "file": str(case.path),
                "sha256": case.sha256,
            },
            "reference": case.reference,
            "reference_files": dict(case.python),
            "source": _source(programs, source),
            "programs": provision,
            "scenes": {
                "count": len({spec.scene for spec in specs}),
                "distinct": max((len(result.inputs) for result in results), default=0),
                "generators": sorted({spec.generator for spec in specs}),
                "objects": sorted({spec.objects for spec in specs}),
                "seeds": [min(s.seed for s in specs), max(s.seed for s in specs)] if specs else [],
            },
            "memory": _memory(results),
            "comparisons": sum(result.comparisons for result in results),
            "bytes_compared": sum(result.bytes_compared for result in results),
            "seconds": round(seconds, 3),
        },
    }


def _memory(results: Sequence[Result]) -> list[Report]:
    """How memory was filled before calls, and how many calls there were with each fill."""
    totals = [sum(counts) for counts in zip(*(one.calls for one in results), strict=True)]
    return [
        {"fill": fill.value, "words": fill.words, "calls": calls}
        for fill, calls in zip(Fill, totals or [0] * len(Fill), strict=True)
    ]


def _source(programs: Sequence[BuiltProgram], source: Path | Replacements | None) -> Report:
    """What was compiled, as it was when it was; for a program given as it is, the program itself.

    ``files`` has every file that a compiler was given or has read, by its name; those that do not
    lie with the sources by their paths.
    """
    files = {name: digest for one in programs for name, digest in one.files.items()}
    given = next((program for program in programs if program.origin == "given"), None)
    if given is not None:
        return {"replaced_by": str(given.path), "sha256": given.sha256, "files": files}
    replaced: str | Report | None = None if source is None else str(source)
    if isinstance(source, Mapping):
        replaced = {name: str(path) for name, path in source.items()}
    digest = programs[0].source_digest if programs else ""
    return {"replaced_by": replaced, "sha256": digest, "files": files}


def _result(case: Case, program: BuiltProgram, result: Result) -> Report:
    first = next((f.divergence for f in result.failures if f.divergence), None)
    measured = None
    if result.measured is not None:
        measured = {
            "count": result.instructions,
            "blocks": result.blocks,
            **asdict(result.measured),
        }
    return {
        "case": case.name,
        "cpu": program.cpu,
        "build": program.build,
        "engine": describe_engine(),
        "abi": result.abi,
        "program": {
            "file": str(program.path),
            "sha256": program.sha256,
            "origin": program.origin,
            "compiler": program.compiler,
            "flags": list(program.flags),
            "symbols": _file(result.subject.symbols),
            "types": _types(result.subject.types),
        },
        "calls": sum(result.calls),
        "scenes": result.scenes,
        "distinct_scenes": len(result.inputs),
        "changed_scenes": result.changed,
        "comparisons": result.comparisons,
        "bytes_compared": result.bytes_compared,
        "padding_bytes": result.padding,
        "verdict": result.verdict,
        "undecided": result.undecided if result.verdict == INCONCLUSIVE else None,
        "diverged": result.diverged,
        "violated": result.violated,
        "divergence": asdict(first) if first else None,
        "violations": sorted({v for failure in result.failures for v in failure.violations}),
        "isa": {
            "checked": is_checked(program.cpu),
            "findings": [asdict(finding) for finding in result.isa],
        },
        "not_watched": list(CPUS[program.cpu].unwatched),
        "fault": result.fault or result.crash or None,
        "failures": [_failure(failure) for failure in result.failures],
        "instructions": measured,
    }


def _file(path: Path | None) -> Report | None:
    if path is None:
        return None
    return {"file": str(path), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def _types(types: BorrowedTypes | None) -> Report | None:
    """Where the types of globals come from that the program itself says nothing of."""
    if types is None:
        return None
    return {
        **(_file(types.program) or {}),
        "build": types.build,
        "variables": list(types.variables),
    }


def _failure(failure: Failure) -> Report:
    return {
        **asdict(failure.spec),
        "divergence": asdict(failure.divergence) if failure.divergence else None,
        "violations": list(failure.violations),
        "fault": failure.fault or None,
        "summary": str(failure),
    }


def to_json(report: Report) -> str:
    """The canonical form: keys in their order, one trailing newline."""
    return json.dumps(report, indent=1) + "\n"


def read_report(path: Path) -> Report:
    """Read a report that macproof wrote.

    Raises:
        InputError: it is missing, too large, not JSON, or not a report of this schema, with the
            place in it ("results.0.build").
    """
    import jsonschema

    try:
        data = json.loads(read_at_most(path, _LARGEST_REPORT, "a report"))
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"it is not JSON: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise InputError(path, f"it is not a macproof report of schema {SCHEMA}")
    schema = json.loads(resources.files("emu.evidence").joinpath("report.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(data))
    if wrong is not None:
        where = ".".join(map(str, wrong.absolute_path))
        raise InputError(path, f"the report is damaged: {wrong.message:.200}", where=where)
    return data
