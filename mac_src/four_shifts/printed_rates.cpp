// printed_rates.cpp
//
// Prints what an experiment ends with, the time of an iteration and the
// number of them a second, as the program of 1994 does it, by a stream
// library that conforms to the standard. With MENDED it is done as in
// four_shifts_mac.cpp. This is a program for a system with a C++ library,
// not for a Macintosh; see the finding M16.

#include <iostream>
#include <stdio.h>

#ifdef MENDED
#define main main_of_the_program
#include "four_shifts.cpp"
#include "four_shifts_mac.cpp"
#undef main
#endif

static void Print(long iterations, long totalTime)
{
#ifdef MENDED
    char each[24], rate[24];
    _ThreeDigits(each, (unsigned long) totalTime,
                 (unsigned long) iterations, 0);
    _ThreeDigits(rate, (unsigned long) iterations,
                 (unsigned long) totalTime, 6);
    printf("%s us/iter, %s iter/s\n", each, rate);
#else
    const float usec = (float) totalTime;
    const float iter = (float) iterations;

    std::cout.precision(2);
    std::cout << usec / iter << " us/iter, "
              << 1000000.0f * iter / usec << " iter/s" << std::endl;
#endif
}

// Iterations that give rates of the table: no objects and 200 on 68K, no
// objects on PowerPC.

int main()
{
    Print(18330,  30000000);
    Print(2430,   30000000);
    Print(229200, 30000000);
    return 0;
}
