"""What is wrong with the printed blockmap: for each defect the input that shows it.

Each entry of :data:`FINDINGS` is plain data: a scene, the routine that plays it, and what comes of
it by the printed form on any processor. What is right is :func:`pyref.blockmap.blockmap.play` of
the same scene. Whoever runs the program decides how to look: at its calls, at the memory round its
table, or with nothing mapped beside the table. Most defects are seen in more ways here than in
``mac_src/blockmap/findings.yaml``, and by other means.

The numbers are those of the audit of the post (B1 is not here: it is about the page's typesetting,
which has nothing to run).
"""

from __future__ import annotations

from dataclasses import dataclass

from pyref.blockmap.blockmap_boxes import REPORTS, THINKS, TURNS, BoxScene, scene_from_boxes

ABOVE, BELOW = "above", "below"

PLAY, PLAY_AND_PURGE = "PlayScene", "PlaySceneAndPurge"
TURN = THINKS + TURNS

_OUTSIDE = "unmapped memory"
_ENDLESS = "did not return"

_FULL_SCREEN = (640, 480)
_PARTIAL = (800, 600)  # 6.25 by 6.25 sectors


@dataclass(frozen=True, slots=True)
class Finding:
    """One way to see a defect.

    Attributes:
        name: the defect's number, and what distinguishes several ways to see it.
        title: the defect in one sentence.
        scene: what is played. An odd seed means that the memory for the table is not zero before.
        entry: the guest routine that plays it.
        defines: what the printed source is compiled with.
        guard: on which side of the table no memory is to be mapped, or "" for neither. Without
            it the program comes to its end; with it, it must not.
        fault: words of how it does not come to its end, or "" where it does.
        strays: where the program writes beside its table, counted in sectors from the table's
            beginning, in ascending order.
        missed: overlapping pairs (lower, higher) that are never told of.
        calls: how many ``collide`` calls the printed form makes.
        right: how many are right.
        turned: the objects whose direction is reversed in the end, by the printed form.
        turned_right: and by right.
    """

    name: str
    title: str
    scene: BoxScene
    entry: str = PLAY
    defines: tuple[str, ...] = ()
    guard: str = ""
    fault: str = ""
    strays: tuple[int, ...] = ()
    missed: frozenset[tuple[int, int]] = frozenset()
    calls: int = 0
    right: int = 0
    turned: tuple[int, ...] = ()
    turned_right: tuple[int, ...] = ()


