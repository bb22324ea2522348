"""Case files with anything in them are read, or refused with a reason."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from emu.base.errors import CaseError, MacproofError
from emu.cases.case_file import read_case

ROOT = Path(__file__).parents[2]
FILES = ("examples/bounce/case.yaml", "mac_src/four_shifts/case.yaml")
VALUES: tuple[Any, ...] = (
    *(None, "", "x\n", "os:system", "a b", "x" * 5000, "../" * 50, "\0", "\ud800", True, [], {}),
    *(-1, 0, 1 << 70, 1e308, float("nan"), [[]], {"": None}, {"points_to": None}, {1: 2}, ["x"]),
    *({"address_of": "x"}, {"count": 1}, {"python": "os:system"}, "linked-list", "/dev/null"),
)


def keys_of(data: Any) -> Any:
    """The keys or indices of what is in a document; none if nothing is in it."""
    if isinstance(data, dict):
        return data.keys()
    return range(len(data)) if isinstance(data, list) else ()


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a document."""
    return [
        one for key in keys_of(data) for one in ((*path, key), *places(data[key], (*path, key)))
    ]


def spoil(data: Any, random: Random) -> None:
    """Change, remove, copy or rename one value."""
    all_of_them = places(data)
    *path, last = random.choice(all_of_them)
    inside = data
    for key in path:
        inside = inside[key]
    how = random.randrange(4)
    if how == 0:
        del inside[last]
    elif how == 1 and isinstance(inside, dict):
        inside[random.choice(("count", "address_of", "x.y", "...", "", "call"))] = inside.pop(last)
    elif how == 2:
        other: Any = data
        for key in random.choice(all_of_them):
            other = other[key] if key in keys_of(other) else other
        inside[last] = copy.deepcopy(other)
    else:
        inside[last] = copy.deepcopy(random.choice(VALUES))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_any_case_file_is_read_or_refused(file: str, tmp_path: Path) -> None:
    random, original = Random(file), ROOT / file
    whole = yaml.safe_load(original.read_text())
    path = shutil.copytree(original.parent, tmp_path / "case") / "case.yaml"
    refused, escaped = 0, []
    for _ in range(1500):
        data = copy.deepcopy(whole)
        for _ in range(random.randrange(1, 4)):
            if places(data):
                spoil(data, random)
        text = yaml.safe_dump(data, allow_unicode=True).encode("utf-8", "surrogatepass")
        path.write_bytes(text)
        try:
            read_case(path)
        except MacproofError as error:
            refused += error.exit_code == 2
        except Exception as error:
            escaped.append(f"{type(error).__name__}: {error}\n{text!r:.1500}")
    assert not escaped, f"{len(escaped)}: " + "\n".join(escaped[:5])
    assert refused > 500


@pytest.mark.parametrize("value", ["os:system", "", "x y", "x\n", "pascal c x"])
def test_a_member_that_is_no_phrase(tmp_path: Path, value: str) -> None:
    """Other words stand in the schema; these came through it."""
    for name in ("bounce.cpp", "bounce_reference.py"):
        (tmp_path / name).write_bytes((ROOT / "examples/bounce" / name).read_bytes())
    data = yaml.safe_load((ROOT / FILES[0]).read_text())
    data["arguments"] = {"where": {"v": "x", "h": value}}
    (tmp_path / "case.yaml").write_text(yaml.safe_dump(data))
    with pytest.raises(CaseError, match=r"case\.yaml, line"):
        read_case(tmp_path / "case.yaml")


def test_a_source_whose_name_no_file_can_have(tmp_path: Path) -> None:
    data = yaml.safe_load((ROOT / FILES[0]).read_text())
    data["sources"] = ["x" * 5000 + ".cpp"]
    (tmp_path / "case.yaml").write_text(yaml.safe_dump(data))
    (tmp_path / "bounce_reference.py").write_bytes(
        (ROOT / "examples/bounce/bounce_reference.py").read_bytes()
    )
    with pytest.raises(CaseError):
        read_case(tmp_path / "case.yaml")
