"""How a case takes part where systems are compared: the section ``compare`` of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from emu.cases.keys.sections import cpu_name, require_function
from emu.toolchain.builds import runs
from macproof import Case
from posts.case_section import section_of


@dataclass(frozen=True, slots=True)
class Contender:
    """How a case takes part in the comparison of collision systems on the same objects.

    Functions are dotted names of Python functions that take upper-left corners, int32 of shape
    (objects, 2).

    Attributes:
        title: what the system is called in tables and plots.
        scene: the function that makes a scene of the case with these objects.
        setup: the function that makes the same scene without the work that is compared, or "". The
            time of this scene is subtracted.
        tests: the attribute of the reference's answer that counts tests of two objects.
        collided: the attribute with an array that is not 0 for each object in a collision, or "".
            The array may be longer than the number of objects.
        blind: why there is no such attribute, or "".
        truth: the function that tells which objects collide by the system's own rule, as bool of
            shape (objects,); "" if the system has the same rule as most.
        rule: a description of that rule, or "".
        defect: why the system misses some collisions of its own rule, or "".
        larger: the file of another case in the same folder that is used when there are too many
            objects for this one, or "". Its scenes and answers have the same form.
        timed: the file of another case in the same folder whose program is timed instead, or "". It
            has the same scenes and reference, but leaves out work that only serves verification.
        programs_of: processors that run programs compiled for another processor, and that
            processor.
        note: a further remark for the reader, or "".
    """

    title: str
    scene: str
    tests: str
    setup: str = ""
    collided: str = ""
    blind: str = ""
    truth: str = ""
    rule: str = ""
    defect: str = ""
    larger: str = ""
    timed: str = ""
    programs_of: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def functions(self) -> dict[str, str]:
        """The dotted names of its functions, by their keys in the case file."""
        named = {"scene": self.scene, "setup": self.setup, "truth": self.truth}
        return {key: dotted for key, dotted in named.items() if dotted}


def contender_of(case: Case) -> Contender | None:
    """How a case takes part in the comparison of systems; None if it does not.

    Raises:
        CaseError: the section ``compare`` is wrong.
    """
    document = section_of(case)
    if document is None or "compare" not in document.data:
        return None
    contender = Contender(**document.data["compare"])
    for key, dotted in contender.functions().items():
        require_function(document, ("compare", key), dotted)
    if bool(contender.collided) == bool(contender.blind):
        raise document.error(
            ("compare",),
            "compare needs either collided or blind: who collides, or why it cannot be told",
        )
    for cpu, other in contender.programs_of.items():
        for name in (cpu, other):
            cpu_name(document, ("compare", "programs_of", cpu), name)
        if not runs(cpu, other):
            what = f"a {cpu} does not execute code for a {other}"
            raise document.error(("compare", "programs_of", cpu), what)
    for key, name in (("larger", contender.larger), ("timed", contender.timed)):
        if name and not (case.path.parent / name).is_file():
            raise document.error(("compare", key), f"there is no file {name} beside it")
    if contender.larger and contender.timed:
        raise document.error(("compare",), "compare allows larger or timed, not both")
    if bool(contender.truth) != bool(contender.rule):
        raise document.error(("compare",), "compare needs both truth and rule, or neither")
    return contender
