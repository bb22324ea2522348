"""The option that every benchmark has: a short form, to see that it works and not how fast it is.

``tests/test_benchmarks.py`` runs each benchmark with it.
"""

from __future__ import annotations

from argparse import ArgumentParser


def parser_of(document: str | None) -> ArgumentParser:
    """A parser of the words behind a benchmark's name, with ``--short``.

    Args:
        document: the docstring of the benchmark's module; its first line says what is measured.
    """
    parser = ArgumentParser(description=(document or "").partition("\n")[0])
    parser.add_argument(
        "--short",
        action="store_true",
        help="do little of each: the figures show that it works, and not how fast it is",
    )
    return parser
