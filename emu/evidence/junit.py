"""A report as JUnit XML, for continuous integration."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from emu.evidence.report import Report

# XML 1.0 has no place for other control characters, escaped or not.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
        for name in ("scenes", "comparisons", "bytes_compared"):
            ElementTree.SubElement(properties, "property", name=name, value=str(result[name]))
        ElementTree.SubElement(
            properties, "property", name="program_sha256", value=result["program"]["sha256"]
        )
        if result["verdict"] != "verified":
            kind = "failure" if result["verdict"] == "refuted" else "error"
            texts = [failure["summary"] for failure in result["failures"]]
            text = "\n".join(texts) or result["fault"] or "nothing was compared"
            text = _NOT_XML.sub("?", text)
            node = ElementTree.SubElement(case, kind, message=text.splitlines()[0])
            node.text = text
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
