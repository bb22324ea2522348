"""Trees and lists by pointers: given, read back, and compared by their shape and values."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.cases.nodes import described
from emu.report.forms.terminal import text_of
from tests.rows import slow, slow_but

CPUS = ("68000", "68040", "601")
on_each = pytest.mark.parametrize("cpu", slow_but(["68040"], CPUS))

SOURCE = """
#include <Memory.h>
struct item { short number; char tag[3]; struct item *next; };
struct pair { struct item *first, **second; };
struct item *gBuckets[4];
struct item *gAdded;
static struct item gSpare = { 7, "ab", 0 };

struct item *Reverse(struct item *head)
{
    struct item *done = 0, *next;
    while (head) {
        next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}
void Drop(struct item **head, short number)
{
    while (*head && (*head)->number != number) head = &(*head)->next;
    if (*head) *head = (*head)->next;
}
void Spread(struct item *head)
{
    while (head) {
        struct item *next = head->next;
        head->next = gBuckets[head->number & 3];
        gBuckets[head->number & 3] = head;
        head = next;
    }
}
struct item *New(struct item *head, short number)
{
    struct item *item = (struct item *) NewPtr(sizeof(struct item));
    item->number = number;
    item->tag[0] = item->tag[1] = item->tag[2] = 1;
    item->next = head;
    return item;
}
short Next(struct item **handle) { return (*handle)->number++; }
struct item **Wrap(short number)
{
    struct item **handle = (struct item **) NewHandle(sizeof(struct item));
    (*handle)->number = number;
    (*handle)->tag[0] = (*handle)->tag[1] = (*handle)->tag[2] = 1;
    (*handle)->next = &gSpare;
    return handle;
}
"""
CASE = """
schema: macproof.case/1
name: items
title: Items
sources: [items.c]
call: CALL
arguments: ARGUMENTS
scene: {make: "items_reference:make_scene", generators: [any], objects: [0, 1, 2, 6], count: 40}
observe: OBSERVE
reference: items_reference:REFERENCE
"""
REFERENCE = """
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np
from numpy.random import PCG64

@dataclass(frozen=True)
class Items:
    numbers: np.ndarray
    generator: str
    seed: int
    @property
    def objects(self): return len(self.numbers)
    @property
    def number(self): return int(self.numbers[0]) if len(self.numbers) else 3
    @property
    def head(self): return chain(self.numbers.tolist())
    @property
    def ring(self):
        first = head = chain([self.number, 5, *self.numbers.tolist()])
        while head["next"]: head = head["next"]
        head["next"] = first["next"]
        return first
    @property
    def one(self): return chain([self.number])
    def keep(self, indices): return Items(self.numbers[indices], self.generator, self.seed)

def chain(numbers, tag=b"xyz", rest=None):
    for number in reversed(numbers):
        rest = {"number": number, "tag": tag, "next": rest}
    return rest

def make_scene(generator, objects, seed, *, width, height):
    return Items(PCG64(seed).random_raw(objects).astype(np.int64) % 90, generator, seed)

def reverse(scene): return SimpleNamespace(head=chain(scene.numbers[::-1].tolist()))

def drop(scene): return SimpleNamespace(head=chain(scene.numbers.tolist()[1:]))

def spread(scene):
    numbers = scene.numbers.tolist()[::-1]
    return SimpleNamespace(heads=[chain([n for n in numbers if n % 4 == k]) for k in range(4)])

def new(scene):
    node = SimpleNamespace(number=scene.number, tag=[1, 1, 1], next=scene.head)
    return SimpleNamespace(head=node)

def next_of(scene):
    return SimpleNamespace(number=scene.number, handle=chain([scene.number + 1]))

def wrap(scene):
    spare = {"number": 7, "tag": b"ab\\0", "next": None}
    return SimpleNamespace(handle={"number": scene.number, "tag": [1, 1, 1], "next": spare})

def same(scene): return SimpleNamespace(ring=scene.ring)
"""
REVERSE = ("Reverse", "{head: head up to 8 nodes}", "{return: head up to 8 nodes}", "reverse")
KINDS = {
    "reverse": REVERSE,
    "drop": (
        "Drop",
        "{head: {points_to: head up to 8 nodes}, number: number}",
        '{"*head": head up to 8 nodes}',
        "drop",
    ),
    "spread": ("Spread", "{head: head up to 8 nodes}", "{gBuckets: heads up to 8 nodes}", "spread"),
    "new": (
        "New",
        "{head: head up to 8 nodes, number: number}",
        "{return: head up to 9 nodes}",
        "new",
    ),
    "handle": (
        "Next",
        "{handle: one up to 1 nodes}",
        '{return: number, "*handle": handle up to 1 nodes}',
        "next_of",
    ),
    "new-handle": ("Wrap", "{number: number}", "{return: handle up to 2 nodes}", "wrap"),
}


class Folder:
    """A case's folder, with what is changed in its files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "items.c").write_text(SOURCE)
        (path / "items_reference.py").write_text(REFERENCE)

