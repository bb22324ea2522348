"""The file of a port's recordings: an SQLite database with calls and the pages that they need.

A page of memory is kept once, under a number, whatever calls had it; so a thousand calls of a
program with a megabyte of memory take about fifteen bytes for each byte that changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.machine.memory.memory import PAGE
from emu.port.recording.toolbox_calls import ToolboxAnswer, decode, encode

_FORM = "2"
"""The first had calls of the Toolbox as text."""
_TABLES = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pages (
  number INTEGER PRIMARY KEY, digest BLOB UNIQUE NOT NULL, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS calls (
  number INTEGER PRIMARY KEY, place TEXT NOT NULL, script TEXT NOT NULL, turn INTEGER NOT NULL,
  registers BLOB NOT NULL, floats BLOB NOT NULL, pages BLOB NOT NULL, toolbox BLOB NOT NULL,
  patches TEXT NOT NULL, entry INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS calls_of_places ON calls (place);
CREATE TABLE IF NOT EXISTS runs (
  script TEXT PRIMARY KEY, counts TEXT NOT NULL, places TEXT NOT NULL, end TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS unfinished (script TEXT PRIMARY KEY, wanted TEXT NOT NULL);
"""
_ROOM = "; the folder for recordings has to be one that can be written, with room in it"
_LARGEST = 64 << 20
_PAGES_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of an old function.

    Attributes:
        place: the function's place.
        script: the digest of the script in whose run it happened.
        turn: which call of the function in that run it was, from 1.
        entry: the address of the function in that run.
        registers: all registers at its first instruction, by the engine's numbers.
        floats: the floating-point registers, of the PowerPC; else none.
        pages: the number in the store of each page of memory.
        toolbox: the calls of the Toolbox that it made, in their order.
        patches: the program's own routines for traps, by the trap's number.
    """

    place: str
    script: str
    turn: int
    entry: int
    registers: tuple[int, ...]
    floats: tuple[float, ...]
    pages: NDArray[np.uint32]
    toolbox: tuple[ToolboxAnswer, ...]
    patches: dict[int, int]


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run of the program from which calls were kept.

    Attributes:
        script: the digest of its script.
        counts: how often each function was called, by place.
        never_returned: how many calls of each never came back.
        end: why it could not go on; "" if it came to its end.
        places: where the segments of the program were in it, by the place of their first byte.
    """

    script: str
    counts: dict[str, int]
    never_returned: dict[str, int]
    end: str
    places: dict[str, int]