def _crossing(objects: int) -> list[tuple[int, int, int, int]]:
    """Boxes over the corner of four sectors, each in all four."""
    return [(120 - i % 8, 90 - i // 8 % 4, 20, 20) for i in range(objects)]


_PAIR = frozenset({(0, 1)})
_ON_ONE_SPOT = [(10, 10, 30, 30), (20, 20, 30, 30)]
_ON_A_LINE = [(110, 10, 30, 30), (115, 20, 30, 30)]
_ON_A_CORNER = [(110, 80, 30, 30), (115, 85, 30, 30)]
_PAST_THE_LAST_ROW = [(770, 585, 20, 10), (775, 580, 20, 10)]
_AT_THE_BORDER = [(590, 460, 40, 20), (600, 455, 30, 25)]
_ABOVE_THE_TOP = [(10, -110, 30, 10), (20, -105, 30, 5)]
_LEFT_OF_THE_TOP = [(-160, 10, 30, 30), (-150, 20, 20, 30)]

_LAST_PARTIAL = "a sector that the world fills only in part is left out of the table"
_BORDER = "an object inside the world that ends on its border is filed outside the table"
_NEGATIVE = "an object left of or above the world is filed before the table"
_AGAIN = "each pair is told of twice, both ways, for every sector it shares"
_ONE_CALL = "leaving out the second call, as advised, still repeats each"

FINDINGS: tuple[Finding, ...] = (
    Finding(
        "B2, one frame",
        "with a second variable of the same name the purge clears nothing; one frame hides it",
        scene_from_boxes(_ON_ONE_SPOT),
        defines=("COUNT_DECLARED_TWICE",),
        calls=4,
        right=2,
    ),
    Finding(
        "B2, two frames",
        "with a second variable of the same name the purge clears nothing, and in the second "
        "frame a fragment comes after itself",
        scene_from_boxes([(10, 10, 30, 30)], frames=2),
        defines=("COUNT_DECLARED_TWICE",),
        fault=_ENDLESS,
    ),
    Finding(
        "B3",
        "an object that is filed before the first purge is linked to whatever the memory held",
        scene_from_boxes(_ON_ONE_SPOT, seed=1),
        entry=PLAY_AND_PURGE,
        fault=_OUTSIDE,
        right=2,
    ),
    Finding(
        "B4",
        "past 256 fragments objects are dropped without a word",
        scene_from_boxes(
            [*_crossing(64), (300, 200, 20, 20), (310, 210, 20, 20)], kinds=[0] * 64 + [REPORTS] * 2
        ),
        missed=frozenset({(64, 65)}),
        right=2,
    ),
    Finding(
        "B5, seen",
        _LAST_PARTIAL,
        scene_from_boxes(_PAST_THE_LAST_ROW, world=_PARTIAL),
        strays=(42,),
        missed=_PAIR,
        right=2,
    ),
    Finding(
        "B5, guarded",
        _LAST_PARTIAL,
        scene_from_boxes(_PAST_THE_LAST_ROW, world=_PARTIAL),
        guard=ABOVE,
        fault=_OUTSIDE,
        right=2,
    ),
    Finding(
        "B5, small world",
        "a world smaller than a sector has a table of nothing",
        scene_from_boxes(_ON_ONE_SPOT, world=(100, 90)),
        strays=(0,),
        missed=_PAIR,
        right=2,
    ),
    Finding(
        "B5, small world guarded",
        "a world smaller than a sector has a table of nothing",
        scene_from_boxes(_ON_ONE_SPOT, world=(100, 90)),
        guard=ABOVE,
        fault=_OUTSIDE,
        right=2,
    ),
    Finding(
        "B6, seen",
        _BORDER,
        scene_from_boxes(_AT_THE_BORDER, world=_FULL_SCREEN),
        strays=(29,),
        calls=4,
        right=2,
    ),
    Finding(
        "B6, guarded",
        _BORDER,
        scene_from_boxes(_AT_THE_BORDER, world=_FULL_SCREEN),
        guard=ABOVE,
        fault=_OUTSIDE,
        right=2,
    ),
    Finding(
        "B7, above",
        _NEGATIVE,
        scene_from_boxes(_ABOVE_THE_TOP),
        strays=(-5,),
        missed=_PAIR,
        right=2,
    ),
    Finding(
        "B7, left",
        _NEGATIVE,
        scene_from_boxes(_LEFT_OF_THE_TOP),
        strays=(-1,),
        missed=_PAIR,
        right=2,
    ),
    Finding(
        "B7, guarded",
        _NEGATIVE,
        scene_from_boxes(_ABOVE_THE_TOP),
        guard=BELOW,
        fault=_OUTSIDE,
        right=2,
    ),
    Finding("B8, one sector", _AGAIN, scene_from_boxes(_ON_ONE_SPOT), calls=4, right=2),
    Finding("B8, two sectors", _AGAIN, scene_from_boxes(_ON_A_LINE), calls=8, right=2),
    Finding("B8, four sectors", _AGAIN, scene_from_boxes(_ON_A_CORNER), calls=16, right=2),
    Finding(
        "B8, turning",
        "told of each collision an even number of times, an object that turns round when told "
        "never turns",
        scene_from_boxes(_ON_ONE_SPOT, steps=[(3, 1), (-2, 0)], kinds=TURN),
        calls=4,
        right=2,
        turned_right=(0, 1),
    ),
    Finding(
        "B8, one call, one sector",
        _ONE_CALL,
        scene_from_boxes(_ON_ONE_SPOT),
        defines=("ONE_CALL_ONLY",),
        calls=2,
        right=2,
    ),
    Finding(
        "B8, one call, four sectors",
        _ONE_CALL,
        scene_from_boxes(_ON_A_CORNER),
        defines=("ONE_CALL_ONLY",),
        calls=8,
        right=2,
    ),
    Finding(
        "B9",
        "clearing the pool of fragments in each frame has no effect",
        scene_from_boxes(_ON_A_CORNER, frames=3),
        defines=("POOL_NOT_CLEARED",),
        calls=48,
        right=6,
    ),
)
"""Every finding, in the order of the audit."""