    def write(self, call: str, arguments: str, observe: str, reference: str) -> None:
        words = {"CALL": call, "ARGUMENTS": arguments, "OBSERVE": observe, "REFERENCE": reference}
        text = CASE
        for name, value in words.items():
            text = text.replace(name, value)
        (self.path / "case.yaml").write_text(text.lstrip())

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.path / name).read_text()
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {name}"
        (self.path / name).write_text(text.replace(old, new))

    def verify(self, *cpus: str) -> macproof.Verification:
        case = macproof.load_case(self.path)
        programs = macproof.programs_of(case, cpus=cpus or None, builds=["O1"])
        return macproof.verify(case, programs, jobs=1)

    def difference(self, cpu: str) -> str:
        found = self.verify(cpu)
        assert found.verdict == "refuted"
        why = macproof.explain(found)
        assert why is not None
        return str(why.explanation.divergence)


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Folder:
    compilers(*CPUS)
    return Folder(tmp_path)


@pytest.mark.parametrize("kind", slow_but(["reverse"], KINDS))
def test_what_is_left_is_compared_by_its_shape_and_values(folder: Folder, kind: str) -> None:
    folder.write(*KINDS[kind])
    found = folder.verify()
    assert found.verdict == "verified", text_of(found.document)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "old", "new", "difference"),
    [
        (
            "reverse",
            "head->next = done;",
            "head->next = done; head->tag[1] = 'Y';",
            r"return.tag\[1\] is 89, expected 121",
        ),
        slow(("reverse", "done = head;", "done = done ? done : head;", "return.number is .*")),
        slow(
            (
                "drop",
                "*head = (*head)->next;",
                "(*head)->number = 99;",
                r"\*head is a node \(number 99\), expected null",
            )
        ),
        slow(
            (
                "spread",
                "head->number & 3] = head",
                "head->number & 1] = head",
                r"gBuckets\[\d\] is .*",
            )
        ),
        slow(
            (
                "new",
                "item->next = head;",
                "item->next = 0;",
                r"return.next is null, expected a node \(number \d+\)",
            )
        ),
        (
            "new-handle",
            "(*handle)->number = number;",
            "(*handle)->number = 1;",
            r"return.number is \d+, expected \d+",
        ),
        slow(
            (
                "reverse",
                "return done;",
                "return (struct item *) 12;",
                r"return is a pointer to no memory, expected .*",
            )
        ),
    ],
)
@on_each
def test_a_mistake_is_told_by_the_way_to_it(
    folder: Folder, cpu: str, kind: str, old: str, new: str, difference: str
) -> None:
    folder.write(*KINDS[kind])
    folder.change("items.c", old, new)
    assert re.fullmatch(difference, folder.difference(cpu))


@on_each
def test_a_cycle_is_told_and_not_followed_for_ever(folder: Folder, cpu: str) -> None:
    folder.write(*REVERSE)
    folder.change("items.c", "done = 0, *next", "done = head, *next")
    assert folder.difference(cpu) == "return.next is the node return, expected null"


