/* What programs did with Str255 all the time: a byte of length, then up to 255 characters. */

#include <Types.h>

/* Puts a string behind another, as far as there is room. */
void Append(Str255 text, const unsigned char *more)
{
    short room = 255 - text[0];
    short length = more[0] < room ? more[0] : room;
    unsigned char *to = text + 1 + text[0];
    text[0] += length;
    while (length-- > 0)
        *to++ = *++more;
}
