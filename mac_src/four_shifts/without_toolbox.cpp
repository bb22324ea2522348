// without_toolbox.cpp
//
// Put in front of four_shifts_mac.cpp, it makes that a program for no
// Macintosh, as it would be with another compiler: time from the C
// library, and nothing drawn.

#undef macintosh

#define FOUR_SHIFTS_MENDED
