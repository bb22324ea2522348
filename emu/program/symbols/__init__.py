"""Names for the routines of programs: from files of symbols, MacsBug names, fragments."""
