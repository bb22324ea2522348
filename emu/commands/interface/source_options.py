"""Options that name sources and the headers to compile them with."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from emu.base.errors import UsageError
from emu.cases.programs.sources import Replacements
from emu.toolchain.mac_c.named_headers import HeaderFolder, Prefix, named_headers


class SourceAction(argparse.Action):
    """Stores ``--source FILE`` as a path, ``NAME=FILE`` as a dictionary of paths by names."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Store one value; the parser ends with a message where two contradict each other."""
        text, before = str(values), getattr(namespace, self.dest)
        name, equals, file = text.partition("=")
        # The name of a source is relative to its case and does not lead out of its folder.
        if not equals or name.startswith(("/", ".")) or Path(text).is_file():
            if before is not None:
                parser.error("--source FILE takes the place of all sources; give it once, alone")
            setattr(namespace, self.dest, Path(text))
            return
        if isinstance(before, Path):
            parser.error("--source FILE takes the place of all sources; give it once, alone")
        if name in (before or {}):
            parser.error(f"--source takes the place of {name} twice")
        setattr(namespace, self.dest, {**(before or {}), name: Path(file)})


def source_files(source: Path | Replacements | None) -> tuple[Path, ...]:
    """The files given with ``--source``."""
    if isinstance(source, Mapping):
        return tuple(source.values())
    return () if source is None else (source,)


def whole_source(source: Path | Replacements | None, what: str) -> Path | None:
    """The one file given with ``--source``, where single sources cannot be replaced.

    Raises:
        UsageError: ``--source NAME=FILE`` was given. The message begins with ``what``.
    """
    if isinstance(source, Mapping):
        raise UsageError(f"{what} takes one whole program with --source FILE, not NAME=FILE")
    return source


def add_header_options(parser: argparse.ArgumentParser) -> None:
    """Declare ``--prefix`` and ``--headers``: which headers sources are compiled with."""
    parser.add_argument(
        "--prefix",
        action="append",
        default=[],
        metavar="HEADER",
        help="let every source begin with this header: a file, or MacHeaders; may be repeated",
    )
    parser.add_argument(
        "--headers",
        metavar="DIR",
        help="take Toolbox headers from this folder, in place of macproof's own",
    )


def headers_of_options(
    prefix: Sequence[str], headers: str | None = None, include: Sequence[Path | str] = ()
) -> tuple[tuple[Prefix, ...], HeaderFolder | None]:
    """The headers that ``--prefix`` and ``--headers`` name; ``--include`` is checked, too.

    Raises:
        UsageError: there is no such file or folder.
    """
    named = named_headers(prefix, headers, "--")
    for path in map(Path, include):
        if not path.is_dir():
            raise UsageError(f"--include: there is no folder {path}")
    return named
