/* four_shifts.r: the resources of Four Shifts. */

#include "finder.r"

resource 'vers' (1)
{
    0x01, 0x00, release, 0x00, verUS,
    "1.0",
    "Four Shifts 1.0"
};
