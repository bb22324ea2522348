/* search.c: strings searched, taken apart, and read as whole numbers. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void* memchr(const void* block, int c, size_t count)
{
    const unsigned char* p;

    for (p = block; count-- != 0; p++)
        if (*p == (unsigned char) c)
            return (void*) p;
    return NULL;
}

char* strncat(char* to, const char* from, size_t count)
{
    char* end = to + strlen(to);

    while (count-- != 0 && *from != 0)
        *end++ = *from++;
    *end = 0;
    return to;
}

char* strstr(const char* s, const char* part)
{
    size_t length = strlen(part);

    for (; strncmp(s, part, length) != 0; s++)
        if (*s == 0)
            return NULL;
    return (char*) s;
}

size_t strspn(const char* s, const char* some)
{
    size_t n = 0;

    while (s[n] != 0 && strchr(some, s[n]) != NULL)
        n++;
    return n;
}

size_t strcspn(const char* s, const char* some)
{
    size_t n = 0;

    while (s[n] != 0 && strchr(some, s[n]) == NULL)
        n++;
    return n;
}

char* strpbrk(const char* s, const char* some)
{
    s += strcspn(s, some);
    return *s != 0 ? (char*) s : NULL;
}

char* strtok(char* s, const char* separators)
{
    static char* gRest;
    char* word;

    word = s != NULL ? s : gRest;
    if (word == NULL)
        return NULL;
    word += strspn(word, separators);
    if (*word == 0)
        return gRest = NULL;
    gRest = word + strcspn(word, separators);
    if (*gRest != 0)
        *gRest++ = 0;
    else
        gRest = NULL;
    return word;
}

static int _Digit(int c)
{
    if (isdigit(c))
        return c - '0';
    c = tolower(c);
    return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

/* The digits of a number and whether there is a minus before them; a number that is too large
 * becomes the largest.
 */

static unsigned long _Number(const char* text, char** end, int base, int* negative)
{
    const char* p = text;
    unsigned long n = 0;
    int isLarge = 0, digit, found = 0;

    while (isspace(*p))
        p++;
    *negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if ((base == 0 || base == 16) && p[0] == '0' && tolower(p[1]) == 'x' && _Digit(p[2]) < 16)
    {
        p += 2;
        base = 16;
    }
    if (base == 0)
        base = *p == '0' ? 8 : 10;
    for (; (digit = _Digit(*p)) < base; p++, found = 1)
    {
        if (n > (0xFFFFFFFFUL - (unsigned long) digit) / (unsigned long) base)
            isLarge = 1;
        n = n * (unsigned long) base + (unsigned long) digit;
    }
    if (end != NULL)
        *end = (char*) (found ? p : text);
    return isLarge ? 0xFFFFFFFFUL : n;
}

unsigned long strtoul(const char* text, char** end, int base)
{
    int negative;
    unsigned long n = _Number(text, end, base, &negative);

    return negative && n != 0xFFFFFFFFUL ? -n : n;
}

long strtol(const char* text, char** end, int base)
{
    int negative;
    unsigned long n = _Number(text, end, base, &negative);

    if (negative)
        return n > 0x80000000UL ? (long) 0x80000000UL : (long) -n;
    return n > 0x7FFFFFFFUL ? 0x7FFFFFFFL : (long) n;
}

int isupper(int c)  { return c >= 'A' && c <= 'Z'; }
int islower(int c)  { return c >= 'a' && c <= 'z'; }
int isalnum(int c)  { return isalpha(c) || isdigit(c); }
int iscntrl(int c)  { return (c >= 0 && c < ' ') || c == 127; }
int isgraph(int c)  { return c > ' ' && c < 127; }
int isprint(int c)  { return c >= ' ' && c < 127; }
int ispunct(int c)  { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (tolower(c) >= 'a' && tolower(c) <= 'f'); }
