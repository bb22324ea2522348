"""Looks for scenes on which programs fail: changes scenes and keeps those that execute new code."""
