"""The C and C++ of Macintosh compilers of the time, as text that GCC takes."""
