"""Says where programs came from, and with what they were verified."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from emu.engines.registry import engine_of
from emu.verify.documents.merged_texts import merge_by_text
from emu.verify.report.receipt import SourceDigests
from emu.verify.report.report import ProgramResult, VerifyReport


def origin_sentences(report: VerifyReport) -> Iterator[str]:
    """Where the programs, and symbols and types from other files, come from."""
    yield f"Where they came from: {report.receipt.programs}."
    yield from merge_by_text(
        (result.name, f"executed by {result.engine}{_limits(result)}")
        for result in report.results
        if not result.is_on_unicorn
    )
    for result in report.results:
        name = Path(result.program.file).name
        symbols, types = result.program.symbols, result.program.types
        if symbols:
            yield f"Symbols of {name} from {symbols.file}."
        if types:
            yield (
                f"{name} has no types for {', '.join(types.variables)}. They are taken from the "
                f"case's own program, build {types.build} ({types.file}). The addresses are those "
                f"of {name}, and the sizes agree."
            )


def _limits(result: ProgramResult) -> str:
    """What an engine other than Unicorn does not check or execute, as the end of a sentence."""
    abilities = engine_of(result.engine.partition(" ")[0]).abilities
    if abilities.counts:
        return "."
    if not abilities.contract:
        return (
            ", which does not check registers, the stack, instructions, and memory that no "
            "variable names."
        )
    return ", which does not check which instructions the processor has."


def receipt_lines(report: VerifyReport) -> Iterator[str]:
    """What a reader needs to make the same verification again, a line each."""
    receipt, source = report.receipt, report.receipt.source
    yield f"command: {shlex.join(receipt.command)}"
    yield (
        f"source: {replacement(source) or ', '.join(source.files)}; "
        f"SHA-256 of everything compiled: {source.sha256}"
    )
    yield f"programs: {receipt.programs}"
    for build in dict.fromkeys((r.program.command, r.program.compiler) for r in report.results):
        yield f"compiler: {' is '.join(filter(None, build))}"
    yield f"reference: {receipt.reference}"
    if receipt.read_files:
        files = [f"{name} ({digest})" for name, digest in receipt.read_files.items()]
        yield f"files that the case's Python has read: {', '.join(files)}"
    yield (
        f"engine: {receipt.engine}, macproof {receipt.macproof}, Python {receipt.python}, "
        f"NumPy {receipt.numpy}"
    )


def replacement(source: SourceDigests) -> str:
    """The files that were compiled in place of the case's own sources; "" if none were."""
    if isinstance(source.replaced_by, Mapping):
        return ", ".join(f"{name}={path}" for name, path in source.replaced_by.items())
    return source.replaced_by or ""
