/* at_exit.c
 *
 * Constructors of global objects register the destructors here. A routine
 * under test is called in a program that never ends, so none is kept.
 */

void *__dso_handle;

int __cxa_atexit(void (*destructor)(void *), void *object, void *module)
{
    (void) destructor;
    (void) object;
    (void) module;
    return 0;
}
