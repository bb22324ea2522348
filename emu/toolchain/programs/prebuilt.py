"""The small compiled programs that come with macproof, for machines without cross compilers.

For each program a manifest records the digest of its sources, its compiler and its flags. A
prebuilt program is used only if the sources still have that digest. Where the same compiler is
installed, compiling must give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.errors import ProgramError, ToolMissingError
from emu.base.files import read_file, write_whole
from emu.toolchain.build_cache import digest_of
from emu.toolchain.builds import ALL_TARGETS, Build, Target, labelled
from emu.toolchain.compiler_choice import Named
from emu.toolchain.compilers.find import absent, find_compiler, how_to_install
from emu.toolchain.programs.gcc import BuiltProgram, compile_flags, compile_program
from emu.toolchain.sources import Sources, SourceTree

_SCHEMA = "macproof.prebuilt/1"
_MANIFEST = "manifest.json"
_ENTRY = ("case", "cpu", "build", "file", "sha256", "source_sha256", "compiler", "flags")


@dataclass(frozen=True, slots=True)
class Provision:
    """Programs to run, and a note for the report that says where they came from."""

    programs: tuple[BuiltProgram, ...]
    note: str


def compiles(target: Target, use: str, named: Named) -> bool:
    """Whether `provide` would compile for a target; with "auto" it does if it has a compiler.

    Raises:
        ToolMissingError, UsageError: the compiler that is named for it cannot be used.
    """
    return use == "compiled" or (use == "auto" and find_compiler(target, named) is not None)


def provide(
    name: str,
    tree: SourceTree | Sources,
    targets: Sequence[Target],
    builds: Sequence[Build],
    folder: Path,
    *,
    use: str = "auto",
) -> Provision:
    """Compile or find one program for every target and build.

    What there is a compiler for is compiled, and the rest is looked for among the prebuilt ones.

    Args:
        name: the case's name in the manifest.
        tree: what to compile; a `SourceTree` is read once, so that every program is made from the
            same files.
        targets: the processors, and whose code each executes.
        builds: the builds.
        folder: where the prebuilt programs lie.
        use: "compiled", "prebuilt", or "auto", which compiles for each target with a compiler.

    Raises:
        ToolMissingError: a compiler is missing, and no prebuilt program was made from these
            sources.
        UsageError: the compiler that is named for a target cannot be used.
        CompileError: a source does not compile.
        ProgramError: a prebuilt program is damaged, or differs from what the same compiler makes.
    """
    sources = tree if isinstance(tree, Sources) else tree.read()
    named = sources.tree.compilers
    compiled = [target for target in targets if compiles(target, use, named)]
    ready = [
        _find(name, sources, target, build, folder)
        for target in targets
        if target not in compiled
        for build in builds
    ]
    built = [(b, compile_program(sources, b, target)) for target in compiled for b in builds]
    notes = [_check(name, built, folder)] if built else []
    notes += [f"{len(ready)} prebuilt, of these very sources"] if ready else []
    order = [target.name for target in targets]
    programs = [*(program for _, program in built), *ready]
    programs.sort(key=lambda program: order.index(labelled(program.cpu, program.code)))
    return Provision(tuple(programs), "; ".join(notes))


def write(name: str, programs: Sequence[BuiltProgram], folder: Path) -> Path:
    """Store compiled programs as the prebuilt ones of a case; the manifest's path."""
    others = [e for e in _read_manifest(folder) if e["case"] != name]
    entries = []
    for program in programs:
        file = f"{name}-{program.cpu}-{program.build}.elf"
        write_whole(folder / file, read_file(program.path))
        entries.append(
            {
                "case": name,
                "cpu": program.cpu,
                "build": program.build,
                "file": file,
                "sha256": program.sha256,
                "source_sha256": program.source_digest,
                "compiler": program.compiler,
                "flags": list(program.flags),
            }
        )
    manifest = folder / _MANIFEST
    everything = sorted(others + entries, key=lambda e: (e["case"], e["cpu"], e["build"]))
    text = json.dumps({"schema": _SCHEMA, "programs": everything}, indent=1) + "\n"
    write_whole(manifest, text.encode())
    return manifest


