# How programs are compiled whose accesses of memory are checked; checks has the compiler's options.
#
# All checks are calls, for the shadow is a block of the application's heap: GCC wants to know where
# it is, and then does not look. Of the stack there is no shadow.

list(APPEND checks
    -fsanitize=kernel-address -fasan-shadow-offset=0
    --param=asan-instrumentation-with-call-threshold=0
    --param=asan-stack=0 --param=asan-globals=1
    "-include${CMAKE_CURRENT_SOURCE_DIR}/retro68/checks/names.h")

if(CMAKE_SYSTEM_NAME STREQUAL "RetroPPC")
    set(prefix powerpc)
else()
    set(prefix m68k)
endif()
set(assemble "${CMAKE_CURRENT_SOURCE_DIR}/retro68/checks/assemble.cmake")
foreach(language C CXX)
    set(CMAKE_${language}_COMPILE_OBJECT
        "<CMAKE_${language}_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT>.s -S <SOURCE>"
        "\"${CMAKE_COMMAND}\" -DOBJECT=<OBJECT> -DPREFIX=${prefix} \"-DBINARY=${CMAKE_BINARY_DIR}\"\
            -P \"${assemble}\""
        "<CMAKE_${language}_COMPILER> <FLAGS> -o <OBJECT> -c <OBJECT>.s")
endforeach()
