/* The port: the same routine for any compiler. */

#include <stdint.h>

int16_t mix(int16_t *levels, int16_t count, int16_t volume)
{
    int16_t n, loudest = 0;
    for (n = 0; n < count; ++n) {
        int16_t product = (int16_t) (levels[n] * volume); /* wraps, as it did */
        levels[n] = product / 64;
        if (levels[n] > loudest)
            loudest = levels[n];
    }
    return loudest;
}
