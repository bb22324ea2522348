"""Mistakes with memory that calls of scenes make."""
