/* Is linked to a case's sources as this computer's compiler translates them, and makes calls.

   Descriptor 1 takes a word when the process has begun, and from then on it can compute and use its
   open files, and nothing else. Descriptor 0 gives the plan, and then the number of calls of each
   batch; 1 takes a word when there is a plan, and when the calls of a batch are made. The files behind `plan.calls` and `plan.made` hold a record for each call: six words
   and eight floats for the arguments, a word and a float for the result, and the bytes of variables.
   Integers and floats have registers of their own on x86-64 and ARM64, so each function can be
   called with all of them; it takes those that it declares. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct variable { char *address; int64_t size, is_given; };
struct plan { int64_t calls, made, function, has_float, count; };
struct arguments { int64_t words[6]; double floats[8]; int64_t word; double number; };

typedef int64_t (*for_word)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, double, double,
                            double, double, double, double, double, double);
typedef double (*for_float)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, double, double,
                            double, double, double, double, double, double);

static void get(int file, void *to, size_t size)
{
    while (size) {
        ssize_t count = read(file, to, size);
        if (count <= 0) _exit(count ? 90 : 0);
        to = (char *)to + count, size -= count;
    }
}

static void put(int file, const void *from, size_t size)
{
    while (size) {
        ssize_t count = write(file, from, size);
        if (count <= 0) _exit(92);
        from = (const char *)from + count, size -= count;
    }
}

static void call(const struct plan *plan, struct arguments *a)
{
    int64_t *w = a->words;
    double *f = a->floats;
    if (plan->has_float)
        a->number = ((for_float)plan->function)(w[0], w[1], w[2], w[3], w[4], w[5], f[0], f[1],
                                                f[2], f[3], f[4], f[5], f[6], f[7]);
    else
        a->word = ((for_word)plan->function)(w[0], w[1], w[2], w[3], w[4], w[5], f[0], f[1], f[2],
                                             f[3], f[4], f[5], f[6], f[7]);
}

int main(void)
{
    struct plan plan;
    int32_t ready = 0;
    put(1, &ready, sizeof ready);
    get(0, &plan, sizeof plan);
    struct variable *variables = malloc(plan.count * sizeof *variables + 1);
    get(0, variables, plan.count * sizeof *variables);
    size_t given = sizeof(struct arguments), kept = 0;
    for (int64_t n = 0; n < plan.count; n++)
        *(variables[n].is_given ? &given : &kept) += variables[n].size;
    char *record = malloc(given), *first = malloc(kept + 1), *at = first;
    for (int64_t n = 0; n < plan.count; n++)
        if (!variables[n].is_given)
            memcpy(at, variables[n].address, variables[n].size), at += variables[n].size;
    for (;;) {
        int32_t count = 0;
        put(1, &count, sizeof count);
        get(0, &count, sizeof count);
        lseek(plan.calls, 0, SEEK_SET), lseek(plan.made, 0, SEEK_SET);
        while (count--) {
            get(plan.calls, record, given);
            char *from = record + sizeof(struct arguments), *old = first;
            for (int64_t n = 0; n < plan.count; n++) {
                char **source = variables[n].is_given ? &from : &old;
                memcpy(variables[n].address, *source, variables[n].size);
                *source += variables[n].size;
            }
            call(&plan, (struct arguments *)record);
            char *to = record + sizeof(struct arguments);
            for (int64_t n = 0; n < plan.count; n++)
                if (variables[n].is_given)
                    memcpy(to, variables[n].address, variables[n].size), to += variables[n].size;
            put(plan.made, record, given);
        }
    }
}