@pytest.mark.slow
@on_each
def test_cycles_and_shared_nodes_of_a_scene_stay(folder: Folder, cpu: str) -> None:
    folder.write(
        "Reverse",
        "{head: {points_to: ring up to 9 nodes}}",
        '{"*head": ring up to 9 nodes}',
        "same",
    )
    change = "struct item *Reverse(struct item **head) { gAdded = *head; return 0; }\n#if 0\n"
    folder.change("items.c", "struct item *Reverse(struct item *head)", f"{change}void F(head)")
    folder.change("items.c", "void Drop(", "#endif\nvoid Drop(")
    folder.change("case.yaml", '{"*head"', '{gAdded: ring up to 9 nodes, "*head"')
    found = folder.verify(cpu)
    assert found.verdict == "verified", text_of(found.document)
    folder.change("items.c", "gAdded = *head;", "gAdded = *head; (*head)->next->next = 0;")
    assert "expected the node gAdded.next" in folder.difference(cpu)


@pytest.mark.slow
def test_more_nodes_than_are_followed_are_told(folder: Folder) -> None:
    folder.write(*KINDS["new"])
    folder.change("case.yaml", "return: head up to 9 nodes", "return: head up to 7 nodes")
    change = "item->next = head; while (head && head->next) head = head->next;"
    folder.change("items.c", "item->next = head;", f"{change} if (head) head->next = &gSpare;")
    shown = folder.difference("601")
    assert shown.startswith("return.next.next"), shown
    folder.change("case.yaml", "return: head up to 7 nodes", "return: head up to 6 nodes")
    with pytest.raises(macproof.CaseError, match="reference's head has more than 6 nodes"):
        folder.verify("601")


@on_each
def test_what_nothing_leads_to_must_stay_as_it_was(folder: Folder, cpu: str) -> None:
    folder.write(*KINDS["drop"])
    folder.change(
        "items.c", "*head = (*head)->next;", "{ (*head)->tag[0] = 0; *head = (*head)->next; }"
    )
    assert "of the nodes of *head" in folder.difference(cpu)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("case.yaml", "{head: head up", "{head: heat up", r"line 6: .* has no heat"),
        ("case.yaml", "{head: head up to 8", "{head: head up to 5", "head has more than 5 nodes"),
        ("case.yaml", "{head: head up to 8", "{head: head up too 8", "line 6: .*head up too 8"),
        ("case.yaml", "{return: head", "{gBuckets: head", r"line 8: .*head is no list of up"),
        ("items.c", "char tag[3]", "char *tag", r"its member tag is a char\*.*without tag"),
        (
            "items_reference.py",
            '"tag": tag, "next"',
            '"tog": tag, "next"',
            "node with tog, and item",
        ),
        ("items_reference.py", '"number": number, "tag"', '"tag"', "node (item) without number"),
        (
            "items_reference.py",
            'rest = {"number": number',
            'rest = {"number": 70000',
            "70000 is given",
        ),
    ],
)
def test_what_does_not_fit_is_told(
    folder: Folder, file: str, old: str, new: str, message: str
) -> None:
    folder.write(*REVERSE)
    folder.change(file, old, new)
    with pytest.raises(macproof.CaseError) as caught:
        folder.verify("68040")
    assert re.search(message.replace("(item)", r"\(item\)"), str(caught.value))


def test_members_are_left_out(folder: Folder) -> None:
    folder.write(*REVERSE)
    folder.change("items.c", "char tag[3]", "char *tag")
    folder.change("items.c", '{ 7, "ab", 0 }', "{ 7, 0, 0 }")
    source = (folder.path / "items.c").read_text()
    (folder.path / "items.c").write_text(
        "\n".join(line for line in source.splitlines() if "tag[" not in line)
    )
    folder.change("items_reference.py", '"tag": tag, ', "")
    text = (folder.path / "case.yaml").read_text()
    (folder.path / "case.yaml").write_text(text.replace("8 nodes", "8 nodes without tag"))
    assert folder.verify("68000").verdict == "verified"


def test_a_structure_in_words() -> None:
    last = {"number": 2, "next": None}
    first = {"number": 1, "next": last, "others": [last, None]}
    assert described(first) == [
        "#0 number 1, next #1, others (#1 null)",
        "#1 number 2, next null",
    ]
    assert described([last, None, last]) == ["#0 null #0", "#0 number 2, next null"]
    assert described(None) == ["null"]
