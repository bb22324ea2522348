// stdio.cpp: formats, and files as the C library has them.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main()
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%d] [%ld] [%hd] [%u]\n", -1, -2147483647L - 1, (short) -3, 4294967295U);
    printf("[%x] [%X] [%#x] [%08lx] [%o] [%.4d]\n", 48879, 48879, 255, 0xABCDEFL, 8, 7);
    printf("[%s] [%8s] [%-8s] [%.2s] [%c] [%%] [%*d]\n", "text", "text", "text", "text", 'c',
           4, 9);

    char small[8];
    int wanted = snprintf(small, sizeof small, "%s", "too long to fit");
    printf("%s %d\n", small, wanted);

    FILE* out = fopen("out", "w");
    if (out == NULL)
    {
        printf("cannot be opened\n");
        return 1;
    }
    fprintf(out, "line %d\n", 1);
    fputs("line 2\nline 3", out);
    fclose(out);

    out = fopen("out", "a");
    fputs(", and its end\n", out);
    fclose(out);

    FILE* in = fopen("out", "r");
    char line[80];
    while (fgets(line, sizeof line, in) != NULL)
        printf("> %s", line);
    printf("at its end: %d\n", feof(in) != 0);
    fclose(in);

    printf("missing: %s\n", fopen("missing", "r") == NULL ? "yes" : "no");

    char* copy = (char*) malloc(6);
    memcpy(copy, "block", 6);
    copy = (char*) realloc(copy, 1000);
    printf("%s\n", copy);
    free(copy);

    srand(1994);
    int a = rand(), b = rand();
    srand(1994);
    int sameA = a == rand(), sameB = b == rand();
    printf("%d %d, %d\n", sameA, sameB, RAND_MAX + 1 > 0);
    fputs("end\n", stderr);
}
