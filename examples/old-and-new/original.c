/* The routine of the old application, as its author wrote it: THINK C, where an int has 16 bits.
   A product beyond them wraps, and that distortion was part of the sound.
   Original.bin is this source, compiled and kept; tests/gallery/original.py made it. */

int Mix(int *levels, int count, int volume)
{
    int n, loudest;

    loudest = 0;
    for (n = 0; n < count; ++n) {
        levels[n] = levels[n] * volume / 64;
        if (levels[n] > loudest)
            loudest = levels[n];
    }
    return loudest;
}
