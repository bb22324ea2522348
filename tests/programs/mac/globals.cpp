// globals.cpp: data that begins as zeros, data that does not, and addresses
// in it that have to be relocated.

#include <stdio.h>

struct Node
{
    const char* name;
    Node*       next;
    int         (*function)(int);
};

static int _Double(int n)   { return 2 * n; }
static int _Square(int n)   { return n * n; }

extern Node gFirst;
Node gSecond = { "second", &gFirst, _Square };
Node gFirst  = { "first", &gSecond, _Double };

long    gZeros[3000];
short   gShorts[] = { 1, -2, 3 };
char    gText[] = "text that can be changed";
long*   gInside = &gZeros[1500];
const char* const kWords[] = { "one", "two", "three" };

static int _CallsSoFar()
{
    static int calls;
    static int step = 3;

    calls += step;
    step = 1;
    return calls;
}

int main()
{
    long sum = 0;
    for (int i = 0; i < 3000; i++)
        sum |= gZeros[i];
    printf("zeros: %ld\n", sum);

    *gInside = 42;
    printf("inside: %ld %d\n", gZeros[1500], (int) (gInside - gZeros));

    const Node* n = &gFirst;
    for (int i = 0; i < 4; i++, n = n->next)
        printf("%s %d\n", n->name, n->function(5 + i));

    gText[0] = 'T';
    printf("%s, %d %d %d, %s\n", gText, gShorts[0], gShorts[1], gShorts[2], kWords[2]);

    for (int i = 0; i < 3; i++)
        printf("%d ", _CallsSoFar());
    printf("\n");
}
