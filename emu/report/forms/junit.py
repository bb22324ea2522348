"""Documents as JUnit XML, for continuous integration."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from emu.base.printable import one_line, printable
from emu.report.document import Check, CheckStatus, Document


def to_junit(documents: Sequence[Document]) -> str:
    """A test suite for each document that has checks, and a test case for each of these."""
    root = ElementTree.Element("testsuites", {"name": "macproof", **_totals(documents)})
    for document in filter(lambda report: report.checks, documents):
        totals = {"name": document.title, **_totals([document])}
        suite = ElementTree.SubElement(root, "testsuite", totals)
        for check in document.checks:
            _add(suite, check)
    for element in root.iter():
        # XML 1.0 has no place for most control characters, escaped or not.
        element.text = printable(element.text) if element.text else element.text
        element.attrib = {name: one_line(value) for name, value in element.attrib.items()}
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _totals(documents: Sequence[Document]) -> dict[str, str]:
    fates = [check.fate for document in documents for check in document.checks]
    return {
        "tests": str(len(fates)),
        "failures": str(fates.count(CheckStatus.FAILURE)),
        "errors": str(fates.count(CheckStatus.ERROR)),
        "skipped": str(fates.count(CheckStatus.SKIPPED)),
        "time": f"{sum(document.seconds or 0.0 for document in documents):.3f}",
    }


def _add(suite: ElementTree.Element, check: Check) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=f"macproof.{check.group}", name=check.name
    )
    if check.properties:
        properties = ElementTree.SubElement(case, "properties")
        for name, value in check.properties.items():
            ElementTree.SubElement(properties, "property", name=name, value=value)
    if check.fate is not CheckStatus.PASSED:
        message = check.message or check.fate.value
        node = ElementTree.SubElement(case, check.fate.value, message=message.partition("\n")[0])
        node.text = message
