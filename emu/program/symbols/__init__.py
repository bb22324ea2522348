"""Symbols for programs: from linkers' files, from MacsBug names, and for fragments."""
