"""Predicted speeds beside published and measured ones: what a figure of long ago rests on."""
