"""A port in one file: sources, verdicts and exported cases, and nothing of the old program.

It is a ZIP file with ``bundle.json`` in front, which has the digest of each other file. The same
port always gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from emu import __version__
from emu.base.errors import InputError, UsageError
from emu.base.files import read_at_most, write_whole
from emu.port.model import FunctionVerdict
from emu.port.project.project import Project
from emu.port.status.case_receipts import CaseReceipt, is_receipt, receipts_of
from emu.port.status.verdicts import VERDICTS_FILE, read_verdicts
from emu.program.mac_file.mac_file import host_files
from emu.report.json_form import parse_json, to_json

SCHEMA = "macproof.bundle/1"
MANIFEST = "bundle.json"
CASES = "cases"
"""The folder beside port.yaml with the cases that ``macproof port export`` writes."""

_LARGEST_FILE, _LARGEST_BUNDLE, _MOST_FILES = 64 << 20, 512 << 20, 20_000
_DATE = (1984, 1, 24, 0, 0, 0)
_CASE_NAMES = ("case.yaml", "*.case.yaml")


@dataclass(frozen=True, slots=True)
class BundledFile:
    """A file in a bundle.

    Attributes:
        name: its path in the bundle, with "/".
        sha256: its digest.
        size: its bytes.
    """

    name: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle holds.

    Attributes:
        macproof: the version that wrote it.
        port: the path of port.yaml in it.
        original: the digest of the old program, which is not in it.
        cpu: the processor of the old program.
        verdicts: the verdicts as they were when it was written.
        cases: the paths of the case files in it.
        files: all files but this list, by name.
        receipts: what verifications of these cases gave before it was written.
    """

    macproof: str
    port: str
    original: str
    cpu: str
    verdicts: Sequence[FunctionVerdict]
    cases: Sequence[str]
    files: Sequence[BundledFile]
    receipts: Sequence[CaseReceipt] = ()


def write_bundle(project: Project, path: Path) -> Bundle:
    """Write a bundle, whole or not at all.

    Raises:
        UsageError: a source lies so far from port.yaml that the bundle would tell of other folders.
        InputError: a file is too large, or cannot be read or written; verdicts.json is damaged; or
            a receipt is, or is of other files.
    """
    places = dict(_files(project, path))
    files = {
        name: read_at_most(file, _LARGEST_FILE, "a file of a bundle")
        for name, file in places.items()
    }
    listed = [_listed(name, content) for name, content in sorted(files.items())]
    root = _root(project)
    verdicts = read_verdicts(project)
    cases = [name for name in sorted(files) if _is_case(name)]
    bundle = Bundle(
        __version__,
        project.path.relative_to(root).as_posix(),
        project.digest,
        project.cpu,
        tuple(verdicts[place] for place in sorted(verdicts)),
        tuple(cases),
        tuple(listed),
        tuple(receipts_of({name: places[name] for name in cases}, files)),
    )
    write_whole(path, _packed({MANIFEST: to_json(bundle, SCHEMA).encode(), **files}))
    return bundle


def _root(project: Project) -> Path:
    """The folder of port.yaml, or the one above if sources lie beside it."""
    folder = project.folder
    paths = [*project.marked_files, *project.scripts, *project.include]
    paths += [path for path in project.prefix if isinstance(path, Path)]
    outside = [path for path in paths if not path.is_relative_to(folder)]
    for path in outside:
        if not path.is_relative_to(folder.parent):
            raise UsageError(
                f"{path} lies neither below {folder} nor beside it, so it cannot be in a bundle"
            )
    return folder.parent if outside else folder


