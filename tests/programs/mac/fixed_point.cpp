// fixed_point.cpp: traps with arguments and results of two bytes and four.

#include <stdio.h>

#include <FixMath.h>
#include <ToolUtils.h>

int main()
{
    printf("FixRatio(1, 3) = %08lx\n", (unsigned long) FixRatio(1, 3));
    printf("FixRatio(-7, 2) = %08lx\n", (unsigned long) FixRatio(-7, 2));
    printf("FixRatio(1, 0) = %08lx\n", (unsigned long) FixRatio(1, 0));
    printf("FixRound(1.5) = %d\n", FixRound(0x18000));
    printf("FixRound(-2.25) = %d\n", FixRound(-0x24000));
    printf("FixMul(1.5, -2.5) = %08lx\n", (unsigned long) FixMul(0x18000, -0x28000));
}
