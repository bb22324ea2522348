# What the compiler made of a source, OBJECT.s, is changed before the assembler gets it:
#
#   cmake -DOBJECT=... [-DTRAPS=a11e:NewPtr,...] [-DMAIN=...] -DBINARY=... -P assemble.cmake
#
# On the 68K, calls of the Memory Manager are instructions, which no linker can lead elsewhere. TRAPS
# become calls of blocks.c.
#
# GCC makes a constructor that tells of the globals, last of all. On PowerPC it gives it a name by
# which nobody finds it; on the 68K it would be called after those that use the globals.
#
# On PowerPC main calls the constructors, but only behind the beginning of its frame. MAIN is another
# name for it, so that main.c can come first.
#
# GCC also tells of the source's path, for which no option gives another. Nobody asks for it, and that
# of the folder BINARY would be another each time. Its length stays, which the compiler counted on.

file(READ "${OBJECT}.s" text)

string(REPLACE "," ";" traps "${TRAPS}")
foreach(trap IN LISTS traps)
    string(REGEX MATCH "(.*):(.*)" trap "${trap}")
    string(REPLACE "\t.short 0x${CMAKE_MATCH_1}\n" "\tjsr macproof_${CMAKE_MATCH_2}\n" text "${text}")
endforeach()

string(REGEX REPLACE
    "\t\\.section\t\\.ctors[^\n]*\n\t\\.align[^\n]*\n\t\\.long\t(_sub_I_[0-9_]+)\n"
    "\t.section\t.init,\"ax\",@progbits\n\tjsr \\1\n" text "${text}")
if(text MATCHES "\\.lglobl \\.(_sub_I_[0-9_]+)\n")
    set(found "${CMAKE_MATCH_1}")
    string(MAKE_C_IDENTIFIER "_GLOBAL__I_00099_${OBJECT}" name)
    string(REPLACE "\t.lglobl .${found}\n" "\t.globl ${name}[DS]\n\t.globl .${name}\n"
        text "${text}")
    string(REPLACE "${found}" "${name}" text "${text}")
endif()

if(MAIN)
    string(REGEX REPLACE "(\n|\t\\.globl |\t\\.csect |\t\\.long |-)(\\.?)main(\\[DS\\]|:|,|\n)"
        "\\1\\2${MAIN}\\3" text "${text}")
endif()

string(LENGTH "${BINARY}" length)
string(REPEAT "/" ${length} slashes)
string(REPLACE "\"${BINARY}/" "\"${slashes}/" text "${text}")

file(WRITE "${OBJECT}.s" "${text}")
