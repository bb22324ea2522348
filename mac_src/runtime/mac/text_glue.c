/* text_glue.c: strings from resources, which is no trap. */

#include <string.h>

#include <Resources.h>
#include <ToolUtils.h>

void GetIndString(unsigned char* string, short list, short index)
{
    Handle strings = GetResource(0x53545223, list);     /* 'STR#' */
    const unsigned char* p;

    string[0] = 0;
    if (strings == NULL)
        return;
    p = (const unsigned char*) *strings;
    if (index < 1 || index > *(const short*) p)
        return;
    for (p += 2; index > 1; index--)
        p += 1 + *p;
    memcpy(string, p, 1 + *p);
}
