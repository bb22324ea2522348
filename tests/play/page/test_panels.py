"""What stands beside the screen: the log, findings, facts, the script, files."""

from __future__ import annotations

import base64
import json
from pathlib import Path

from tests.play.page.conftest import Page
from tests.play.page.fake_server import until

LOG = "document.querySelector('.log')"


def opened(page: Page, name: str) -> None:
    """Unfold a panel."""
    page.value(f"document.querySelector('#{name}').open = true")


def lines_seen(page: Page) -> list[str]:
    page.frame()
    return str(page.value(f"{LOG}.querySelector('pre').textContent")).splitlines()


def lines(start: int, end: int) -> list[str]:
    return [f"{number} DrawString" for number in range(start, end)]


def test_the_log_is_asked_for_only_while_it_is_unfolded(shown):
    shown.fake.wait_for("log", on=False)
    opened(shown, "calls")
    shown.fake.wait_for("log", on=True, filter="")
    shown.enter("#filter", "draw")
    shown.fake.wait_for("log", on=True, filter="draw")


def test_a_flood_of_calls_is_bounded_and_its_end_is_in_view(shown):
    opened(shown, "calls")
    for start in range(0, 40_000, 4000):
        shown.fake.send("calls", lines=lines(start, start + 4000), dropped=7)
    until(lambda: shown.text("#calls .count") == "40,070")
    seen = lines_seen(shown)
    assert len(seen) < 30 and seen[-1] == "39999 DrawString"
    assert shown.value(f"{LOG}.scrollHeight") < 5001 * 18
    assert shown.text("#calls .note") == "70 lines came too quickly and are left out."
    shown.value(f"{LOG}.scrollTop = 0")
    assert lines_seen(shown)[0] == "35000 DrawString"
    shown.fake.send("calls", lines=["one more"])
    until(lambda: shown.text("#calls .count") == "40,071")
    assert lines_seen(shown)[0] == "35001 DrawString", "what is read does not jump to the end"


def test_a_log_that_is_held_stands_still_and_forgets_nothing(shown):
    opened(shown, "calls")
    shown.fake.send("calls", lines=lines(0, 3))
    until(lambda: len(lines_seen(shown)) == 3)
    shown.click("#hold")
    shown.fake.send("calls", lines=lines(3, 5))
    until(lambda: shown.text("#calls .note") == "Held: 2 lines wait.")
    assert lines_seen(shown) == lines(0, 3)
    shown.click("#hold")
    assert lines_seen(shown) == lines(0, 5)
    shown.click("#clear")
    assert lines_seen(shown) == []


def test_a_filter_takes_lines_that_are_there_too(shown):
    opened(shown, "calls")
    shown.fake.send("calls", lines=["1 DrawString", "2 MoveTo", "3 DrawChar"])
    until(lambda: len(lines_seen(shown)) == 3)
    shown.enter("#filter", "DRAW")
    until(lambda: lines_seen(shown) == ["1 DrawString", "3 DrawChar"])


def test_a_click_on_a_finding_stops_at_its_place(shown):
    items = [
        {"n": 4, "check": "odd address", "problem": "<b>a word</b>", "place": "Draw+2", "moment": 9}
    ]
    shown.fake.send("findings", items=items)
    until(lambda: shown.text("#findings .count") == "1")
    assert "<b>a word</b>" in shown.text("#findings button")
    assert "Draw+2, moment 9" in shown.text("#findings button")
    shown.click("#findings button")
    shown.fake.wait_for("stop_at", finding=4)


def test_windows_heap_and_resources_are_tables(shown):
    window = {"title": "Ledger", "front": True, "visible": False, "bounds": [1, 2, 30, 40]}
    shown.fake.send("windows", items=[window])
    shown.fake.send("heap", size=524288, free=1000)
    resource = {"type": "CODE", "id": 1, "name": "", "size": 12000}
    shown.fake.send("resources", items=[resource], more=41)
    until(lambda: shown.text("#resources .count") == "42")
    cells = "[...document.querySelectorAll('#{} :is(th, td)')].map(one => one.textContent)"
    assert shown.value(cells.format("windows")) == [
        *("title", "front", "visible", "bounds"),
        *("Ledger", "yes", "no", "1, 2, 30, 40"),
    ]
    assert shown.value(cells.format("heap")) == ["size", "524,288", "free", "1,000"]
    assert shown.value(cells.format("resources"))[4:] == ["CODE", "1", "", "12,000"]
    assert shown.text("#resources .quiet") == "and 41 more"
    shown.fake.send("windows", items=[])
    until(lambda: shown.value("!document.querySelector('#windows .empty').hidden"))


