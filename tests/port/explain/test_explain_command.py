"""``macproof port explain`` and ``verify --call``: exit codes, files, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.port.explain.test_explanation import ASSEMBLY, SOURCE
from tests.port.small_application import SmallPort, small_port

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SmallPort:
    port = small_port(tmp_path_factory.mktemp("small"), ASSEMBLY, SOURCE)
    port.record(["Mix"])
    return port


def test_a_difference_is_explained(small: SmallPort, macproof: Command) -> None:
    small.write(SOURCE.replace("count > 1", "count > 3"))
    out = small.folder / "explained.json"
    done = macproof("port", "explain", "Mix", str(small.folder), "--json", str(out))
    assert done.code == 1, done.err
    assert "the two take other ways: at port.c:19" in done.out
    again = f"macproof port verify {small.folder} --function Mix --call 1"
    assert again in done.out.replace("\n", "")
    data = json.loads(out.read_text())
    assert (data["schema"], data["call"]) == ("macproof.port-explanation/1", 1)
    assert data["is_branch"] is True
    for number, code in (("1", 1), ("2", 0), ("3", 0)):
        words = ("--function", "Mix", "--call", number)
        assert macproof("port", "verify", str(small.folder), *words).code == code
    assert not (small.folder / "verdicts.json").exists(), "one call is no verdict"


def test_there_may_be_nothing_to_explain(small: SmallPort, macproof: Command) -> None:
    small.write(SOURCE)
    done = macproof("port", "explain", "Mix", str(small.folder))
    assert (done.code, "Nothing to explain: 4 recorded calls leave the same" in done.out) == (
        0,
        True,
    )
    done = macproof("port", "explain", "Note", str(small.folder))
    assert (done.code, "no recorded run has called it" in done.out) == (4, True)


def test_a_changed_call_is_explained_with_the_fewest_bytes(
    small: SmallPort, macproof: Command
) -> None:
    small.write(SOURCE.replace("isLarge = 1", "isLarge = count > 100 ? 2 : 1"))
    done = macproof("port", "explain", "Mix", str(small.folder), "--vary", "400")
    assert done.code == 1, done.out + done.err
    assert re.search(r"with count = \d{3,} \(was \d\)", done.out), done.out
    assert "stores 2 in isLarge" in done.out
    assert "--function Mix --vary 400" in done.out.replace("\n", " ")


def test_a_changed_argument_is_told_whole_and_with_its_sign(small: SmallPort) -> None:
    """Both of its bytes are other than in the recorded call."""
    small.write(SOURCE.replace("count > 1", "count > 1 || count == -1"))
    assert "with count = -1 (was " in small.verdict("Mix", vary=400).reason


@pytest.mark.parametrize(
    ("names", "words", "message"),
    [
        (("Mxi",), ("explain",), "did you mean Mix"),
        (("Mix",), ("explain", "--call", "9"), "recorded calls are 1 to 4"),
        (("Mix",), ("explain", "--call", "0"), "calls are counted from 1"),
        (("Note",), ("explain", "--call", "1"), "no call of Note has been recorded"),
        (("Mix",), ("explain", "--call", "1", "--vary", "3"), "exclude each other"),
        ((), ("verify", "--call", "1"), "give one --function"),
    ],
)
def test_bad_input_is_refused(
    small: SmallPort,
    macproof: Command,
    names: tuple[str, ...],
    words: tuple[str, ...],
    message: str,
) -> None:
    small.write(SOURCE)
    done = macproof("port", *words, "--", *names, str(small.folder))
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
