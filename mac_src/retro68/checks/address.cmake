# How programs are compiled whose accesses of memory are checked; checks has the compiler's options.
#
# Without "stack" all checks are calls, for the shadow is a block of the application's heap: GCC wants
# to know where it is, and then does not look. With it the shadow is where macproof run has memory for
# it, which knows of all blocks itself.

set(headers "${CMAKE_CURRENT_SOURCE_DIR}/retro68/checks")
list(APPEND checks -fsanitize=kernel-address --param=asan-globals=1 "-include${headers}/names.h")
if("stack" IN_LIST MACPROOF_SANITIZE)
    set(changed "")
    if(CMAKE_SYSTEM_NAME STREQUAL "RetroPPC")
        set(changed -DMAIN=macproof_main)
    endif()
    list(APPEND checks -fasan-shadow-offset=${MACPROOF_SHADOW} --param=asan-stack=1
        --param=asan-instrumentation-with-call-threshold=100000)
else()
    set(changed -DTRAPS=a11e:NewPtr,a31e:NewPtrClear,a020:SetPtrSize,a01f:DisposePtr)
    list(APPEND checks -fasan-shadow-offset=0 --param=asan-stack=0
        --param=asan-instrumentation-with-call-threshold=0)
    if(CMAKE_SYSTEM_NAME STREQUAL "RetroPPC")
        list(APPEND checks "-include${headers}/blocks.h")
    endif()
endif()

set(assemble "${CMAKE_CURRENT_SOURCE_DIR}/retro68/checks/assemble.cmake")
foreach(language C CXX)
    set(CMAKE_${language}_COMPILE_OBJECT
        "<CMAKE_${language}_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT>.s -S <SOURCE>"
        "\"${CMAKE_COMMAND}\" -DOBJECT=<OBJECT> ${changed} \"-DBINARY=${CMAKE_BINARY_DIR}\"\
            -P \"${assemble}\""
        "<CMAKE_${language}_COMPILER> <FLAGS> -o <OBJECT> -c <OBJECT>.s")
endforeach()
