"""Lists of mutants that nothing can tell from the routine, each with the reason.

They also say which sources of a case have another case of their own, whose self-check is of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from emu.base.errors import CaseError
from emu.base.yaml_document import YamlDocument
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.search.selfcheck.fates import Fate, MutantFate

FILE = "equivalent_mutants.yaml"
"""The name of the list that lies beside a case file."""


@dataclass(frozen=True, slots=True)
class OtherCase:
    """A case that a source has of its own.

    Attributes:
        name: its name.
        cpus: the processors that it is for; on others the source is tried here.
        reason: why its scenes are the ones to try the source on.
    """

    name: str
    cpus: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class EquivalenceReason:
    """Why nothing can tell a mutant from the routine.

    Attributes:
        text: why.
        cpus: the processors of which that is said; none is all.
    """

    text: str
    cpus: tuple[str, ...] = ()

    def is_of(self, program: str) -> bool:
        """Whether it is said of a program, by its name: "601 O1"."""
        return not self.cpus or program.split()[0] in self.cpus


@dataclass(frozen=True, slots=True)
class Equivalents:
    """What a list says of one case.

    Attributes:
        path: the list's file; None if there is none.
        mutants: the reasons, by the keys of mutants.
        uncalled: the reasons, by functions that the case never calls ("FILE, FUNCTION").
        elsewhere: the other cases, by the names of sources.
    """

    path: Path | None = None
    mutants: Mapping[str, EquivalenceReason] = field(default_factory=dict)
    uncalled: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Mapping[str, OtherCase] = field(default_factory=dict)


def find_equivalents(case: Case) -> Equivalents:
    """What the list beside a case file says of the case; nothing if there is no list.

    Raises:
        CaseError: as of `read_equivalents`.
    """
    path = case.path.parent / FILE
    return read_equivalents(path, case.name) if path.is_file() else Equivalents()


def read_equivalents(path: Path, case: str) -> Equivalents:
    """What a list says of a case.

    The file has lists for one case each, or for several with ", " between their names. They are of
    groups with a ``reason`` and the ``mutants`` it is of, perhaps only on some ``cpus``, or the
    functions that are ``not_called``, or the ``files`` that have another ``case``.

    Raises:
        CaseError: there is no such file, or it is not as described; or another case does not have
            the files that it is named for, or leaves them to yet another.
    """
    document = YamlDocument(path, "a list of equivalent mutants")
    document.check_by_file("emu.search.selfcheck:equivalent.schema.json")
    lists = {names: groups for names, groups in document.data.items() if case in names.split(", ")}
    groups = [group for entries in lists.values() for group in entries]
    return Equivalents(
        path,
        {
            key: EquivalenceReason(group["reason"], tuple(group.get("cpus", ())))
            for group in groups
            for key in group.get("mutants", ())
        },
        {name: group["reason"] for group in groups for name in group.get("not_called", ())},
        {
            name: _other_case(document, group, name)
            for group in groups
            for name in group.get("files", ())
        },
    )


def _other_case(document: YamlDocument, group: Mapping[str, Any], file: str) -> OtherCase:
    """The case that has a source of its own; see `read_equivalents`."""
    other = load_case(str(document.path.parent / group["case"]))
    lists = [groups for names, groups in document.data.items() if other.name in names.split(", ")]
    leaves = any(file in entry.get("files", ()) for groups in lists for entry in groups)
    if file not in other.sources or leaves:
        what = f"leaves {file} to another" if leaves else f"has no source {file}"
        raise CaseError(
            document.path, f"the case {other.name} {what}, so its self-check is not of it"
        )
    return OtherCase(other.name, other.cpus, group["reason"])


def with_equivalent(
    tried: Sequence[MutantFate], reasons: Mapping[str, EquivalenceReason]
) -> list[MutantFate]:
    """The same mutants, of which those that survived and are listed have the list's reason.

    The reason has to be said of every program that survived.
    """
    return [
        replace(fate, equivalent=reason.text)
        if fate.fate is Fate.SURVIVED
        and (reason := reasons.get(fate.mutant.key)) is not None
        and all(map(reason.is_of, fate.survived_on))
        else fate
        for fate in tried
    ]


def wrong_entries(
    tried: Sequence[MutantFate], reasons: Mapping[str, EquivalenceReason]
) -> list[str]:
    """The entries of a list that name no mutant, or one that the scenes find out, in words.

    Args:
        tried: all mutants of the case.
        reasons: the listed mutants.
    """
    fates = {
        fate.mutant.key: [(name, each.fate) for name, each in fate.judged.items()] for fate in tried
    }
    wrong = []
    for key, reason in reasons.items():
        killed = [
            fate for name, fate in fates.get(key, ()) if fate.is_killed and reason.is_of(name)
        ]
        if key not in fates:
            wrong.append(f"there is no such mutant: {key}")
        elif killed:
            wrong.append(f"it can be told from the routine ({killed[0].value}): {key}")
    return wrong
