"""Handles and pointers that a case gives are blocks of the Memory Manager's."""

from __future__ import annotations

import pytest

import macproof
from tests.rows import slow_but
from tests.verify.toolbox.conftest import Asking, words

CPUS = slow_but(["68040"], ("68040", "601"))
SUM = "sum=sum(values)"
IMPLICIT = "arguments: {h: {points_to: {points_to: values, count: 8}}}\nobserve: {return: sum}"
HANDLE = "arguments: {h: {handle_to: values, count: 8}}\nobserve: {return: sum}"
ADD = "long n, s = 0, m = GetHandleSize((Handle) h) / 2; for (n = 0; n < m; n++) s += "


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("keys", [IMPLICIT, HANDLE])
def test_a_given_handle_has_the_size_of_what_the_scene_gives_and_can_be_locked(
    asking: Asking, keys: str, cpu: str
) -> None:
    source = f"long Go(short **h) {{ {ADD} (*h)[n]; HLock((Handle) h); HUnlock((Handle) h); "
    assert asking.verify(source + "return s; }", keys, SUM, cpu).verdict == "verified"


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("keys", [IMPLICIT, HANDLE])
def test_the_address_of_its_block_does_not_outlive_a_call_that_moves_memory(
    asking: Asking, keys: str, cpu: str
) -> None:
    stale = f"short *p = *h; Handle other = NewHandle(500); {ADD} p[n]; DisposeHandle(other);"
    found = asking.verify(f"long Go(short **h) {{ {stale} return s; }}", keys, SUM, cpu)
    assert found.verdict == "refuted"
    right = stale.replace("p[n]", "(*h)[n]")
    found = asking.verify(f"long Go(short **h) {{ {right} return s; }}", keys, SUM, cpu)
    assert found.verdict == "verified"


@pytest.mark.slow
def test_a_locked_block_stays_where_it_is(asking: Asking) -> None:
    source = (
        f"long Go(short **h) {{ Handle o; short *p; HLock((Handle) h); p = *h; o = NewHandle(9); "
        f"{{ {ADD} p[n]; DisposeHandle(o); HUnlock((Handle) h); return s; }} }}"
    )
    assert asking.verify(source, HANDLE, SUM).verdict == "verified"


GROW = (
    "void Go(short **h) { long size = GetHandleSize((Handle) h); "
    "SetHandleSize((Handle) h, size + 2); (*h)[size / 2] = 7; }"
)
GROWN = 'arguments: {h: {handle_to: values, count: 20}}\nobserve: {"**h": grown}'


def test_the_size_after_the_call_is_that_of_the_references_values(asking: Asking) -> None:
    assert asking.verify(GROW, GROWN, "grown=[*values, 7]").verdict == "verified"
    found = asking.verify(GROW.replace("size + 2)", "size + 4)"), GROWN, "grown=[*values, 7]")
    assert found.verdict == "refuted"
    same = "void Go(short **h) { (*h)[0] = GetHandleSize((Handle) h); }"
    found = asking.verify(same, GROWN, "grown=[16]")
    assert "size of **h is 16, expected 2" in words(found)


def test_a_size_that_nobody_speaks_of_has_to_stay(asking: Asking) -> None:
    source = "short Go(short **h) { SetHandleSize((Handle) h, 2); return **h; }"
    keys = "arguments: {h: {handle_to: values, count: 8}}\nobserve: {return: first}"
    found = asking.verify(source, keys, "first=values[0]")
    assert "size of **h is 2, expected 16" in words(found)


@pytest.mark.slow
def test_a_routine_that_asks_nothing_is_held_to_the_size_too(asking: Asking) -> None:
    found = asking.verify("void Go(short **h) { (*h)[0] = 1; }", GROWN, "grown=[1, *values[1:], 7]")
    assert found.verdict == "refuted"


