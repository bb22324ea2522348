// pascal_strings.cpp: strings that begin with their length.

#include <stdio.h>

#include <Packages.h>
#include <Types.h>

#define GREETING "\pHello"

static void _Print(const void* string)
{
    const unsigned char* s = (const unsigned char*) string;

    printf("%d: %.*s\n", *s, *s, (const char*) s + 1);
}

int main()
{
    static const unsigned char inArray[] = "\pin an array";
    Str255 number;
    long back;

    _Print(GREETING);
    _Print("\p");
    _Print("\pwith \"quotes\", a \t tab and \245");
    _Print(inArray);
    printf("%s\n", "not \\p at all");      // "\pand not in comments"

    NumToString(-1234567, number);
    _Print(number);
    StringToNum("\p-32768", &back);
    printf("%ld\n", back);
}
