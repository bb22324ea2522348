"""What verifications of a port's cases gave, for a bundle.

``macproof verify CASE --json`` writes a receipt. Of that file, which names folders of the computer
that wrote it, a bundle has no more than stands here.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from emu.base.errors import InputError
from emu.verify.report.read_report import read_reports
from emu.verify.report.receipt import Receipt
from emu.verify.report.report import VerifyReport

RECEIPT = "receipt.json"
_CASE = "case.yaml"


@dataclass(frozen=True, slots=True)
class CaseReceipt:
    """A verification of a case, as it was when the bundle was written.

    Attributes:
        case: the path of the case file in the bundle.
        verdict: "verified", "refuted" or "inconclusive".
        calls: how many calls were compared, on all programs together.
        programs: each program: processor, build, and the compiler's version line.
        engine: the engines that executed them.
        macproof: the version that verified it.
    """

    case: str
    verdict: str
    calls: int
    programs: tuple[str, ...]
    engine: str
    macproof: str


def is_receipt(path: Path) -> bool:
    """Whether a file has the name of a receipt: receipt.json, or fill.receipt.json."""
    return path.name == RECEIPT or path.name.endswith(f".{RECEIPT}")


def receipts_of(cases: Mapping[str, Path], files: Mapping[str, bytes]) -> Iterator[CaseReceipt]:
    """The receipts that lie beside cases.

    Args:
        cases: the case files by their paths in the bundle.
        files: the contents of all files of the bundle, by their paths in it.

    Raises:
        InputError: a receipt is damaged, or of files that are no longer so.
    """
    digests: dict[str, set[str]] = defaultdict(set)
    for name, content in files.items():
        digests[PurePosixPath(name).name].add(sha256(content).hexdigest())
    for name, case in cases.items():
        path = case.with_name(case.name.removesuffix(_CASE) + RECEIPT)
        if not path.is_file():
            continue
        for report in read_reports(path):
            _require_present(path, case, report.receipt, sha256(files[name]).hexdigest(), digests)
            yield _short(name, report)


def _require_present(
    path: Path, case: Path, receipt: Receipt, digest: str, digests: Mapping[str, set[str]]
) -> None:
    """Refuse a receipt of files that have changed since, or of another case."""
    used = {**receipt.source.files, **receipt.reference_files, **receipt.read_files}
    changed = [] if receipt.case.sha256 == digest else [case.name]
    for file, one in sorted(used.items()):
        name = PurePosixPath(file).name
        if name in digests and one not in digests[name]:
            changed.append(name)
    if changed:
        again = shlex.join(("macproof", "verify", str(case.parent), "--json", str(path)))
        raise InputError(
            path,
            f"it is of another {', '.join(dict.fromkeys(changed))} than the bundle would have. "
            f"Verify again: {again}",
        )


def _short(name: str, report: VerifyReport) -> CaseReceipt:
    programs = (f"{one.cpu} {one.build}, {one.program.compiler}" for one in report.results)
    return CaseReceipt(
        name,
        report.verdict,
        sum(one.calls for one in report.results),
        tuple(programs),
        report.receipt.engine,
        report.receipt.macproof,
    )
