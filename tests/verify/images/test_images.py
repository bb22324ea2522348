"""Scenes to images, references to images, and differences in the words of the program."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.base.errors import CaseError, ProgramError
from emu.cases.case import Case
from emu.cases.keys.arguments import phrase_of
from emu.cases.keys.parts import ObservedVariable
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import ask_reference, scene_of
from emu.machine.memory.layout import FILL as POISON
from emu.verify.batches.bench import Bench
from emu.verify.batches.differences import Rerun
from emu.verify.images.observations import observation
from emu.verify.places.linked_structures.pools import OUTSIDE, Pools
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.fills import Fill, Preparation
from pyref.scene import scene_from_corners
from pyref.sectors.four_shifts import determine_collisions

CPUS = ("68040", "601")
Binder = Callable[..., Bench]
Image = NDArray[np.uint8]


@pytest.fixture(params=CPUS)
def bench(request: pytest.FixtureRequest, bind_case: Binder) -> Bench:
    return bind_case(request.param)


def images(
    bench: Bench, *corners: Any, preparation: Preparation | None = None
) -> tuple[Image, Image, int]:
    """(before, expected, values) of one scene."""
    scene = scene_from_corners(list(corners))
    images = bench.expect(
        bench.before([scene], [preparation or Preparation()]),
        [ask_reference(bench.case, scene)],
    )
    before, expected, values = images.before, images.expected, images.values
    return before[0], expected[0], values


def place_of(bench: Bench, name: str, index: int = 0, member: str = "") -> int:
    """Where an element, or a member of it, begins in an image."""
    variable = bench.machine.program.variable(name)
    offset = variable.address + index * variable.type.dtype.itemsize
    if member:
        offset += variable.type.field(member).offset
    return bench.machine.data.offset(offset)


# -- what is compared --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("objects", "values", "inputs"),
    # 200 flags, 99 sector heads, and a link for each object (of none there is one, see pyref), the
    # first element of the list being there in any case.
    [(0, 300, 3), (1, 300, 3), (50, 349, 150), (200, 499, 600)],
)
def test_values_are_counted_exactly(bench: Bench, objects: int, values: int, inputs: int):
    scene = scene_of(bench.case, SceneName("uniform", objects, 1))
    images = bench.expect(
        bench.before([scene, scene, scene]), [ask_reference(bench.case, scene)] * 3
    )
    counted = images.values
    assert counted == 3 * values
    assert bench.usual.answers.inputs_compared([scene, scene]) == 2 * inputs


def test_a_scene_is_laid_into_memory_as_the_program_sees_it(bench: Bench):
    before, _, _ = images(bench, (3, 4), (671, 543), (50, 60))
    machine = bench.machine
    (part, memory), *rest = machine.data.pieces
    assert not rest
    memory[:] = before[part]
    objects = machine.globals["gObjects"]
    assert objects["x"][:4].tolist() == [3, 671, 50, 0]
    assert objects["y"][:4].tolist() == [4, 543, 60, 0]
    links = [machine.globals.index_of("gObjects", int(a)) for a in objects["obj_link"][:4]]
    assert links == [1, 2, -1, -1]
    machine.reset()


def test_the_routine_leaves_the_expected_image(bench: Bench):
    before, expected, _ = images(bench, (10, 10), (39, 39), (300, 300))
    batch = bench.machine.calls.run(bench.bound.calls.first, before[np.newaxis])
    assert batch.completed == 1
    assert bench.usual.differences.first(expected, batch.after[0]) is None


def test_memory_is_poisoned_where_nothing_is_promised(bench: Bench):
    corners = [(10, 10), (300, 300)]
    even, _, _ = images(bench, *corners)
    odd, expected, _ = images(bench, *corners, preparation=Preparation(Fill.POISON))
    objects = place_of(bench, "gObjects")
    x, link = (place_of(bench, "gObjects", 1, m) for m in ("x", "sector_link"))
    poisoned = np.flatnonzero(even != odd)
    assert (odd[poisoned] == POISON).all()
    assert (even[poisoned] == 0).all()
    # 200 flags, 99 heads and 200 links; of inputs the ends that no object takes up.
    element = bench.machine.program.variable("gObjects").type.dtype.itemsize
    assert len(poisoned) == 200 + 99 * 4 + 2 * 4 + 198 * element
    assert set(range(link, link + 4)) <= set(poisoned.tolist())
    assert x not in poisoned
    # Links of objects that take no part must stay as they were; flags and heads are all set.
    unused = place_of(bench, "gObjects", 2, "sector_link")
    assert (expected[unused : unused + 4] == POISON).all()
    flags = place_of(bench, "gCollisionArray")
    assert (expected[flags : flags + 200] == 0).all()
    assert objects != flags


def test_observations_of_both_processors_are_equal(bind_case: Binder):
    def observe(cpu: str) -> dict[str, NDArray[Any]]:
        bench = bind_case(cpu)
        scene = scene_of(bench.case, SceneName("clustered", 100, 12))
        batch = bench.machine.calls.run(bench.bound.calls.first, bench.before([scene]).before)
        return observation(bench.bound, batch.after[0])

    first, second = map(observe, CPUS)
    assert list(first) == list(second)
    assert list(first) == ["gCollisionArray", "gSectorArray"] + [
        f"gObjects.{member}" for member in ("sector_link", "x", "y", "obj_link")
    ]
    for name, values in first.items():
        assert values.dtype == second[name].dtype == np.int64
        assert np.array_equal(values, second[name]), name
    assert first["gSectorArray"].shape == (11, 9)
    assert first["gObjects.obj_link"][:100].tolist() == [*range(1, 100), -1]


def test_an_observation_is_the_reference_in_the_programs_names(bench: Bench):
    scene = scene_from_corners([(10, 10), (39, 39), (300, 300), (12, 300)])
    reference = determine_collisions(scene)
    images = bench.expect(bench.before([scene]), [reference])
    expected = images.expected
    seen = observation(bench.bound, expected[0])
    assert np.array_equal(seen["gCollisionArray"], reference.flags)
    assert np.array_equal(seen["gSectorArray"], reference.sector_heads)
    assert np.array_equal(seen["gObjects.sector_link"][:4], reference.sector_links)
    assert seen["gObjects.x"][:4].tolist() == [10, 39, 300, 12]


@pytest.mark.parametrize(
    ("pointer", "index"), [("null", -1), ("first", 0), ("last", 199), ("past", -2), ("odd", -2)]
)
def test_pointers_are_observed_as_indices(bench: Bench, pointer: str, index: int):
    variable = bench.machine.program.variable("gObjects")
    size = variable.type.dtype.itemsize
    address = {
        "null": 0,
        "first": variable.address,
        "last": variable.address + 199 * size,
        "past": variable.address + 200 * size,
        "odd": variable.address + 2,
    }[pointer]
    image = bench.machine.pristine.copy()
    head = place_of(bench, "gSectorArray", 98)
    image[head : head + 4] = np.frombuffer(address.to_bytes(4, "big"), np.uint8)
    seen = observation(bench.bound, image)["gSectorArray"]
    assert seen[10, 8] == index
    assert (seen.ravel()[:98] == -1).all()


# -- words -------------------------------------------------------------------------------------


def store(image: Image, offset: int, value: int, size: int) -> Image:
    changed = image.copy()
    changed[offset : offset + size] = np.frombuffer(value.to_bytes(size, "big"), np.uint8)
    return changed


def test_words_for_a_wrong_flag(bench: Bench):
    _, expected, _ = images(bench, (10, 10), (39, 39), (300, 300))
    offset = place_of(bench, "gCollisionArray", 1)
    found = bench.usual.differences.first(expected, store(expected, offset, 0, 1))
    assert str(found) == "gCollisionArray[1] is 0, expected 1"
    assert found.observed
    assert found.differing_bytes == 1
    assert found.address == bench.machine.program.variable("gCollisionArray").address + 1
    poison = bench.usual.differences.first(expected, store(expected, offset, POISON, 1))
    assert str(poison) == "gCollisionArray[1] is 165, expected 1"


@pytest.mark.parametrize(
    ("found", "again_found", "words"),
    [
        (0xA5, 0x5A, "unset, expected 1"),
        (0xA5, 0xA5, "165, expected 1"),
        (0, 0, "0, expected 1"),
        (0xA6, 0x5B, "166, expected 1 (it began as rubbish, 165, and the result depends"),
    ],
)
def test_what_a_second_run_says_of_a_wrong_value(
    bench: Bench, found: int, again_found: int, words: str
):
    corners = [(10, 10), (39, 39)]
    poisoned = Preparation(Fill.POISON)
    inverted = dataclasses.replace(poisoned, inverted=True)
    before, expected, _ = images(bench, *corners, preparation=poisoned)
    again, again_expected, _ = images(bench, *corners, preparation=inverted)
    offset = place_of(bench, "gCollisionArray", 1)
    assert (before[offset], again[offset]) == (0xA5, 0x5A)
    rerun = Rerun(before, again, store(again_expected, offset, again_found, 1))
    told = bench.usual.differences.first(expected, store(expected, offset, found, 1), rerun)
    assert str(told).startswith(f"gCollisionArray[1] is {words}")


def test_words_for_a_wrong_sector_head(bench: Bench):
    _, expected, _ = images(bench, (10, 10), (11, 11), (300, 300))
    variable = bench.machine.program.variable("gObjects")
    size = variable.type.dtype.itemsize
    offset = place_of(bench, "gSectorArray")  # [0][0]: objects 1 and 0

    def words(address: int) -> str:
        return str(bench.usual.differences.first(expected, store(expected, offset, address, 4)))

    assert words(0) == "gSectorArray[0][0] is null, expected &gObjects[1]"
    assert words(variable.address) == "gSectorArray[0][0] is &gObjects[0], expected &gObjects[1]"
    end = variable.address + 200 * size
    assert words(end) == f"gSectorArray[0][0] is 0x{end:08x} (outside), expected &gObjects[1]"
    inside = variable.address + 2
    assert "(outside)" in words(inside)
    last = store(expected, place_of(bench, "gSectorArray", 98), variable.address, 4)
    assert str(bench.usual.differences.first(expected, last)) == (
        "gSectorArray[10][8] is &gObjects[0], expected null"
    )


def test_words_for_a_wrong_link(bench: Bench):
    _, expected, _ = images(bench, (10, 10), (11, 11), (300, 300))
    offset = place_of(bench, "gObjects", 1, "sector_link")
    found = bench.usual.differences.first(expected, store(expected, offset, 0, 4))
    assert str(found) == "gObjects[1].sector_link is null, expected &gObjects[0]"
    variable = bench.machine.program.variable("gObjects")
    field = variable.type.field("sector_link")
    size = variable.type.dtype.itemsize
    # Of the four bytes the first is 0 in both.
    assert found.address == variable.address + size + field.offset + 1


def test_the_first_wrong_byte_of_a_value_is_the_one_that_is_blamed(bench: Bench):
    _, expected, _ = images(bench, (10, 10), (11, 11))
    offset = place_of(bench, "gSectorArray")
    changed = expected.copy()
    changed[offset + 3] ^= 1
    assert bench.usual.differences.first(expected, changed).address == bench.machine.data.address(
        offset + 3
    )


def test_an_input_must_not_change(bench: Bench):
    _, expected, _ = images(bench, (10, 10), (11, 12))
    size = bench.machine.program.variable("gObjects").type.field("y").type.size
    found = bench.usual.differences.first(
        expected, store(expected, place_of(bench, "gObjects", 1, "y"), 77, size)
    )
    assert str(found) == "gObjects[1].y is 77, expected 12 (which the routine must not change)"
    assert not found.observed
    cut = store(expected, place_of(bench, "gObjects", 0, "obj_link"), 0, 4)
    assert str(bench.usual.differences.first(expected, cut)) == (
        "gObjects[0].obj_link is null, expected &gObjects[1] (which the routine must not change)"
    )


def test_what_is_observed_comes_before_anything_else(bench: Bench):
    _, expected, _ = images(bench, (10, 10), (11, 12))
    changed = expected.copy()
    changed[place_of(bench, "gObjects", 0, "y")] ^= 0xFF
    changed[place_of(bench, "gSectorArray", 3)] ^= 0xFF
    changed[-1] ^= 0xFF
    assert bench.usual.differences.first(expected, changed).place == "gSectorArray[0][3]"
    assert bench.usual.differences.first(expected, changed).differing_bytes == 3


def test_a_store_beside_every_variable_is_named(bench: Bench):
    _, expected, _ = images(bench, (10, 10))
    changed = expected.copy()
    changed[-1] = 0x5A
    found = bench.usual.differences.first(expected, changed)
    address = bench.machine.data.address(len(expected) - 1)
    assert str(found) == (
        f"data memory (0x{address:08x}) is 0x5a, expected 0xa5 (which the routine must not change)"
    )
    assert found.address == address
    assert not found.observed


def test_a_store_to_a_variable_the_case_does_not_name(bind_case: Binder, case: Case):
    flags_only = dataclasses.replace(
        case, observed=tuple(o for o in case.observed if o.variable == "gCollisionArray")
    )
    bench = bind_case("68040", case=flags_only)
    _, expected, _ = images(bench, (10, 10))
    changed = store(expected, place_of(bench, "gSectorArray", 1) + 2, 9, 1)
    assert str(bench.usual.differences.first(expected, changed)).startswith(
        "byte 6 of gSectorArray (0x001"
    )


@pytest.mark.slow
def test_every_byte_of_the_image_is_compared(bench: Bench):
    """The checker itself is checked: no byte can be wrong without a word about it."""
    _, expected, _ = images(bench, (10, 10), (39, 39), (63, 31), (65, 33))
    for offset in range(len(expected)):
        broken = expected.copy()
        broken[offset] ^= 0x80 >> offset % 8
        found = bench.usual.differences.first(expected, broken)
        assert found is not None, offset
        assert found.differing_bytes == 1
        assert found.address == bench.machine.data.address(offset)
        assert found.expected != found.found
    assert bench.usual.differences.first(expected, expected) is None


# -- what cannot be compared -------------------------------------------------------------------


def reference_with(**changes: Any) -> SimpleNamespace:
    """A reference's answer to the scene of one object at (0, 0), with other attributes."""
    found = determine_collisions([(0, 0)])
    plain = {
        "flags": found.flags,
        "sector_heads": found.sector_heads,
        "sector_links": found.sector_links,
    }
    kept = {k: v for k, v in (plain | changes).items() if v is not None}
    return SimpleNamespace(**kept)


