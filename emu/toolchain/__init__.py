"""Makes guest programs: runs compilers, names builds, and finds prebuilt programs."""
