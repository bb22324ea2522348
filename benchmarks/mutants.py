"""Breaks the sources of cases on purpose, and shows which mistakes their scenes do not find.

Every mutant is one small change (see `benchmarks.cpp_mutants`). It is compiled for one processor
by one build. Those that do not compile are set aside, and so are those whose code and data are
the original's to the byte. Each of the others is verified as ``macproof verify CASE`` would
verify it, on the same scenes, until something refutes it. One that is verified survives: the
scenes are too kind, or the change cannot be seen from outside. The latter are listed, with the
reason, in ``equivalent_mutants.yaml``; an entry that fits no surviving mutant is an error. So are
functions that a case never calls. Their mutants are not tried: it is made sure instead that the
case is verified although each of these functions begins with a trap.

    python benchmarks/mutants.py CASE... [--jobs 2] [--json FILE] [--limit N]

The exit code is 1 if a mutant survives that is not listed, or an entry of the list is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.cpp_mutants import Mutant, mutants_of, text_of, traps_of
from emu.base.errors import CompileError, GuestError, MacproofError
from emu.base.temporary import temporary_folder
from emu.base.workers import Workers, default_jobs, run_apart
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.case_file import read_case
from emu.cases.find import load_case
from emu.cases.programs import Subject
from emu.cases.sources import source_tree
from emu.machine import Budget
from emu.program import read_program
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.gcc import compile_program
from emu.toolchain.kept import cache_folder
from emu.toolchain.sources import SourceTree
from emu.verify.prepared_scenes import Scenes
from emu.verify.scene_runs import bound_case_for, run_scenes
from emu.verify.schedule import plan_scenes, verify
from emu.verify.verdicts import VERIFIED, Result, SceneSpec

EQUIVALENT = Path(__file__).parent / "equivalent_mutants.yaml"
BATCH = 40  # mutants verified together; a worker keeps 48 machines
FIRST = 40  # scenes that come first, one by one, to leave out most mutants early
SECOND = 400  # scenes after which those that are refuted by then are left out
MOST_TIMES = 20  # as many blocks as the original a mutant may execute on one of the first scenes
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"/]+)"', re.MULTILINE)

DIVERGED, FAULTED = "diverged", "faulted"
SURVIVED, LISTED = "survived", "equivalent"
IDENTICAL, INVALID = "same code", "invalid"
FATES = (DIVERGED, FAULTED, SURVIVED, LISTED, IDENTICAL, INVALID)
"""What can become of a mutant. ``diverged``: a wrong value or a broken contract was seen;
``faulted``: it did not come back, and nothing else was seen; ``invalid``: it does not compile."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a mutant; ``why`` tells what refuted it, or why it is equivalent."""

    mutant: Mutant
    fate: str
    why: str = ""


def sources_of(case: Case) -> list[Path]:
    """A case's sources, and what they include of its folder, each once."""
    folder = case.path.parent
    found = [folder / name for name in case.sources]
    for path in found:  # which grows meanwhile
        for name in _INCLUDE.findall(text_of(path)):
            if (folder / name).is_file() and folder / name not in found:
                found.append(folder / name)
    return found


def try_mutants(
    case: Case, mutants: Sequence[Mutant], *, cpu: str, build: str, jobs: int
) -> list[Tried]:
    """Compile and verify mutants of a case; what became of each, in order.

    Raises:
        MacproofError: the unchanged case does not compile, or is not verified.
    """

    def compiled(mutant: Mutant) -> Path | None:
        with _folder_with(case, [mutant]) as changed, contextlib.suppress(CompileError):
            tree = _tree_of(changed, case)
            return compile_program(tree, case.builds[build], ALL_TARGETS[cpu]).path
        return None

    own_path = compile_program(source_tree(case), case.builds[build], ALL_TARGETS[cpu]).path
    own = _code_digest(own_path)
    with ThreadPoolExecutor(jobs) as pool:
        programs = list(pool.map(compiled, mutants))
    digests = [_code_digest(path) if path else "" for path in programs]
    # One program stands for all mutants with the same code.
    changed = {
        digest: Subject(cpu, build, path)
        for digest, path in zip(digests, programs, strict=True)
        if path and digest != own
    }
    with Workers(jobs) as workers:
        fates = _fates(case, Subject(cpu, build, own_path), list(changed.values()), workers)
    known = {digest: fates[subject] for digest, subject in changed.items()}
    known |= {"": (INVALID, ""), own: (IDENTICAL, "")}
    return [Tried(mutant, *known[digest]) for mutant, digest in zip(mutants, digests, strict=True)]