@pytest.mark.parametrize(
    "nothing", [np.zeros(0, int), np.ma.MaskedArray(np.zeros(3, int), np.ones(3, bool))]
)
def test_no_value_at_all_fits_any_place(bench: Bench, nothing: NDArray[Any]):
    """A reference that makes no call, or calls with null alone, gives arrays of nothing."""
    before = bench.before([scene_from_corners([(0, 0)])])
    made = bench.expect(before, [reference_with(sector_heads=nothing)])
    heads = [
        observation(bench.bound, image[0])["gSectorArray"] for image in (made.before, made.expected)
    ]
    assert heads[0].shape == (11, 9) and (heads[0] == heads[1]).all()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"flags": None}, "determine_collisions gives no flags"),
        ({"flags": np.zeros((200, 1), int)}, r"flags has shape \(200, 1\), .* has \(200,\)"),
        ({"flags": np.zeros(201, int)}, "flags has 201 values, gCollisionArray has room for 200"),
        ({"flags": 1}, r"flags has shape \(\), gCollisionArray has \(200,\)"),
        ({"sector_heads": np.zeros(99, int)}, r"has shape \(99,\), gSectorArray has \(11, 9\)"),
        ({"sector_heads": np.zeros((11, 8), int)}, r"\(11, 8\), gSectorArray has \(11, 9\)"),
        ({"sector_heads": np.zeros((12, 9), int)}, "has 12 values, gSectorArray has room for 11"),
        ({"flags": np.full(200, 256)}, r"flags has values that gCollisionArray .* cannot hold"),
        ({"flags": np.full(200, -1)}, "cannot hold"),
        ({"flags": np.full(200, 0.5)}, r"flags has values that gCollisionArray .* cannot hold"),
        ({"flags": np.full(200, np.nan)}, "cannot hold"),
        ({"flags": np.full(200, 2**63, np.uint64)}, "cannot hold"),
        ({"flags": ["no"] * 200}, "gives flags as <U2, not as numbers"),
        ({"flags": [[1], [1, 2]]}, "gives flags in rows of different lengths"),
        ({"sector_links": [0.0]}, "sector_links is float64, not the indices gObjects.sector_link"),
        ({"sector_links": [200]}, "an index for gObjects.sector_link is beyond the array"),
        ({"sector_links": [-2]}, "an index for gObjects.sector_link is beyond the array"),
    ],
)
def test_a_reference_that_cannot_be_right(bench: Bench, changes: dict[str, Any], words: str):
    before = bench.before([scene_from_corners([(0, 0)])])
    bench.expect(before, [reference_with()])
    with pytest.raises(CaseError, match=words) as caught:
        bench.expect(before, [reference_with(**changes)])
    assert "case.yaml" in str(caught.value)


