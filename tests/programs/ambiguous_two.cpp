// ambiguous_two.cpp
//
// See ambiguous_one.cpp.

static int gTwice = 2;
static int gMixed = 5;

static int __attribute__((noinline)) Twice(int n)
{
    return n - gTwice - gMixed;
}

int OtherFile(int n)
{
    gTwice++;
    gMixed++;
    return Twice(n);
}