def require_uncalled(case: Case, functions: Sequence[str], *, cpu: str, build: str) -> None:
    """Make sure that a case's scenes call none of some functions, named "FILE, FUNCTION".

    Raises:
        MacproofError: there is no such function, or one is called.
    """
    traps = [trap for trap in traps_of(sources_of(case)) if trap.place in functions]
    missing = {*functions} - {trap.place for trap in traps}
    if missing:
        raise MacproofError(f"{case.name} has no function {', '.join(sorted(missing))}")
    with _folder_with(case, traps) as changed:
        tree = _tree_of(changed, case)
        path = compile_program(tree, case.builds[build], ALL_TARGETS[cpu]).path
    specs = plan_scenes(case, case.scene_count, DEFAULT_SEED)
    (result,) = verify(case, [Subject(cpu, build, path)], specs, jobs=1)
    if result.verdict != VERIFIED:
        why = _fate(result)[1]
        raise MacproofError(f"{case.name} calls a function that is listed as not called: {why}")


@contextlib.contextmanager
def _folder_with(case: Case, changes: Sequence[Mutant]) -> Iterator[Case]:
    """The case in a copy of its folder with changes made."""
    with temporary_folder() as passing:
        folder = passing / case.path.parent.name
        shutil.copytree(case.path.parent, folder)
        # From the end of a file on, so that places in front of a change stay what they are.
        for change in sorted(changes, key=lambda change: change.start, reverse=True):
            source = folder / change.file
            source.write_bytes(change.apply(text_of(source)).encode("latin-1"))
        yield dataclasses.replace(case, path=folder / case.path.name)


def _tree_of(changed: Case, case: Case) -> SourceTree:
    """The sources of a changed copy, of which the same functions are kept as of the case itself."""
    return dataclasses.replace(source_tree(changed), trimmed=source_tree(case).trimmed)


def _code_digest(program: Path) -> str:
    """A digest of what gets into memory of a program, which debugging information does not."""
    summary = hashlib.sha256()
    for segment in read_program(program).segments:
        summary.update(f"{segment.address} {segment.size} {len(segment.data)} ".encode())
        summary.update(segment.data)
    return summary.hexdigest()


def _fates(
    case: Case, original: Subject, mutants: Sequence[Subject], workers: Workers
) -> dict[Subject, tuple[str, str]]:
    """What becomes of each program, and why.

    Raises:
        MacproofError: the original itself is not verified.
    """
    specs = plan_scenes(case, case.scene_count, DEFAULT_SEED)
    (right,) = verify(case, [original], specs, workers=workers)
    if right.verdict != VERIFIED:
        raise MacproofError(f"{case.name} itself is {right.verdict}: its mutants say nothing")
    blocks = MOST_TIMES * max(right.blocks, 1000)
    first = _first_results(case, mutants, specs[:FIRST], blocks, workers)
    fates = {subject: _fate(result) for subject, result in first.items()}
    for part in (specs[FIRST:SECOND], specs[SECOND:]):
        left = [subject for subject in mutants if fates[subject][0] == SURVIVED]
        for start in range(0, len(left) if part else 0, BATCH):
            results = verify(case, left[start : start + BATCH], part, workers=workers)
            fates |= {result.subject: _fate(result) for result in results}
    return fates


