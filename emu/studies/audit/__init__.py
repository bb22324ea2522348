"""What the posts claim, put to the test: a claim, a measurement, and a rule that gives a verdict.

Claims are data, files in ``mac_src/claims`` (:mod:`emu.studies.audit.claims`). Their measurements
are functions named there, in Python alone or with compiled code, for which they get a workbench
(:mod:`emu.studies.audit.workbench`). A verdict is what the claim's rule
(:mod:`emu.studies.audit.rules`) makes of the measured figures.
"""

from __future__ import annotations
