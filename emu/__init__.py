"""macproof: evidence that a ported classic-Macintosh routine still does what it did."""

__version__ = "0.4.0"