@pytest.mark.slow
def test_a_pointer_to_a_pointer_that_the_case_looks_at_is_no_handle(asking: Asking) -> None:
    source = "short Go(short **p) { TickCount(); return *(*p)++; }"
    keys = (
        "arguments: {p: {points_to: {points_to: values, count: 8}}}\n"
        'observe: {return: first, "*p": next into **p}'
    )
    assert asking.verify(source, keys, "first=values[0], next=1").verdict == "verified"


@pytest.mark.slow
def test_a_pointer_into_a_block_that_has_moved_is_an_index_as_before(asking: Asking) -> None:
    source = (
        "short *Go(short **h) { DisposeHandle(NewHandle(100)); "
        "return *h + GetHandleSize((Handle) h) / 2 - 1; }"
    )
    keys = "arguments: {h: {handle_to: values, count: 8}}\nobserve: {return: last into **h}"
    assert asking.verify(source, keys, "last=len(values) - 1").verdict == "verified"


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_given_pointer_has_a_size_and_can_be_disposed_of_once(asking: Asking, cpu: str) -> None:
    keys = "arguments: {p: {points_to: values, count: 8}}\nobserve: {return: first%s}"
    said, answer = ", toolbox: {heap.blocks: less}", "first=values[0], less=-1"
    once = "short first = *p; if (GetPtrSize((Ptr) p) != 16) first++; DisposePtr((Ptr) p);"
    source = f"short Go(short *p) {{ {once} return first; }}"
    assert asking.verify(source, keys % said, answer, cpu).verdict == "verified"
    assert "size of *p is none" in words(asking.verify(source, keys % "", answer, cpu))
    keys %= said
    twice = source.replace("return", "DisposePtr((Ptr) p); return")
    assert "DisposePtr was given" in words(asking.verify(twice, keys, answer, cpu))
    after = source.replace("return first", "return *p")
    assert asking.verify(after, keys, answer, cpu).verdict == "refuted"
    written = source.replace("return", "*p = 1; return")
    found = asking.verify(written, keys, answer, cpu)
    assert "in a block that it was given and had disposed of" in words(found)


NODE = "struct node { short key; struct node *next; } *gHead;"
LIST = "input: {gHead: nodes up to 10 nodes}\nobserve: {gHead: left up to 10 nodes}"
REMOVE = "void Go(void) { struct node *n = gHead; gHead = n->next; DisposePtr((Ptr) n); }"


@pytest.mark.slow
def test_nodes_of_a_list_are_blocks(asking: Asking) -> None:
    assert asking.verify(NODE + REMOVE, LIST, "left=chain(values[1:])").verdict == "verified"
    linked = NODE + REMOVE.replace("gHead = n->next; ", "")
    assert asking.verify(linked, LIST, "left=chain(values)").verdict == "refuted"


@pytest.mark.slow
def test_nodes_behind_handles_are_blocks(asking: Asking) -> None:
    node = "struct node { short key; struct node **next; } **gHead;"
    right = (
        "void Go(void) { struct node **n = gHead; HLock((Handle) n); gHead = (*n)->next; "
        "DisposeHandle((Handle) n); }"
    )
    assert asking.verify(node + right, LIST, "left=chain(values[1:])").verdict == "verified"
    stale = (
        "void Go(void) { struct node *n = *gHead; DisposeHandle(NewHandle(50)); gHead = n->next; }"
    )
    assert asking.verify(node + stale, LIST, "left=chain(values[1:])").verdict == "refuted"


@pytest.mark.slow
def test_blocks_go_on_over_all_calls_of_a_scene(asking: Asking) -> None:
    source = (
        "static Handle gKept; "
        "void Keep(short **h) { gKept = (Handle) h; SetHandleSize(gKept, 2); }\n"
        "long Go(short **h) { HLock((Handle) h); return GetHandleSize(gKept) + (*h)[0]; }"
    )
    keys = (
        "calls:\n- Keep: {h: {handle_to: values, count: 8}}\n"
        "- Go: {h: {handle_to: values, count: 8}}\n"
        "ignore: [gKept]\nobserve: {return: results, '**h': left}"
    )
    found = asking.verify(source, keys, "results=[None, 2 + values[0]], left=values[:1]")
    assert found.verdict == "verified", words(found)


