"""The making of cases' programs by a compiler whose files are XCOFF: Retro68's for the PowerPC."""
