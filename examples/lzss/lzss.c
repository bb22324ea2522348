/* LZSS: a byte of eight flags, then eight items, the first for the lowest bit. An item is a literal
   byte (flag 1), or two bytes that repeat what came before: 12 bits of distance and 4 of length. */

enum { kShortest = 3 }; /* a shorter repetition takes no less room than its bytes */

long Expand(const unsigned char *packed, long size, unsigned char *target)
{
    const unsigned char *end = packed + size;
    unsigned char *to = target;
    unsigned short flags = 0;
    while (packed < end) {
        flags >>= 1;
        if (!(flags & 0x100)) /* the eight are used up */
            flags = 0xFF00 | *packed++;
        if (flags & 1)
            *to++ = *packed++;
        else {
            short distance = (packed[0] | (packed[1] & 0xF0) << 4) + 1;
            short length = (packed[1] & 0x0F) + kShortest;
            packed += 2;
            while (length-- > 0) {
                *to = to[-distance];
                ++to;
            }
        }
    }
    return to - target;
}
