"""Records calls of a port's functions, in another process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.machine.guest_process import GuestWorkers
from emu.port.model import ClaimedFunction
from emu.port.original.session import PLAIN_SETTINGS, SessionTerms
from emu.port.project.project import Project
from emu.port.recording.recordings import open_store, record_script
from emu.port.verify.build import PortBuild, build_port, claimed
from emu.port.verify.documents import RecordReport, record_report


@dataclass(frozen=True, slots=True)
class RecordLimits:
    """How much is kept.

    Attributes:
        calls: how many calls of each function.
        megabytes: from how many megabytes of the file on no more is kept.
        seconds: after how many seconds of the processor's time a run ends.
    """

    calls: int = 60
    megabytes: int = 1024
    seconds: int = 600


def record_port(
    project: Project,
    scripts: Sequence[Path],
    limits: RecordLimits | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> list[RecordReport]:
    """Run the old program with scripts, and keep calls of the port's functions.

    Args:
        project: the port.
        scripts: what its user does, in a run each.
        limits: how much is kept.
        on_progress: called several times a second with how far it is, in words.

    Raises:
        CaseError: a mark or a script is wrong, or the original is another one.
        ToolMissingError, CompileError: the sources are not compiled.
        UsageError: the file of recordings is damaged, or of another program.
        ProcessDown: the program brought its process down.
    """
    port = build_port(project)
    functions = claimed(port.claims, (), project.path)
    with GuestWorkers(1) as workers:
        return [
            workers.once(
                _record, port, functions, script, limits or RecordLimits(), on_report=on_progress
            )
            for script in scripts
        ]


def _record(
    port: PortBuild,
    functions: Sequence[ClaimedFunction],
    script: Path,
    limits: RecordLimits,
    on_progress: Callable[[str], None] = lambda words: None,
) -> RecordReport:
    began = time.process_time()
    settings = replace(PLAIN_SETTINGS, timeout=float(limits.seconds))
    terms = SessionTerms.of(port.project, settings)
    with open_store(port.project, terms) as store:
        run, kept = record_script(
            terms,
            script,
            store,
            places=[one.place for one in functions],
            globals_=[(one.place, max(one.size, 1)) for one in port.claims.globals],
            most=limits.calls,
            most_bytes=limits.megabytes << 20,
            on_progress=lambda words: on_progress(f"{script.name}: {words}"),
        )
        size = store.size
    names = [(one.name, one.place) for one in functions]
    return record_report(script, names, run, kept, size, time.process_time() - began)
