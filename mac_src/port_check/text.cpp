// text.cpp: see text.h.

#include "text.h"

enum { kReturn = 13 };

Text::~Text()
{
    if (fBytes != NULL)
        DisposePtr(fBytes);
}

Boolean Text::Reserve(long room)
{
    fBytes = NewPtr(room);
    fRoom = fBytes != NULL ? room : 0;
    return fBytes != NULL;
}

void Text::Add(char c)
{
    if (fLength < fRoom)
        fBytes[fLength++] = c;
    else
        fFull = true;
}

void Text::Add(const char* text)
{
    while (*text != '\0')
        Add(*text++);
}

void Text::AddNumber(unsigned long n, short digits)
{
    char reversed[10];
    short count = 0;

    for (; n != 0; n /= 10)
        reversed[count++] = (char) ('0' + n % 10);
    for (short zeros = count; zeros < digits; zeros++)
        Add('0');
    while (count > 0)
        Add(reversed[--count]);
}

void Text::AddHex(unsigned long n)
{
    for (short shift = 28; shift >= 0; shift -= 4)
        Add("0123456789abcdef"[n >> shift & 15]);
}

void Text::EndLine()
{
    Add((char) kReturn);
}

long TextLength(const char* text)
{
    const char* end = text;

    while (*end != '\0')
        end++;
    return end - text;
}

Boolean SameText(const char* a, const char* b)
{
    while (*a != '\0' && *a == *b)
    {
        a++;
        b++;
    }
    return *a == *b;
}

void MakePascal(unsigned char* string, const char* text)
{
    short length = 0;

    while (length < 255 && text[length] != '\0')
    {
        string[length + 1] = (unsigned char) text[length];
        length++;
    }
    string[0] = (unsigned char) length;
}

// Four bits at a time: a table for eight is 1 KB, and a 68000 that goes
// bit by bit takes seconds for a file.

unsigned long AddToCrc(unsigned long crc, unsigned char c)
{
    static const unsigned long table[16] =
    {
        0x00000000UL, 0x1db71064UL, 0x3b6e20c8UL, 0x26d930acUL,
        0x76dc4190UL, 0x6b6b51f4UL, 0x4db26158UL, 0x5005713cUL,
        0xedb88320UL, 0xf00f9344UL, 0xd6d6a3e8UL, 0xcb61b38cUL,
        0x9b64c2b0UL, 0x86d3d2d4UL, 0xa00ae278UL, 0xbdbdf21cUL
    };

    crc ^= 0xffffffffUL;
    crc = crc >> 4 ^ table[(crc ^ c) & 15];
    crc = crc >> 4 ^ table[(crc ^ c >> 4) & 15];
    return crc ^ 0xffffffffUL;
}

unsigned long AddToDigest(unsigned long digest, unsigned char c)
{
    return ((digest ^ c) * 16777619UL) & 0xffffffffUL;
}
