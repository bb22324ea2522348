// typing.cpp: what is typed, line by line.

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    char line[40];
    long sum = 0;

    printf("%d %s\n", argc, argv[0]);
    while (fgets(line, sizeof line, stdin) != NULL && atol(line) != 0)
        printf("sum %ld\n", sum += atol(line));
    printf("end: %c", getchar());
    printf("%c", getchar());
}