class RecordingStore:
    """Recordings in a file.

    Args:
        path: the file; it is made if it is not there.
        layout: what has to be the same in all recordings of a file: the original's digest, the
            processor, and the regions of memory.

    Raises:
        UsageError: the file is damaged, is none of this kind, or holds recordings of another
            program.
    """

    def __init__(self, path: Path, layout: dict[str, str]) -> None:
        self.path = path
        self._numbers: dict[bytes, int] = {}
        self._data: dict[int, NDArray[np.uint8]] = {}
        with self._as_damaged():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")  # a commit waits for no disk
            self._base.executescript(_TABLES)
            self._accept({"form": _FORM, **layout})
            (bytes_each,) = self._base.execute("PRAGMA page_size").fetchone()
            self._bytes_in_page = int(bytes_each)
            for number, digest in self._base.execute("SELECT number, digest FROM pages"):
                self._numbers[digest] = number

    @contextlib.contextmanager
    def _as_damaged(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError(f"{error.filename or self.path}: {error.strerror}{_ROOM}") from error
        except sqlite3.Error as error:
            raise UsageError(f"{self.path}: {_problem(error)}") from error

    def _accept(self, layout: dict[str, str]) -> None:
        held = dict(self._base.execute("SELECT name, value FROM facts"))
        for name, value in layout.items():
            if name in held and held[name] != value:
                raise UsageError(
                    f"{self.path}: it has recordings with another {name} ({_short(held[name])}, "
                    f"not {_short(value)}); delete it and record again"
                )
        self._base.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?)", layout.items())

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    # -- pages -------------------------------------------------------------------------------------

    def keep_page(self, data: bytes) -> int:
        """Keep a page; its number."""
        digest = hashlib.blake2b(data, digest_size=16).digest()
        number = self._numbers.get(digest)
        if number is None:
            with self._as_damaged():
                cursor = self._base.execute(
                    "INSERT INTO pages (digest, data) VALUES (?, ?)",
                    (digest, zlib.compress(data, 1)),
                )
            number = self._numbers[digest] = int(cursor.lastrowid or 0)
        return number

    def page(self, number: int) -> NDArray[np.uint8]:
        """The contents of a page.

        Raises:
            UsageError: it is not there, or damaged.
        """
        data = self._data.get(number)
        if data is None:
            with self._as_damaged():
                row = self._base.execute(
                    "SELECT data FROM pages WHERE number = ?", (number,)
                ).fetchone()
            try:
                content = _unpacked(row[0], PAGE + 1)
            except (ValueError, TypeError) as error:
                raise self._damaged(f"page {number}") from error
            if len(content) != PAGE:
                raise self._damaged(f"page {number}")
            if len(self._data) >= _PAGES_AT_ONCE * 16:
                self._data.clear()
            data = self._data[number] = np.frombuffer(content, dtype=np.uint8)
        return data

    @property
    def size(self) -> int:
        """The bytes of the file, with what waits in its log to be written there."""
        with self._as_damaged():
            (pages,) = self._base.execute("PRAGMA page_count").fetchone()
        return int(pages * self._bytes_in_page)

    # -- calls -------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all that is kept meanwhile, or nothing of it."""
        with self._as_damaged():
            self._base.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            self._numbers = {
                digest: number
                for number, digest in self._base.execute("SELECT number, digest FROM pages")
            }
            raise
        with self._as_damaged():
            self._base.execute("COMMIT")

    def keep(self, call: RecordedCall) -> int:
        """Keep a call; its number."""
        with self._as_damaged():
            cursor = self._base.execute(
                "INSERT INTO calls (place, script, turn, registers, floats, pages, toolbox, "
                "patches, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    call.place,
                    call.script,
                    call.turn,
                    struct.pack(f">{len(call.registers)}I", *call.registers),
                    struct.pack(f">{len(call.floats)}d", *call.floats),
                    zlib.compress(call.pages.astype(">u4").tobytes(), 1),
                    zlib.compress(encode(call.toolbox), 1),
                    json.dumps(call.patches),
                    call.entry,
                ),
            )
        return int(cursor.lastrowid or 0)

    def drop(self, number: int) -> None:
        """Keep a call no longer."""
        with self._as_damaged():
            self._base.execute("DELETE FROM calls WHERE number = ?", (number,))

    def drop_pages(self) -> None:
        """Keep no page that no call needs.

        Raises:
            UsageError: a call is damaged.
        """
        needed: set[int] = set()
        with self._as_damaged():
            for number, pages in self._base.execute("SELECT number, pages FROM calls"):
                try:
                    needed.update(_page_numbers(pages).tolist())
                except (ValueError, TypeError) as error:
                    raise self._damaged(f"call {number}") from error
            unused = [n for n in self._numbers.values() if n not in needed]
            self._base.executemany("DELETE FROM pages WHERE number = ?", ((n,) for n in unused))
        gone = frozenset(unused)
        self._numbers = {key: n for key, n in self._numbers.items() if n not in gone}

    def keep_run(self, run: RecordedRun) -> None:
        """Keep the facts of a run, as far as it has come."""
        with self._as_damaged():
            self._base.execute(
                "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)",
                (
                    run.script,
                    json.dumps({"counts": run.counts, "never": run.never_returned}),
                    json.dumps(run.places),
                    run.end,
                ),
            )

    def begin_run(self, script: str, wanted: str) -> dict[tuple[str, int], int]:
        """Begin to record a run, or go on with it if it was interrupted.

        Args:
            script: the digest of its script.
            wanted: what is recorded, in any words; if others are given than when it was
                interrupted, what was kept of it is dropped, and so it is if it had ended.

        Returns:
            The number of each call that is kept already, by its place and turn.
        """
        with self._as_damaged(), self.transaction():
            row = self._base.execute(
                "SELECT wanted FROM unfinished WHERE script = ?", (script,)
            ).fetchone()
            if row != (wanted,):
                for table in ("calls", "runs", "unfinished"):
                    self._base.execute(f"DELETE FROM {table} WHERE script = ?", (script,))
                self._base.execute("INSERT INTO unfinished VALUES (?, ?)", (script, wanted))
            rows = self._base.execute(
                "SELECT place, turn, number FROM calls WHERE script = ?", (script,)
            )
            return {(place, turn): number for place, turn, number in rows}

    def end_run(self, run: RecordedRun) -> None:
        """Keep the facts of a run that has ended; recording it again begins anew."""
        with self._as_damaged():
            self.keep_run(run)
            self._base.execute("DELETE FROM unfinished WHERE script = ?", (run.script,))

    def calls(self, place: str) -> Iterator[RecordedCall]:
        """The calls of a function, in the order in which they were kept.

        Raises:
            UsageError: one is damaged.
        """
        with self._as_damaged():
            rows = self._base.execute(
                "SELECT number, script, turn, registers, floats, pages, toolbox, patches, entry "
                "FROM calls WHERE place = ? ORDER BY number",
                (place,),
            ).fetchall()
        for number, script, turn, registers, floats, pages, toolbox, patches, entry in rows:
            try:
                yield RecordedCall(
                    place,
                    script,
                    turn,
                    entry,
                    struct.unpack(f">{len(registers) // 4}I", registers),
                    struct.unpack(f">{len(floats) // 8}d", floats),
                    _page_numbers(pages),
                    decode(_unpacked(toolbox, _LARGEST)),
                    {int(key): int(value) for key, value in json.loads(patches).items()},
                )
            except (ValueError, TypeError, KeyError, AttributeError, struct.error) as error:
                raise self._damaged(f"call {number} of {place}") from error

    def digest(self, place: str) -> str:
        """SHA-256 of the calls of a function that are kept."""
        found = hashlib.sha256()
        with self._as_damaged():
            for row in self._base.execute(
                "SELECT script, turn, registers, floats, pages, toolbox, patches, entry "
                "FROM calls WHERE place = ? ORDER BY number",
                (place,),
            ):
                found.update(repr(row).encode())
        return found.hexdigest()

    def counts(self) -> dict[str, int]:
        """How many calls of each function are kept, by place."""
        with self._as_damaged():
            rows = self._base.execute("SELECT place, COUNT(*) FROM calls GROUP BY place")
            return {str(place): int(count) for place, count in rows}

    def runs(self) -> list[RecordedRun]:
        """The runs that have been recorded.

        Raises:
            UsageError: one is damaged.
        """
        with self._as_damaged():
            rows = self._base.execute(
                "SELECT script, counts, places, end FROM runs ORDER BY rowid"
            ).fetchall()
        try:
            return [
                RecordedRun(
                    script,
                    dict(json.loads(counts)["counts"]),
                    dict(json.loads(counts)["never"]),
                    end,
                    dict(json.loads(places)),
                )
                for script, counts, places, end in rows
            ]
        except (ValueError, TypeError, KeyError) as error:
            raise self._damaged("a run") from error

    def _damaged(self, what: str) -> UsageError:
        return UsageError(f"{self.path}: {what} is damaged; delete the file and record again")


def _unpacked(data: bytes, largest: int) -> bytes:
    """Unpacked bytes.

    Raises:
        ValueError: they are damaged or too many.
    """
    machine = zlib.decompressobj()
    try:
        content = machine.decompress(data, largest)
    except (zlib.error, TypeError) as error:
        raise ValueError from error
    if not machine.eof:
        raise ValueError
    return content


def _page_numbers(data: bytes) -> NDArray[np.uint32]:
    return np.frombuffer(_unpacked(data, _LARGEST), dtype=">u4").astype(np.uint32)


def _problem(error: sqlite3.Error) -> str:
    """What is wrong with a file, and what to do, as a clause."""
    kind = getattr(error, "sqlite_errorname", "")
    if kind.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"another process writes it now ({error}); try again when that has ended"
    if kind.startswith(("SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN")):
        return f"it cannot be opened or written: {error}{_ROOM}"
    return f"it cannot be used as a file of recordings: {error}; delete it and record again"


def _short(value: str) -> str:
    return value if len(value) <= 40 else f"{value[:12]}..."
