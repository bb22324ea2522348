"""Findings: defects of the published programs, each shown again by running it."""
