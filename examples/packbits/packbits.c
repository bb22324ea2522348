/* Run-length coding as MacPaint pictures have it: a count byte, then literal bytes or one byte to
   repeat. The format is described in Apple's Technical Note TN1023. */

typedef char *Ptr;

void UnpackBytes(Ptr *source, Ptr *target, short length)
{
    unsigned char *from = (unsigned char *) *source;
    unsigned char *to = (unsigned char *) *target;
    unsigned char *end = to + length;
    while (to < end) {
        short count = (signed char) *from++;
        if (count >= 0) {
            for (count = count + 1; count > 0; --count)
                *to++ = *from++;
        } else if (count != -128) {
            for (count = 1 - count; count > 0; --count)
                *to++ = *from;
            ++from;
        }
    }
    *source = (Ptr) from;
    *target = (Ptr) to;
}

/* A run of two bytes costs as much as two literal ones, so only longer runs are worth a count. */
void PackBytes(Ptr *source, Ptr *target, short length)
{
    unsigned char *from = (unsigned char *) *source;
    unsigned char *to = (unsigned char *) *target;
    unsigned char *end = from + length;
    unsigned char *literal = 0; /* the count byte of the literal bytes before this one */
    while (from < end) {
        short run = 1;
        while (from + run < end && run < 128 && from[run] == *from)
            ++run;
        if (run > 2) {
            *to++ = 1 - run;
            *to++ = *from;
            from += run;
            literal = 0;
        } else {
            if (!literal || *literal == 127) {
                literal = to++;
                *literal = -1;
            }
            ++*literal;
            *to++ = *from++;
        }
    }
    *source = (Ptr) from;
    *target = (Ptr) to;
}
