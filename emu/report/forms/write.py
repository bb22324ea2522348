"""Documents written into files, in every form that was asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emu.base.files import write_whole
from emu.report.document import Document
from emu.report.json_form import MANY, plain, to_json
from emu.report.plots.plot import Plot


@dataclass(frozen=True, slots=True)
class Reports:
    """Several reports in one file.

    Attributes:
        reports: the reports, each as it is in a file of its own, with the name of its schema.
    """

    reports: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Where documents are written; None for a form that was not asked for."""

    json: Path | None = None
    junit: Path | None = None
    markdown: Path | None = None
    html: Path | None = None


def write_documents(
    documents: Sequence[Document],
    files: ReportFiles,
    pictures: Mapping[str, Path] | None = None,
) -> list[Path]:
    """Write documents; all files are made before the first of them is written.

    Args:
        documents: the documents. The JSON form of one is its own, of several it is an object of
            schema macproof.reports/1.
        files: the forms, and where each is written.
        pictures: where plots of the documents are drawn, by their names; the ends of the files'
            names say how. Markdown shows these pictures.

    Returns:
        What was written.

    Raises:
        InputError: a file cannot be written there.
        KeyError: no document has a plot of that name.
    """
    contents = list(_contents(documents, files, pictures or {}))
    for path, content in contents:
        write_whole(path, content)
    return [path for path, _ in contents]


def _contents(
    documents: Sequence[Document], files: ReportFiles, pictures: Mapping[str, Path]
) -> Iterator[tuple[Path, bytes]]:
    if files.json is not None:
        yield files.json, _bytes(json_of(documents))
    if files.junit is not None:
        from emu.report.forms.junit import (
            to_junit,  # each form is loaded only where it is asked for
        )

        yield files.junit, _bytes(to_junit(documents))
    if files.markdown is not None:
        from emu.report.forms.markdown import to_markdown

        folder = files.markdown.parent
        links = {name: _link(path, folder) for name, path in pictures.items()}
        yield files.markdown, _bytes(to_markdown(documents, links))
    if files.html is not None:
        from emu.report.forms.html import to_html

        yield files.html, _bytes(to_html(documents))
    plots = {plot.name: plot for document in documents for plot in plots_of(document)}
    for name, path in pictures.items():
        from emu.report.plots.plot_files import plot_file

        yield path, plot_file(plots[name], path.suffix)


def json_of(documents: Sequence[Document]) -> str:
    """The data of documents as JSON text: of one as it is, of several in one object."""
    if len(documents) == 1:
        return to_json(documents[0].data, documents[0].schema)
    reports = [{"schema": document.schema, **plain(document.data)} for document in documents]
    return to_json(Reports(reports), MANY)


def plots_of(document: Document) -> list[Plot]:
    """The plots in a document's sections."""
    parts = (part for section in document.sections for part in section.parts)
    return [part for part in parts if isinstance(part, Plot)]


def _link(path: Path, folder: Path) -> str:
    """A path as it is written in a file that lies in a folder."""
    return Path(os.path.relpath(path, folder)).as_posix()


def _bytes(text: str) -> bytes:
    # Half of a surrogate pair, as in a file name that is no UTF-8, becomes what is written for it.
    return text.encode("utf-8", "backslashreplace")
