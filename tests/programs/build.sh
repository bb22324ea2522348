#!/bin/sh
# Builds the guest programs of one or more processors: sh build.sh m68k ppc mips mipsel
set -eu
cd "$(dirname "$0")"
LC_ALL=C SOURCE_DATE_EPOCH=0
export LC_ALL SOURCE_DATE_EPOCH

common="-std=gnu++17 -g -gno-record-gcc-switches -O1 -ffreestanding -fno-pic -no-pie
    -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables -fno-stack-protector
    -Wno-invalid-offsetof -ffile-prefix-map=$PWD=."
link="-nostdlib -static -Wl,--build-id=none,-z,max-page-size=4096,-T,guest.ld"

for processor in "$@"; do
    case $processor in
        m68k) tool=m68k-linux-gnu- flags="-mcpu=68040" ;;
        ppc) tool=powerpc-linux-gnu- flags="-mcpu=601 -msdata=none -fsigned-char" ;;
        mips) tool=mips-linux-gnu- flags="-mno-abicalls -G0 -fsigned-char" ;;
        mipsel) tool=mips-linux-gnu- flags="-EL -mno-abicalls -G0 -fsigned-char" ;;
        *) echo "$0: m68k, ppc, mips or mipsel, not $processor" >&2; exit 2 ;;
    esac
    compile="${tool}g++ $common $flags"
    $compile $link types.cpp -o "types-$processor.elf"
    case $processor in m68k | ppc)
        $compile -gdwarf-4 $link types.cpp -o "types-$processor-dwarf4.elf"
    esac
    case $processor in m68k | ppc | mips)
        $compile $link calls.cpp -o "calls-$processor.elf"
    esac
    case $processor in m68k)
        $compile -O2 $link ambiguous_one.cpp ambiguous_two.cpp -o "ambiguous-$processor.elf"
        "${tool}strip" -g "types-$processor.elf" -o "plain-$processor.elf"
        $compile -c ambiguous_two.cpp -o "object-$processor.o"
    esac
done
