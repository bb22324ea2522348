// rand_scalar.cpp
//
// The random numbers of the program that tested the sector grid in 1994,
// in its mended form: _RandScalar of four_shifts_mac.cpp, as it is.

#include "without_toolbox.cpp"
#include "four_shifts.cpp"
#include "four_shifts_mac.cpp"
#include "scripted.cpp"

short RandScalar(short max)
{
    return (short) _RandScalar(max);
}
