/* string.c: what programs do with strings; see also memory.c. */

#include <ctype.h>
#include <string.h>

size_t strlen(const char* s)
{
    const char* end = s;

    while (*end != '\0')
        end++;
    return (size_t) (end - s);
}

char* strcpy(char* to, const char* from)
{
    memcpy(to, from, strlen(from) + 1);
    return to;
}

char* strncpy(char* to, const char* from, size_t count)
{
    size_t i = 0;

    for (; i < count && from[i] != '\0'; i++)
        to[i] = from[i];
    for (; i < count; i++)
        to[i] = '\0';
    return to;
}

char* strcat(char* to, const char* from)
{
    strcpy(to + strlen(to), from);
    return to;
}

int strncmp(const char* one, const char* two, size_t count)
{
    for (; count != 0; count--, one++, two++)
    {
        int difference = (unsigned char) *one - (unsigned char) *two;

        if (difference != 0 || *one == '\0')
            return difference;
    }
    return 0;
}

int strcmp(const char* one, const char* two)
{
    return strncmp(one, two, (size_t) -1);
}

char* strchr(const char* s, int c)
{
    for (; *s != (char) c; s++)
        if (*s == '\0')
            return NULL;
    return (char*) s;
}

char* strrchr(const char* s, int c)
{
    const char* found = NULL;

    do
        if (*s == (char) c)
            found = s;
    while (*s++ != '\0');
    return (char*) found;
}

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