def test_references_may_have_arrays_of_different_lengths(bench: Bench):
    before = bench.before([scene_from_corners([(0, 0)])] * 2)
    other = reference_with(sector_links=[-1, 0])
    made = bench.expect(before, [reference_with(), other])
    expected, values = made.expected, made.values
    assert values == 2 * 299 + 1 + 2
    first, second = (observation(bench.bound, image)["gObjects.sector_link"] for image in expected)
    assert first[:3].tolist() == [-1, -1, -1]
    assert second[:3].tolist() == [-1, 0, -1]


def test_a_coordinate_that_does_not_fit(bind_case: Binder):
    words = r"the scene's x has values that gObjects\.x \(short int\) cannot hold"
    scene = scene_from_corners([(0, 0), (40_000, 0)])
    with pytest.raises(CaseError, match=words):
        bind_case("68040").before([scene])
    low = scene_from_corners([(0, -32_769)])
    with pytest.raises(CaseError, match=r"gObjects\.y \(short int\) cannot hold"):
        bind_case("68040").before([low])
    assert len(bind_case("601").before([scene]).before) == 1  # there it is an int


def test_more_objects_than_there_is_room_for(bench: Bench):
    with pytest.raises(CaseError, match=r"the scene's x has 201 values, .* has room for 200"):
        bench.before([scene_from_corners([(0, 0)] * 201)])


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"call": "_Nothing"}, ProgramError, "there is no function _Nothing"),
        (
            {"inputs": {"gNothing": {"x": phrase_of("x")}}},
            ProgramError,
            "no global variable gNothing",
        ),
        (
            {"inputs": {"gObjects": {"z": phrase_of("x")}}},
            ProgramError,
            "not an array of structs with a z",
        ),
        (
            {"inputs": {"gSectorArray": {"x": phrase_of("x")}}},
            ProgramError,
            "not an array of structs",
        ),
        (
            {"observed": (ObservedVariable("gObjects", "", phrase_of("flags")),)},
            CaseError,
            "say which member of gObjects is meant",
        ),
    ],
)
def test_names_of_a_case_that_the_program_does_not_have(
    bind_case: Binder, case: Case, changes: dict[str, Any], error: type[Exception], words: str
):
    with pytest.raises(error, match=words):
        bind_case("68040", case=dataclasses.replace(case, **changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"x": "linked-list"}, "gObjects.x is a short int, not a point"),
        ({"obj_link": "x"}, "an index for gObjects.obj_link is beyond"),
        ({"obj_link": "next_object into gNone"}, "is said to point into gNone, which is no array"),
        ({"x": "x into gObjects"}, "gObjects.x is a short int, not a pointer"),
        ({"x": "x within 2 ulp"}, "gObjects.x is a short int; only floats can have within"),
    ],
)
def test_an_input_of_the_wrong_kind(
    bind_case: Binder, case: Case, changes: dict[str, str], words: str
):
    with pytest.raises(CaseError, match=words):
        phrases = {member: phrase_of(text) for member, text in changes.items()}
        changed = dataclasses.replace(case, inputs={"gObjects": phrases})
        bind_case("68040", case=changed).before([scene_of(case, SceneName("sector-edge", 200, 1))])


def test_two_arrays_of_one_struct_are_refused_where_a_pointer_may_lead_into_either(
    bench: Bench,
):
    objects = bench.machine.program.variable("gObjects")
    others = dataclasses.replace(objects, name="gOthers", address=objects.address + 0x1000)
    fields = [objects.type.field(name) for name in ("obj_link", "x")]
    link, number = (Slot(objects, (field,), field.type.scalar, 0) for field in fields)
    chosen = dataclasses.replace(link, phrase=phrase_of("next_object into gOthers"))
    with pytest.raises(CaseError, match="obj_link is a pointer to obj, and gObjects and gOthers"):
        Pools(bench.case.path, [objects, others], [number, link])
    assert Pools(bench.case.path, [objects], [link]).words(objects.address) == "&gObjects[0]"
    pools = Pools(bench.case.path, [objects, others], [number])
    assert pools.words(others.address) == "&gOthers[0]"
    pools = Pools(bench.case.path, [objects, others], [chosen])
    size, count = objects.type.dtype.itemsize, objects.type.shape[0]
    places = np.array([others.address + size, others.address + count * size, objects.address])
    assert pools.indices(chosen, places).tolist() == [1, count, OUTSIDE]
