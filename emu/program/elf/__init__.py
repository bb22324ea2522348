"""ELF files and their DWARF."""