def test_a_script_grows_and_is_saved_with_all_that_belongs_to_it(shown, tmp_path):
    script = "steps:\n  - menu: [File, New]\n  - type: Hello\n"
    shown.fake.send("step", yaml=script)
    until(lambda: shown.text("#script .count") == "2")
    assert shown.text("#script pre") == script.strip()
    shown.click("#save")
    shown.fake.wait_for("save_script")
    shown.browser.ask(
        "Page.setDownloadBehavior", behavior="allow", downloadPath=tmp_path.as_posix()
    )
    picture = base64.b64encode(b"a picture").decode()
    shown.fake.send("script", yaml=script, events="events: []\n", pictures={"a.png": picture})
    names = {
        "Ledger.yaml": script.encode(),
        "Ledger.events.yaml": b"events: []\n",
        "a.png": b"a picture",
    }
    until(lambda: {one.name for one in tmp_path.iterdir()} == set(names), "the files")
    assert {name: (tmp_path / name).read_bytes() for name in names} == names
    together = "They belong into one folder."
    assert shown.text("#script .saved") == f"Saved: {', '.join(names)}. {together}"


def test_a_script_that_names_its_events_is_saved_by_this_name(shown, tmp_path):
    script = 'recorded:\n  events: "notes.events.yaml"\nsteps:\n  - type: Hello\n'
    shown.browser.ask(
        "Page.setDownloadBehavior", behavior="allow", downloadPath=tmp_path.as_posix()
    )
    shown.fake.send("script", yaml=script, events="events: []\n", pictures={"first": ""})
    names = {"notes.yaml", "notes.events.yaml", "first.png"}
    until(lambda: {one.name for one in tmp_path.iterdir()} == names, "the files")


def test_an_expected_text_and_a_picture_become_steps(shown):
    shown.click("#compare")
    shown.fake.wait_for("compare_picture")
    shown.enter("#text", "Total: 12")
    shown.click("#expect button")
    shown.fake.wait_for("expect_text", text="Total: 12")
    assert shown.value("document.querySelector('#text').value") == ""


def dropped(page: Page, path: Path) -> None:
    """Let a file of this computer fall onto the middle of the screen."""
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    x, y = page.place(200, 100)
    for kind in ("dragEnter", "dragOver", "drop"):
        page.browser.ask("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)


def test_a_file_that_is_dragged_onto_the_screen_is_sent(shown, tmp_path):
    (tmp_path / "Letter").write_bytes(bytes(range(256)))
    dropped(shown, tmp_path / "Letter")
    data = base64.b64encode(bytes(range(256))).decode()
    shown.fake.wait_for("file", name="Letter", data=data)
    until(lambda: "Letter was sent to the Macintosh." in shown.text("#files ul"))
    shown.fake.send("file", name="Letter", problem="")
    until(lambda: "Letter is on the Macintosh" in shown.text("#files ul"))
    shown.fake.send("file", name="Letter", problem="the disk is full")
    until(lambda: shown.text("#files ul") == "Letter is not on the disk: the disk is full.")
    with (tmp_path / "Large").open("wb") as file:
        file.truncate((16 << 20) + 1)
    dropped(shown, tmp_path / "Large")
    until(lambda: "larger than 16 MB and was not sent" in shown.text("#files ul"))
    assert len(shown.fake.of("file")) == 1


def test_a_message_of_a_kind_that_is_not_known_does_no_harm(shown):
    shown.fake.send("constructor", text=json.dumps("x"))
    shown.fake.send("surprise")
    shown.fake.moment(77, 77)
    until(lambda: "moment 77" in shown.text("#moment"))
    assert shown.browser.complaints == []
