// ambiguous_one.cpp
//
// With ambiguous_two.cpp: the same static names in two files.

extern int OtherFile(int n);

static int gTwice = 1;
static struct { unsigned int bit : 1; } gMixed = {1};
int gOnce = 3;
int* gGiven;

static int __attribute__((noinline)) Twice(int n)
{
    return n + gTwice + gMixed.bit;
}

// The compiler takes the loop out of this one, so that the test before it
// can be inlined; both parts bear its name in the debugging information.

int Split(int* values, int n)
{
    int sum = 0;

    if (values == 0)
        return -1;
    for (int i = 0; i < n; i++)
        sum += (values[i] ^ gOnce) * 3 - (sum >> 3) + (values[n - i - 1] >> (i & 7));
    for (int i = 0; i < n; i++)
        values[i] = (sum ^ values[i]) + (sum << (values[i] & 15));
    return sum;
}

int Start(int n)
{
    gTwice++;
    gMixed.bit ^= 1;
    return Twice(n) + OtherFile(n) + Split(gGiven, n) + Split(gGiven + 1, n) + Split(0, n);
}
