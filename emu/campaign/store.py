"""Keeps a campaign in a file of SQLite: its plan, and each shard as soon as it is done.

A shard is written in one transaction. A process that is killed thus loses the shards that it was
working on, and no other. SQLite does not notice every change that a failing disk makes, so each row
has the digest of what is in it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from emu.base.errors import InputError, MacproofError
from emu.campaign.plan import CampaignPlan
from emu.campaign.shard import Shard
from emu.report.json_form import from_plain, plain
from emu.verify.runs.verdicts import Result

FILE = "campaign.sqlite"
SCHEMA = "macproof.campaign-store/3"

_TABLES = """
CREATE TABLE plan (schema TEXT NOT NULL, plan TEXT NOT NULL, sha256 BLOB NOT NULL);
CREATE TABLE shards (
  number INTEGER PRIMARY KEY, inputs BLOB NOT NULL, answers BLOB NOT NULL, results TEXT NOT NULL,
  seconds REAL NOT NULL, sha256 BLOB NOT NULL
);
"""


class CampaignFullError(MacproofError):
    """What was found could not be stored; what was stored before is kept."""


class CampaignStore:
    """The file of a campaign. Use it in a ``with`` block, which closes it.

    Args:
        path: the file; it must exist.

    Raises:
        InputError: it is missing, damaged, or no campaign.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InputError(
                path, "there is no campaign", remedy="Begin one with macproof campaign run."
            )
        with self._damage_as_errors():
            self._database = sqlite3.connect(path, timeout=60, isolation_level=None)
            # As safe as the slower kinds against everything but a failing disk.
            self._database.execute("PRAGMA journal_mode = DELETE")
            (answer,) = self._database.execute("PRAGMA integrity_check(1)").fetchone()
            if answer != "ok":
                raise ValueError(answer)
            (schema,) = self._database.execute("SELECT schema FROM plan").fetchone()
        if schema != SCHEMA:
            raise InputError(path, f"it is a {schema}, and this macproof reads {SCHEMA}")
        with self._damage_as_errors():
            text, digest = self._database.execute("SELECT plan, sha256 FROM plan").fetchone()
            _require_digest("the plan", digest, text)
            self.plan = from_plain(CampaignPlan, json.loads(text))

    @classmethod
    def create(cls, path: Path, plan: CampaignPlan) -> CampaignStore:
        """Make the file of a new campaign. It appears whole or not at all.

        Raises:
            CampaignFullError: it cannot be written.
        """
        new = path.with_name(f"{path.name}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            with contextlib.closing(sqlite3.connect(new)) as database:
                database.executescript(_TABLES)
                text = _text(plain(plan))
                row = (SCHEMA, text, _digest_of(text))
                database.execute("INSERT INTO plan VALUES (?, ?, ?)", row)
                database.commit()
            new.replace(path)
        except (OSError, sqlite3.Error) as error:
            with contextlib.suppress(OSError):
                new.unlink()
            raise CampaignFullError(f"{path} cannot be made: {error}") from error
        return cls(path)

    def __enter__(self) -> CampaignStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._database.close()

    def add(self, shard: Shard, seconds: float) -> None:
        """Keep a shard. One that is there already stays.

        Args:
            shard: the shard.
            seconds: how long the run took since the shard that was kept before it.

        Raises:
            CampaignFullError: there is no room for it, or the file cannot be written.
        """
        results = _text([plain(result) for result in shard.results])
        row = (shard.number, shard.inputs, shard.answers, results, seconds)
        insert = "INSERT OR IGNORE INTO shards VALUES (?, ?, ?, ?, ?, ?)"
        try:
            self._database.execute(insert, (*row, _digest_of(*row)))
        except sqlite3.Error as error:
            raise CampaignFullError(
                f"{self.path}: shard {shard.number} could not be kept: {error}. The shards before "
                "it are kept; run the campaign again when the cause is removed"
            ) from error

    def numbers(self) -> set[int]:
        """The numbers of the shards that are done."""
        with self._damage_as_errors():
            numbers = {number for (number,) in self._database.execute("SELECT number FROM shards")}
            if not numbers <= set(range(self.plan.shards)):
                raise ValueError("it has shards that its plan has not")
            return numbers

    def seconds(self) -> float:
        """How long the campaign has run, in seconds, over all interruptions."""
        with self._damage_as_errors():
            (total,) = self._database.execute("SELECT TOTAL(seconds) FROM shards").fetchone()
        return float(total)

    def shards(self) -> Iterator[Shard]:
        """The shards that are done, in the order of their numbers.

        Raises:
            InputError: the file is damaged.
        """
        with self._damage_as_errors():
            for *row, digest in self._database.execute("SELECT * FROM shards ORDER BY number"):
                _require_digest(f"shard {row[0]}", digest, *row)
                number, inputs, answers, results, _ = row
                parsed = tuple(from_plain(Result, result) for result in json.loads(results))
                self._require_complete(number, parsed)
                yield Shard(number, inputs, answers, parsed)

    def _require_complete(self, number: object, results: tuple[Result, ...]) -> None:
        """Require that a shard is one of the plan's, and has a result of each program."""
        if number not in range(self.plan.shards):
            raise ValueError(f"the plan has no shard {number}")
        names = {f"{result.subject.cpu} {result.subject.build}" for result in results}
        if not results or names != set(self.plan.programs):
            raise ValueError(f"shard {number} lacks results of programs")

    @property
    def read(self) -> list[tuple[str, str]]:
        """The files that the case's Python has read for these shards, each with its digest."""
        return sorted(
            {file for shard in self.shards() for res in shard.results for file in res.read}
        )

    @contextlib.contextmanager
    def _damage_as_errors(self) -> Iterator[None]:
        """Errors of a damaged file are told as such."""
        try:
            yield
        except _DAMAGE as error:
            raise InputError(
                self.path,
                f"the campaign is damaged: {error}",
                remedy="Put a copy in its place, or delete it; then run the campaign again.",
            ) from error


_DAMAGE = (
    *(sqlite3.Error, ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError),
    *(RecursionError, MemoryError),
)


def _digest_of(*parts: object) -> bytes:
    """One digest for numbers, texts and bytes."""
    return hashlib.sha256(repr(parts).encode()).digest()


def _require_digest(what: str, digest: bytes, *parts: object) -> None:
    if digest != _digest_of(*parts):
        raise ValueError(f"{what} is not as it was stored")


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
