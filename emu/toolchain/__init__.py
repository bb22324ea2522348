"""Making guest programs: compilers, builds, and the prebuilt ones."""
