"""Calls that draw: lines, shapes, polygons, regions, bits."""
