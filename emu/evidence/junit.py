"""A report as JUnit XML, for continuous integration."""

from __future__ import annotations

from xml.etree import ElementTree

from emu.base.printable import one_line, printable
from emu.evidence.report import Report

_COUNTS = (
    "calls",
    "scenes",
    "distinct_scenes",
    "changed_scenes",
    "comparisons",
    "bytes_compared",
)


def to_junit(report: Report) -> str:
    """One test case for each program; evidence stays in the JSON report."""
    results = report["results"]
    suite = ElementTree.Element(
        "testsuite",
        name="macproof",
        tests=str(len(results)),
        failures=str(sum(r["verdict"] == "refuted" for r in results)),
        errors=str(sum(r["verdict"] == "inconclusive" for r in results)),
        skipped="0",
        time=str(report["receipt"]["seconds"]),
    )
    for result in results:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"macproof.{result['case']}",
            name=f"{result['cpu']} {result['build']}",
        )
        properties = ElementTree.SubElement(case, "properties")
        for name in _COUNTS:
            ElementTree.SubElement(properties, "property", name=name, value=str(result[name]))
        ElementTree.SubElement(
            properties, "property", name="program_sha256", value=result["program"]["sha256"]
        )
        for what in result["not_watched"]:
            ElementTree.SubElement(properties, "property", name="not_watched", value=what)
        if result["verdict"] != "verified":
            kind = "failure" if result["verdict"] == "refuted" else "error"
            texts = [failure["summary"] for failure in result["failures"]]
            texts += [
                f"{finding['place']}: {finding['mnemonic']} {finding['why']}"
                for finding in result["isa"]["findings"]
            ]
            why = result["fault"] or result["undecided"] or result["verdict"]
            text = printable("\n".join(texts) or why)
            node = ElementTree.SubElement(case, kind, message=text.partition("\n")[0])
            node.text = text
    root = ElementTree.Element("testsuites")
    root.append(suite)
    for element in root.iter():
        # XML 1.0 has no place for most control characters, escaped or not.
        element.text = printable(element.text) if element.text else element.text
        element.attrib = {name: one_line(value) for name, value in element.attrib.items()}
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