def _is_wrong(result: Result) -> bool:
    """Whether a result shows a mistake; on a single scene none may be shown, nor anything done."""
    return bool(result.diverged or result.violated or result.fault or result.crash)


def _fate(result: Result) -> tuple[str, str]:
    if not _is_wrong(result):
        return SURVIVED, ""
    first = f"{result.failures[0].spec}: {result.failures[0]}" if result.failures else ""
    why = (first or result.fault or result.crash).partition("\n")[0]
    return (DIVERGED if result.diverged or result.violated else FAULTED), why


def _first_results(
    case: Case,
    subjects: Sequence[Subject],
    specs: Sequence[SceneSpec],
    blocks: int,
    workers: Workers,
) -> dict[Subject, Result]:
    """What the first scenes show of programs, each given up at the first that shows something.

    `verify` would find that out as well, but gives one that never comes back much longer than
    ``blocks``, and goes on after a wrong value.
    """
    size = -(-min(BATCH, len(subjects)) // workers.processes) or 1
    parts = [list(subjects[start : start + size]) for start in range(0, len(subjects), size)]
    calls = [(case.path, part, specs, blocks) for part in parts]
    found = workers.each(_run_first, calls, alone=_run_first_apart)
    return {result.subject: result for _, results in found for result in results}


def _run_first_apart(
    case_path: Path, subjects: list[Subject], specs: Sequence[SceneSpec], blocks: int
) -> list[Result]:
    """Run each program alone, to learn which of them take their process down."""
    results = []
    for subject in subjects:
        try:
            results += run_apart(_run_first, case_path, [subject], specs, blocks)
        except GuestError as error:
            results.append(Result(subject, crash=str(error)))
    return results


def _run_first(
    case_path: Path, subjects: list[Subject], specs: Sequence[SceneSpec], blocks: int
) -> list[Result]:
    case = read_case(case_path)
    scenes = [Scenes.make(case, [spec]) for spec in specs]
    results = []
    for subject in subjects:
        bound = bound_case_for(case_path, subject)
        usual, bound.machine.budget = bound.machine.budget, Budget(blocks, 0.05)
        for one in scenes:
            result = run_scenes(subject, bound, one)
            if _is_wrong(result):
                break
        bound.machine.budget = usual
        results.append(result)
    return results


# -- equivalent mutants ----------------------------------------------------------------------


def read_equivalent(path: Path, case: str) -> dict[str, str]:
    """The mutants of a case that are known to be equivalent, by key, with the reason for each.

    The file has lists for one case each, or for several with ", " between their names. They are of
    groups with a ``reason`` and the ``mutants`` it is of, or the functions that are ``not_called``.
    """
    return {
        key: group["reason"] for group in _groups(path, case) for key in group.get("mutants", ())
    }


def read_uncalled(path: Path, case: str) -> list[str]:
    """The functions that a case is said not to call, as "FILE, FUNCTION"."""
    return [name for group in _groups(path, case) for name in group.get("not_called", ())]


def _groups(path: Path, case: str) -> list[dict[str, Any]]:
    lists: dict[str, list[dict[str, Any]]] = yaml.safe_load(path.read_text("utf-8")) or {}
    return [group for cases in lists for group in lists[cases] if case in cases.split(", ")]


def with_equivalent(tried: Sequence[Tried], known: Mapping[str, str]) -> list[Tried]:
    """Survivors that are known to be equivalent are marked so, with the reason.

    Raises:
        MacproofError: a mutant that is said to be equivalent is refuted, or there is none.
    """
    fates: dict[str, set[str]] = {}
    for one in tried:
        fates.setdefault(one.mutant.key, set()).add(one.fate)
    wrong = [key for key in known if fates.get(key, set()) != {SURVIVED}]
    if wrong:
        became = {key: ", ".join(sorted(fates.get(key, {"no such mutant"}))) for key in wrong}
        told = "\n".join(f"  {key} ({fate})" for key, fate in became.items())
        raise MacproofError(f"these are listed as equivalent, and did not survive:\n{told}")
    return [
        dataclasses.replace(one, fate=LISTED, why=known[one.mutant.key])
        if one.mutant.key in known
        else one
        for one in tried
    ]


# -- words -----------------------------------------------------------------------------------


def table(tried: Sequence[Tried]) -> str:
    """How many mutants of each operator came to what, and the share of those found out.

    The share leaves out what is the original's code, does not compile, or is equivalent.
    """
    counts = Counter((one.mutant.operator, one.fate) for one in tried)
    operators = sorted({one.mutant.operator for one in tried})
    lines = [f"{'operator':12}" + "".join(f"{fate:>12}" for fate in FATES) + f"{'score':>9}"]
    for operator in [*operators, "all"]:
        row = [
            sum(counts[name, fate] for name in operators)
            if operator == "all"
            else counts[operator, fate]
            for fate in FATES
        ]
        decided = sum(row[:3])
        score = f"{(row[0] + row[1]) / decided:8.1%}" if decided else "-"
        lines.append(f"{operator:12}" + "".join(f"{count:12,}" for count in row) + f"{score:>9}")
    return "\n".join(lines)


def words(one: Tried) -> str:
    """A mutant in words: where, and what became what."""
    mutant = one.mutant
    return (
        f"{mutant.file}:{mutant.line} in {mutant.function} ({mutant.operator})\n"
        f"    {mutant.before}\n -> {mutant.after}"
    )


def as_data(one: Tried) -> dict[str, object]:
    """A mutant as JSON holds it."""
    mutant = one.mutant
    named = ("file", "line", "function", "operator", "before", "after", "key")
    return {**{name: getattr(mutant, name) for name in named}, "fate": one.fate, "why": one.why}


def main() -> int:
    """Try the mutants of each case and print what the scenes did not find."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", metavar="CASE")
    parser.add_argument("--cpu", choices=list(ALL_TARGETS), default="68040")
    parser.add_argument("--build", default="O1")
    parser.add_argument("--jobs", type=int, default=0, help="processes (default: all processors)")
    parser.add_argument("--limit", type=int, default=0, help="at most so many mutants of a case")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    os.nice(5)
    # Compiled mutants are of use to the next run of this tool, and to nothing else.
    os.environ["MACPROOF_CACHE"] = str(cache_folder() / "mutants")
    jobs = arguments.jobs or default_jobs()
    document, survivors = {}, 0
    for name in arguments.cases:
        case = load_case(name)
        uncalled = read_uncalled(EQUIVALENT, case.name)
        if uncalled:
            require_uncalled(case, uncalled, cpu=arguments.cpu, build=arguments.build)
        mutants = [m for m in mutants_of(sources_of(case)) if m.place not in uncalled]
        every = -(-len(mutants) // arguments.limit) if arguments.limit else 1
        chosen = mutants[::every]
        tried = try_mutants(case, chosen, cpu=arguments.cpu, build=arguments.build, jobs=jobs)
        if every == 1:
            tried = with_equivalent(tried, read_equivalent(EQUIVALENT, case.name))
        print(f"{case.name}, {arguments.cpu}, {arguments.build}\n\n{table(tried)}\n", flush=True)
        for one in tried:
            if one.fate == SURVIVED:
                survivors += 1
                print(words(one), flush=True)
        document[case.name] = [as_data(one) for one in tried]
    if arguments.json:
        arguments.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 1 if survivors else 0


if __name__ == "__main__":
    # Workers do not know the main module, so what they run is that of the module's own name.
    from benchmarks import mutants

    try:
        sys.exit(mutants.main())
    except MacproofError as error:
        sys.exit(f"error: {error}")
