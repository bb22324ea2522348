// empty.cpp: the smallest program.

int main()
{
    return 0;
}
