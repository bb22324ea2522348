"""Files of claims: those there are, and what is refused."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from emu.base.errors import CaseError, UsageError
from posts.audit.claims import find_posts, load_posts, read_post

GOOD = """\
schema: macproof.claims/1
post: "009"
title: A post
by: somebody
claims:
  - id: one
    says: Something is one.
    measure: somewhere:something
    found: "{value}"
    holds: [value == 1]
  - id: two
    says: It took a day.
    cannot_be_measured: nobody wrote it down.
plots:
  - {id: picture, title: A picture, kind: bars, data: ["somewhere:series"], x: n, y: tests}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "claims.yaml"
    path.write_text(text)
    return path


def test_the_posts_that_there_are() -> None:
    posts = load_posts()
    assert [post.number for post in posts] == ["001", "002", "003", "004"]
    assert len([claim for post in posts for claim in post.claims]) > 70
    assert [post.number for post in load_posts(["003"])] == ["003"]


def test_everything_named_can_be_imported() -> None:
    for post in load_posts():
        dotted = [name for plot in post.plots for name in plot.data]
        for claim in post.claims:
            dotted += [claim.measure] if claim.measure else []
            dotted += [claim.run.with_, claim.run.scenes] if claim.run else []
        for name in dotted:
            module, _, function = name.partition(":")
            assert callable(getattr(importlib.import_module(module), function)), name


def test_predictions_are_called_a_model() -> None:
    predicting = ("speeds", "published_table", "steps_of_pairs")
    for post in load_posts():
        for claim in post.claims:
            name = claim.run.with_.partition(":")[2] if claim.run else ""
            assert claim.is_model == (name in predicting), claim.id


def test_a_good_file(tmp_path: Path) -> None:
    post = read_post(written(tmp_path, GOOD))
    one, two = post.claims
    assert one.rule is not None
    assert one.tell({"value": 1.0}) == "1"
    assert (two.rule, two.cannot) == (None, "nobody wrote it down.")
    assert post.plots[0].data == ("somewhere:series",)
    assert list(find_posts(tmp_path)) == [post.path]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "    measure:",
            "    mesure:",
            "line 8: the key mesure is not known; did you mean measure",
        ),
        ("[value == 1]", "[value = 1]", "line 6: 'value = 1' is no condition"),
        ("    holds: [value == 1]\n", "", "line 6: a measured claim needs found, and holds"),
        ("    holds: [value == 1]\n", "    holds: []\n", "line 10: claims.0.holds"),
        ('    found: "{value}"\n', "", "line 6: a measured claim needs found"),
        ('"{value}"', '"{value"', "line 6: "),
        ("    cannot_be_measured: nobody wrote it down.\n", "", "line 11: a claim needs measure"),
        ("somewhere:something", "somewhere.something", "line 8: claims.0.measure"),
        ("kind: bars", "kind: lines", "line 15: plots.0.kind is 'lines', not one of log-log, bars"),
        ('post: "009"', "post: 9", "line 2: post"),
        ("    says: It took", "    condition: never\n    says: It took", "must be given together"),
        (
            "    cannot_be",
            "    measure: a:b\n    cannot_be",
            "line 11: a claim needs measure, run or both",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(CaseError) as caught:
        read_post(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_name_used_twice_is_refused(tmp_path: Path) -> None:
    written(tmp_path, GOOD.replace("id: two", "id: one"))
    with pytest.raises(UsageError, match="one is the name of two claims"):
        load_posts(folder=tmp_path)


def test_a_post_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="there is no post 01; did you mean 001"):
        load_posts(["01"])


def test_a_sentence_about_what_was_not_measured(tmp_path: Path) -> None:
    claim = read_post(written(tmp_path, GOOD)).claims[0]
    with pytest.raises(UsageError, match=r"claim one: .* does not fit the figures other"):
        claim.tell({"other": 1})
