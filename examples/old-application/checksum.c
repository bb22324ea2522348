/* The port: the same sum without a table. */

#include <stdint.h>

int32_t gBytes;

uint16_t update(uint16_t sum, const uint8_t *bytes, int16_t count)
{
    int bit;
    gBytes += count;
    while (count-- > 0) {
        sum ^= *bytes++ << 8;
        for (bit = 0; bit < 8; ++bit)
            sum = sum << 1 ^ (sum & 0x8000 ? 0x1021 : 0);
    }
    return sum;
}
