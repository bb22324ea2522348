"""``macproof museum CASE``: in how many rooms a case is shown, by its file's own section."""

import argparse

from rich.console import Console

import macproof

SCHEMA = {
    "type": "object",
    "required": ["rooms"],
    "additionalProperties": False,
    "properties": {"rooms": {"type": "integer", "minimum": 1}},
}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("case", help="the case that the museum shows")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the number of rooms."""
    case = macproof.load_case(arguments.case)
    section = case.extra.get("museum")
    if section is None:
        raise macproof.UsageError(f"{case.name} is not in the museum")
    section.check(SCHEMA)
    console.print(f"{section.data['rooms']} rooms")
    return 0
