"""The timeline, and the state of the program in words."""

from __future__ import annotations

import pytest

from tests.play.page.conftest import Page
from tests.play.page.fake_server import until

NOTICE = "document.querySelector('#notice')"


def move(page: Page, moment: int) -> None:
    """Move the slider."""
    page.enter("#slider", str(moment))


def is_disabled(page: Page, name: str) -> bool:
    return bool(page.value(f"document.querySelector('#{name}').disabled"))


@pytest.mark.parametrize(
    ("state", "word", "sentence"),
    [
        ("running", "Running", ""),
        ("paused", "Paused", "The program stands still until you press Play."),
        ("replaying", "Replaying", ""),
        ("stuck", "Not answering", "has not looked for an event for a while"),
    ],
)
def test_each_state_is_told_in_words(shown, state, word, sentence):
    shown.fake.moment(40, 40, state)
    until(lambda: shown.text("#state") == word)
    assert sentence in shown.text("#notice")
    assert shown.value(f"{NOTICE}.hidden") == (not sentence)
    assert shown.value(f"{NOTICE}.getAttribute('role')") == "status", "it is read out"


def test_a_stuck_program_is_told_with_the_servers_sentence(shown):
    shown.fake.moment(40, 40, "stuck", "It loops at CODE 1+0x20.")
    until(lambda: shown.text("#notice") == "It loops at CODE 1+0x20.")


def test_an_end_says_why_and_leaves_the_way_back(shown):
    shown.fake.send("ended", problem="An address error at Draw+0x12.", code=4)
    until(lambda: shown.text("#state") == "Ended")
    assert shown.text("#notice") == (
        "An address error at Draw+0x12 (exit code 4). Move the slider to see what came before."
    )
    assert is_disabled(shown, "pause") and not is_disabled(shown, "slider")
    move(shown, 5)
    shown.fake.wait_for("seek", moment=5)
    shown.fake.moment(5, 12, "paused")
    until(lambda: shown.text("#state") == "Paused")
    assert not is_disabled(shown, "fork") and not is_disabled(shown, "pause")
    assert "address error" not in shown.text("#notice")


def test_going_back_asks_for_one_moment_at_a_time_and_the_newest(shown):
    shown.fake.moment(500, 500)
    shown.frame()
    for moment in (400, 300, 200, 100):
        move(shown, moment)
    shown.fake.wait_for("seek", moment=400)
    shown.fake.moment(120, 500, "replaying")
    shown.frame()
    assert len(shown.fake.of("seek")) == 1
    assert is_disabled(shown, "pause") and is_disabled(shown, "fork")
    assert shown.value("document.querySelector('#slider').value") == "100", "it does not jump back"
    shown.fake.moment(400, 500, "paused")
    shown.fake.wait_for("seek", moment=100)
    assert len(shown.fake.of("seek")) == 2
    shown.fake.moment(100, 500, "paused")
    until(lambda: "moment 100 of 500" in shown.text("#moment"))


def test_buttons_pause_go_on_and_fork(shown):
    assert is_disabled(shown, "fork")
    shown.click("#pause")
    shown.fake.wait_for("pause")
    shown.fake.moment(7, 90, "paused")
    until(lambda: shown.text("#pause") == "Play")
    shown.click("#pause")
    shown.fake.wait_for("resume")
    shown.click("#fork")
    shown.fake.wait_for("fork")


def test_a_recording_that_is_watched_can_be_stopped_and_gone_on_from(shown):
    shown.fake.moment(30, 90, "replaying")
    until(lambda: shown.text("#state") == "Replaying")
    assert not is_disabled(shown, "fork")
    shown.click("#pause")
    shown.fake.wait_for("pause")


def test_what_is_refused_is_told_until_something_else_happens(shown):
    shown.fake.send("refused", text="There is no moment 99.")
    until(lambda: shown.text("#notice") == "There is no moment 99.")
    shown.fake.moment(13, 13, "paused")
    until(lambda: "stands still" in shown.text("#notice"))


def test_a_server_that_goes_says_why(shown):
    shown.fake.close("Another page shows this run.")
    until(lambda: shown.text("#state") == "No connection")
    assert shown.text("#notice") == "Another page shows this run."
    assert is_disabled(shown, "slider") and is_disabled(shown, "pause")


def test_a_page_whose_connection_breaks_comes_back(shown):
    shown.fake.close()
    shown.fake.begin(title="Again")
    until(lambda: shown.text("#title") == "Again")
    assert shown.text("#state") == "Running"


def test_a_server_that_is_gone_for_good_is_told(shown):
    shown.fake.refuses = True
    shown.fake.close()
    until(lambda: shown.text("#state") == "No connection")
    assert shown.text("#notice").startswith("macproof has ended, or another page shows this run.")


def test_a_run_that_the_user_ends_is_over_at_once(shown):
    shown.click("#end")
    shown.fake.wait_for("end")
    shown.fake.moment(13, 13)
    shown.frame()
    assert shown.text("#state") == "No connection"
    assert shown.text("#notice") == "You have ended the run, and can close this page."


def test_leaving_a_program_that_runs_is_asked_about(shown):
    """Ctrl+W closes the page where it was meant for the program."""
    shown.browser.click(*shown.place(5, 5))
    shown.fake.wait_for("release")
    shown.browser.show("about:blank", 800, 600)
    asked = [one for one in shown.browser.events if one["method"] == "Page.javascriptDialogOpening"]
    assert [one["params"]["type"] for one in asked] == ["beforeunload"]