def _files(project: Project, bundle: Path) -> Iterator[tuple[str, Path]]:
    """The files of a bundle with their names in it; nothing of the original or of recordings."""
    root = _root(project)
    own = [project.path, *project.marked_files, *project.scripts]
    own += [path for path in project.prefix if isinstance(path, Path)]
    verdicts = project.folder / VERDICTS_FILE
    own += [verdicts] if verdicts.is_file() else []
    cases = project.folder / CASES
    own += [path for path in sorted(cases.rglob("*")) if _is_packed(path.relative_to(cases), path)]
    kept = {path.resolve() for path in (*host_files(project.original), bundle)}
    recordings = project.recordings.resolve()
    for path in dict.fromkeys(own):
        resolved = path.resolve()
        if resolved not in kept and not resolved.is_relative_to(recordings):
            yield path.relative_to(root).as_posix(), path


def _is_packed(inside: Path, path: Path) -> bool:
    hidden = any(part.startswith(".") or part == "__pycache__" for part in inside.parts)
    return path.is_file() and not (path.is_symlink() or hidden or is_receipt(path))


def _is_case(name: str) -> bool:
    path = PurePosixPath(name)
    return CASES in path.parts and any(path.match(pattern) for pattern in _CASE_NAMES)


def _listed(name: str, content: bytes) -> BundledFile:
    return BundledFile(name, hashlib.sha256(content).hexdigest(), len(content))


def _packed(files: Mapping[str, bytes]) -> bytes:
    image = io.BytesIO()
    with zipfile.ZipFile(image, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            information = zipfile.ZipInfo(name, _DATE)
            information.compress_type = zipfile.ZIP_DEFLATED
            information.external_attr = 0o644 << 16
            archive.writestr(information, content)
    return image.getvalue()


def unpack_bundle(path: Path, folder: Path) -> Bundle:
    """Read a bundle that anybody may have written, and write its files into an empty folder.

    Args:
        path: the bundle.
        folder: the folder.

    Raises:
        InputError: it is no bundle, is damaged, too large, or has a file that leads out of the
            folder, that its list lacks, or that is not as its list says.
    """
    image = read_at_most(path, _LARGEST_BUNDLE, "a bundle")
    try:
        with zipfile.ZipFile(io.BytesIO(image)) as archive:
            bundle, contents = _checked(archive, path)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise InputError(path, f"it is no bundle: {error}") from error
    for name, content in contents.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, content)
    return bundle


def _checked(archive: zipfile.ZipFile, path: Path) -> tuple[Bundle, dict[str, bytes]]:
    members = archive.infolist()
    sizes = [member.file_size for member in members]
    if len(members) > _MOST_FILES or max(sizes, default=0) > _LARGEST_FILE:
        raise InputError(path, "it has too many files, or one that is too large")
    if sum(sizes) > _LARGEST_BUNDLE:
        raise InputError(path, f"its files have {sum(sizes):,} bytes, too many")
    names = [member.filename for member in members]
    if MANIFEST not in names:
        raise InputError(path, f"it is no bundle: it has no {MANIFEST}")
    (bundle,) = parse_json(_read(archive, MANIFEST), path, Bundle, SCHEMA)
    listed = {file.name: file for file in bundle.files}
    if sorted([MANIFEST, *listed]) != sorted(names) or len(listed) != len(bundle.files):
        raise InputError(path, "its files are not those of its list")
    for name in (bundle.port, *bundle.cases):
        if name not in listed:
            raise InputError(path, f"it has no {name}, which its list names")
    contents = {}
    for name, file in listed.items():
        if not _is_inside(name):
            raise InputError(path, f"the name {name!r:.80} leads out of it", where=MANIFEST)
        contents[name] = _read(archive, name)
        if _listed(name, contents[name]) != file:
            raise InputError(path, "it is not as the list says", where=name)
    return bundle, contents


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    """The contents of a member; what its header says of its size may be wrong."""
    with archive.open(name) as member:
        content = member.read(_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise ValueError(f"{name} is too large")
    return content


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    is_plain = path.as_posix() == name and "\\" not in name and "\0" not in name
    return is_plain and not path.is_absolute() and not {"..", "."} & set(path.parts)
