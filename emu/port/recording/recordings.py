"""Opens the recordings of a port, and adds those of a script."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from emu.base.errors import UsageError
from emu.port.original.session import Session, SessionTerms
from emu.port.project.project import Project
from emu.port.recording.recorder import Recorder, RecordTerms, layout_facts
from emu.port.recording.store import RecordedRun, RecordingStore

_FILE = "recordings.sqlite"


def recordings_path(project: Project) -> Path:
    """The file of a port's recordings."""
    return project.folder / project.recordings / _FILE


def recording_digests(project: Project, places: Iterable[str]) -> dict[str, str]:
    """The digest of what is kept of each function, by its place; no engine is made for that.

    Raises:
        UsageError: the file is damaged, or of another program.
    """
    facts = {"original": project.digest, "processor": project.cpu}
    with contextlib.closing(RecordingStore(recordings_path(project), facts)) as store:
        return {place: store.digest(place) for place in places}


@contextlib.contextmanager
def open_store(project: Project, terms: SessionTerms) -> Iterator[RecordingStore]:
    """The recordings of a port.

    Raises:
        UsageError: the file is damaged, or of another program.
    """
    facts = layout_facts(Session(terms), project.digest)
    with contextlib.closing(RecordingStore(recordings_path(project), facts)) as store:
        yield store


def record_script(
    terms: SessionTerms,
    script: Path,
    store: RecordingStore,
    *,
    places: Sequence[str],
    globals_: Sequence[tuple[str, int]],
    most: int,
    most_bytes: int,
    on_progress: Callable[[str], None] = lambda words: None,
) -> tuple[RecordedRun, dict[str, int]]:
    """Run the program with a script and keep calls.

    Args:
        terms: the program.
        script: what its user does.
        store: where calls are kept; those of an earlier run of the same script go.
        places: the functions.
        globals_: place and size of each global that tells calls apart.
        most: how many calls of each function are kept.
        most_bytes: the size of the file from which on no more are kept.
        on_progress: called several times a second with how far it is, in words.

    Returns:
        The run, and how many calls of each function were kept, by place.

    Raises:
        UsageError: somebody else records into the file, or it cannot be written.
    """
    with _sole_recorder(store.path):
        recorder = Recorder(terms, script, RecordTerms(places, globals_, most, most_bytes), store)
        return recorder.record(on_progress), recorder.kept_counts


@contextlib.contextmanager
def _sole_recorder(path: Path) -> Iterator[None]:
    """Hold a lock beside a file of recordings; it goes with the process, however that ends."""
    lock = path.with_suffix(".lock")
    try:
        file = lock.open("ab")
    except OSError as error:
        raise UsageError(f"{lock}: it cannot be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(
                f"{path}: another recording into it is under way; wait for its end"
            ) from error
        yield
