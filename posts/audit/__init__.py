"""Measures the claims of the posts, and judges each by a stated rule.

Claims are data in the files of ``posts/claims`` (:mod:`posts.audit.claims`). A file names
the Python functions that measure. A function that needs compiled code gets a workbench
(:mod:`posts.audit.workbench`). The claim's rule (:mod:`posts.audit.rules`) turns the
measured figures into a verdict.
"""

from __future__ import annotations
