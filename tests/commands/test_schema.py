"""``macproof schema`` as people use it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from emu.commands.schema import READ, WRITTEN
from posts.schemas import SCHEMAS


def test_all_are_listed_with_what_they_are_of(macproof):
    done = macproof("schema")
    assert (done.code, done.err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert lines.keys() == WRITTEN.keys() | READ.keys() | SCHEMAS.keys()
    assert lines["macproof.profile/1"] == "macproof timing --profile --json"
    assert lines["macproof.case/1"] == "case files"


@pytest.mark.parametrize("name", ["report", "macproof.report/1", "case", "macproof.case/1"])
def test_one_is_printed(macproof, name):
    done = macproof("schema", name)
    assert (done.code, done.err) == (0, "")
    schema = json.loads(done.out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert name in schema["properties"]["schema"]["const"]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("reprot", "did you mean report?"),
        ("macproof.report/7", "there are bundle, calibration, "),
        ("", "calibration"),
    ],
)
def test_an_unknown_name_is_told(macproof, name, remedy):
    done = macproof("schema", name)
    assert (done.code, done.out) == (2, "")
    assert remedy in done.err