RECORD = "typedef struct { short n; short **data; } Record; "
PLACES = {
    "a member of a struct": (
        RECORD + "long Go(Record *r) {",
        "r->data",
        "arguments: {r: {points_to: {n: objects, data: {handle_to: values, count: 9}}}}",
    ),
    "a member of a struct by value": (
        RECORD + "long Go(Record r) {",
        "r.data",
        "arguments: {r: {n: objects, data: {points_to: {points_to: values, count: 9}}}}",
    ),
    "a member of a global": (
        RECORD + "Record gRecord; long Go(void) {",
        "gRecord.data",
        "input: {gRecord: {n: objects, data: {handle_to: values, count: 9}}}",
    ),
    "a global": (
        "short **gList; long Go(void) {",
        "gList",
        "input: {gList: {handle_to: values, count: 9}}",
    ),
}
QUICK = ("a member of a struct", "68040")
GROW_IT = (
    "long n, sum = 0, m = GetHandleSize((Handle) {x}) / 2; short *p = *{x}; Handle o; "
    "HLock((Handle) {x}); HUnlock((Handle) {x}); o = NewHandle(9); "
    "for (n = 0; n < m; n++) sum += {now}[n]; SetHandleSize((Handle) {x}, 2 * m + 2); "
    "(*{x})[m] = 7; DisposeHandle(o); return sum; }}"
)


@pytest.mark.parametrize(
    ("where", "cpu"),
    [
        pytest.param(
            where,
            cpu,
            marks=() if (where, cpu) == QUICK else pytest.mark.slow,
        )
        for where in PLACES
        for cpu in ("68040", "601")
    ],
)
def test_a_handle_in_a_struct_or_a_global_is_one(asking: Asking, where: str, cpu: str) -> None:
    """It has a size, can be locked and resized, and moves."""
    head, place, keys = PLACES[where]
    keys += f"\nobserve: {{return: sum, '**{place}': left}}"
    expected = f"{SUM}, left=[*values, 7]"
    right = head + GROW_IT.format(x=place, now=f"(*{place})")
    found = asking.verify(right, keys, expected, cpu)
    assert found.verdict == "verified", words(found)
    stale = head + GROW_IT.format(x=place, now="p")
    assert asking.verify(stale, keys, expected, cpu).verdict == "refuted"


@pytest.mark.slow
def test_a_pointer_in_a_global_leads_to_a_block_that_stays(asking: Asking) -> None:
    source = (
        "Ptr gKept; long Go(void) { "
        "long size = GetPtrSize(gKept); DisposePtr(gKept); return size; }"
    )
    keys = "input: {gKept: {points_to: bytes, count: 8}}\nobserve: {return: size%s}"
    said = ", toolbox: {heap.blocks: less}"
    assert asking.verify(source, keys % said, "size=8, less=-1").verdict == "verified"
    assert "size of *gKept is none" in words(asking.verify(source, keys % "", "size=8"))


def test_what_is_no_pointer_is_refused_with_its_line(asking: Asking) -> None:
    source = RECORD + "Record gRecord; Record gMany[2]; long Go(void) { return 0; }"
    for written, told in (
        ("gRecord: {n: {handle_to: values, count: 9}}", "n is a short"),
        ("gMany: {data: {handle_to: values, count: 9}}", "in every element of an array"),
        ("gRecord: {dat: {handle_to: values}}", "has no pointer dat"),
    ):
        with pytest.raises(macproof.CaseError, match=rf"line \d+: .*{told}"):
            asking.verify(source, f"input: {{{written}}}\nobserve: {{return: none}}", "none=0")
