/* Draws a 1-bit image into another, at any pixel: black is added to what is there. A row of an image
   takes rowBytes bytes, of which the last may be unused, and the leftmost pixel is the highest bit. */

void BlitOr(const unsigned char *source, short sourceRowBytes, unsigned char *target,
            short targetRowBytes, short left, short top, short width, short height)
{
    short shift = left & 7;
    target += (long) top * targetRowBytes + (left >> 3);
    for (; height > 0; --height) {
        short x;
        for (x = 0; x < width; x += 8) {
            unsigned short pixels = source[x >> 3];
            if (width - x < 8) /* the rest of the byte is not part of the image */
                pixels &= 0xFF00 >> (width - x);
            pixels <<= 8 - shift;
            target[x >> 3] |= pixels >> 8;
            if (pixels & 0xFF)
                target[(x >> 3) + 1] |= pixels;
        }
        source += sourceRowBytes;
        target += targetRowBytes;
    }
}
