"""The programs of cases: linked as ELF, XCOFF or native ones, or found among the prebuilt."""