def _read_manifest(folder: Path) -> list[dict[str, Any]]:
    path = folder / _MANIFEST
    if not path.exists():
        return []
    try:
        data = json.loads(path.read_text())
        if data["schema"] != _SCHEMA:
            raise ProgramError(path, f"it is of schema {data['schema']}, not {_SCHEMA}")
        return [{key: entry[key] for key in _ENTRY} for entry in data["programs"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProgramError(path, f"it is damaged ({error!r})") from error


def _entry(folder: Path, name: str, cpu: str, build: str) -> dict[str, Any] | None:
    wanted = (name, cpu, build)
    entries = (e for e in _read_manifest(folder) if (e["case"], e["cpu"], e["build"]) == wanted)
    return next(entries, None)


def _find(name: str, sources: Sources, target: Target, build: Build, folder: Path) -> BuiltProgram:
    """The prebuilt program for a target.

    Raises:
        ToolMissingError: there is none of these sources, so that a compiler is needed.
        ProgramError: it is damaged.
    """
    cpu = target.code or target.cpu
    what = f"{name} for the {cpu}, build {build.name}"
    entry = _entry(folder, name, cpu, build.name)
    digest, problem = sources.digest(), ""
    if entry is None:
        problem = f"there is no prebuilt program of {what}"
    elif (entry["source_sha256"], tuple(entry["flags"])) != (
        digest,
        compile_flags(sources, build, target),
    ):
        problem = f"the prebuilt program of {what} was made from other sources or flags"
    if entry is None or problem:
        if find_compiler(target, sources.tree.compilers) is not None:
            raise ToolMissingError(f"{problem}. Compile it: leave out --programs prebuilt")
        raise ToolMissingError(f"{absent(target)}, and {problem}. {how_to_install([target])}")
    path = folder / entry["file"]
    if not path.is_file():
        raise ProgramError(path, "the manifest names this file, but it is missing")
    if digest_of(path) != entry["sha256"]:
        raise ProgramError(path, "its SHA-256 is not the one in the manifest")
    return BuiltProgram(
        path=path,
        cpu=target.cpu,
        build=target.label(build.name),
        compiler=entry["compiler"],
        flags=tuple(entry["flags"]),
        source_digest=digest,
        origin="prebuilt",
        sha256=entry["sha256"],
        files=sources.digests(),
        code=target.code,
    )


def _check(name: str, programs: Sequence[tuple[Build, BuiltProgram]], folder: Path) -> str:
    """Say how programs compare with prebuilt ones, which variants of builds do not have."""
    same = other_source = other_compiler = 0
    for build, program in programs:
        if build.is_variant:
            continue
        entry = _entry(folder, name, program.code or program.cpu, build.name)
        if entry is None or entry["source_sha256"] != program.source_digest:
            other_source += 1
        elif entry["compiler"] != program.compiler:
            other_compiler += 1
        elif tuple(entry["flags"]) != program.flags:
            other_source += 1
        elif entry["sha256"] != program.sha256:
            raise ProgramError(
                folder / entry["file"],
                "the same sources, compiler and flags give another program",
                remedy="Write it again: macproof build --write-prebuilt.",
            )
        else:
            same += 1
    usual = {ALL_TARGETS[program.code or program.cpu].compiler for _, program in programs}
    others = dict.fromkeys(
        program.command for _, program in programs if program.command not in usual
    )
    parts = [f"{len(programs)} compiled" + (f" by {' and '.join(others)}" if others else "")]
    if same:
        parts.append(f"{same} identical to the prebuilt ones")
    if other_compiler:
        parts.append(f"{other_compiler} prebuilt ones not comparable (another compiler)")
    if other_source:
        parts.append(f"{other_source} of them from sources that no prebuilt program is made of")
    return ", ".join(parts)
