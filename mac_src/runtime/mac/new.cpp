// new.cpp: what the compiler calls for C++.

#include <stdlib.h>

// Without exceptions there is no other way to say that memory is full.

static void* _New(size_t size)
{
    void* block = malloc(size != 0 ? size : 1);

    if (block == NULL)
        abort();
    return block;
}

void* operator new(size_t size)             { return _New(size); }
void* operator new[](size_t size)           { return _New(size); }
void operator delete(void* block) throw()   { free(block); }
void operator delete[](void* block) throw() { free(block); }

extern "C" void __cxa_pure_virtual()
{
    abort();
}
