/* Takes the last number of a stack. It is compiled for the old processors and, as a shared library,
   for this computer: its struct has a pointer, and it counts in a global. */

#include <stdint.h>

typedef struct
{
    int16_t *values;
    int16_t count;
} Stack;

int32_t gTaken;

int16_t Take(Stack *stack, int16_t *out)
{
    if (stack->count == 0)
        return 0;
    *out = stack->values[--stack->count];
    gTaken++;
    return 1;
}
