"""Measures the claims of the posts, and judges each by a stated rule.

Claims are data in the files of ``mac_src/claims`` (:mod:`emu.studies.audit.claims`). A file names
the Python functions that measure. A function that needs compiled code gets a workbench
(:mod:`emu.studies.audit.workbench`). The claim's rule (:mod:`emu.studies.audit.rules`) turns the
measured figures into a verdict.
"""

from __future__ import annotations
