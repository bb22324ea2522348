"""Faults in instructions of the PowerPC 601.

Manuals: PowerPC 601 RISC Microprocessor User's Manual; PowerPC Architecture, Book I. QEMU has no
601, so what it does is that of its 604.
"""

from __future__ import annotations

from tests.engines.faults.engines import ENDS
from tests.engines.faults.fault import SAME, EngineFault, Remedy

_ONE = "3ff0000000000000"
_HELPER = "target/ppc/fpu_helper.c"

POWER_FAULTS = (
    EngineFault(
        "Reading the clock of the 601 ends the process",
        "601",
        "7c6402a6",
        "mfspr r3,4 (RTCU)",
        "r3=00000001",
        ENDS,
        "SIGILL",
        "r3=00000000",
        "601 User's Manual, chapter 2, RTC registers",
        Remedy.MENDED,
        "The clock is at 0 seconds here. A 604 has no such register.",
        "`tb_env` is null: nothing calls `cpu_ppc_tb_init`.",
    ),
    EngineFault(
        "Setting the clock of the 601 ends the process",
        "601",
        "7c7403a6",
        "mtspr 20,r3 (RTCU)",
        "r3=00000005",
        ENDS,
        "SIGILL",
        "nothing else changes",
        "601 User's Manual, chapter 2, RTC registers",
        Remedy.REFUSED,
        cause="As above.",
    ),
    EngineFault(
        "CLCS is an illegal instruction",
        "601",
        "7c6c0426",
        "clcs r3,12",
        "",
        "exception 96",
        "SIGILL",
        "r3=00000040",
        "601 User's Manual, chapter 10, clcs",
        Remedy.MENDED,
        "A 604 has no such instruction.",
    ),
    EngineFault(
        "FCTIWZ of a number that is too large gives the least integer",
        "601",
        "fc20101e",
        "fctiwz f1,f2",
        "f2=41e0000000000000",
        "f1=0000000080000000 fpscr=a0011100",
        "f1=000000007fffffff fpscr=a0011100",
        "f1=000000007fffffff fpscr=a0000100",
        "601 User's Manual, chapter 10, fctiwz; the upper word and FPRF are undefined",
        Remedy.SEEN,
        "The number is 2 to the power of 31.",
    ),
    EngineFault(
        "FCTIW of a number that is too large gives the least integer",
        "601",
        "fc20101c",
        "fctiw f1,f2",
        "f2=41e0000000000000",
        "f1=0000000080000000 fpscr=a0011100",
        "f1=000000007fffffff fpscr=a0011100",
        "f1=000000007fffffff fpscr=a0000100",
        "601 User's Manual, chapter 10, fctiw; the upper word and FPRF are undefined",
        Remedy.SEEN,
    ),
    EngineFault(
        "FMADDS rounds to double, and then to single",
        "601",
        "ec2220fa",
        "fmadds f1,f2,f3,f4",
        "f2=40d8584000000000 f3=3f05080000000000 f4=3af0000000000000",
        "f1=3ff0000000000000 fpscr=82024000",
        "f1=3ff0000020000000 fpscr=82024000",
        "f1=3ff0000020000000 fpscr=82064000",
        "PowerPC Architecture, Book I, fmadds: the sum is rounded once, to single",
        Remedy.SEEN,
        "The product is 1 + 2 to the power of -24, half way between two single numbers; f4 is 2 to "
        "the power of -80. FMSUBS, FNMADDS and FNMSUBS have the same fault.",
        "target/ppc/translate/fp-impl.inc.c: the helper of FMADD, and then that of FRSP.",
    ),
    EngineFault(
        "FPSCR[FR] is never set",
        "601",
        "fc22182a",
        "fadd f1,f2,f3",
        f"f2={_ONE} f3=3ca8000000000000",
        "f1=3ff0000000000001 fpscr=82024000",
        SAME,
        "f1=3ff0000000000001 fpscr=82064000",
        "PowerPC Architecture, Book I, FPSCR: FR is set if the fraction was incremented (vectors "
        "of DingusPPC agree)",
        Remedy.MENDED,
    ),
    EngineFault(
        "The class in FPSCR of a denormal single is that of a normal double",
        "601",
        "ec22182a",
        "fadds f1,f2,f3",
        "f2=36a0000000000000 f3=36a0000000000000",
        "f1=36b0000000000000 fpscr=00004000",
        SAME,
        "f1=36b0000000000000 fpscr=00014000",
        "PowerPC Architecture, Book I, FPSCR: FPRF (vectors of DingusPPC agree)",
        Remedy.MENDED,
        "The result is 2 to the power of -148.",
    ),
    EngineFault(
        "With an exception enabled the result is stored all the same",
        "601",
        "fc221824",
        "fdiv f1,f2,f3",
        "fpscr=00000080",
        "f1=7ff8000000000000 fpscr=e0211080",
        "SIGFPE",
        "fpscr=e0200080",
        "PowerPC Architecture, Book I, invalid operation exception: the target and FPRF stay "
        "(vectors of DingusPPC agree)",
        Remedy.MENDED,
        "Zero divided by zero. Linux programs, such as those in QEMU's user mode, run with the "
        "exceptions of the processor on, so that QEMU takes the exception.",
        f"{_HELPER}, finish_invalid_op_arith leaves FPCC alone if VE is set, but its callers store "
        "the result and its class.",
    ),
    EngineFault(
        "FNMADD rounds after it has negated",
        "601",
        "fc2220fe",
        "fnmadd f1,f2,f3,f4",
        f"f2={_ONE} f3={_ONE} f4=3c00000000000000 fpscr=00000002",
        "f1=bff0000000000000 fpscr=82028002",
        SAME,
        "f1=bff0000000000001 fpscr=82068002",
        "PowerPC Architecture, Book I, fnmadd: as fmadd, and then negated (vectors of DingusPPC "
        "agree)",
        Remedy.MENDED,
        "FPSCR says that rounding is up. FNMADDS, FNMSUB and FNMSUBS have the same fault.",
        "fpu/softfloat.c: `float_muladd_negate_result` negates before it rounds.",
    ),
    EngineFault(
        "FCMPO of a NaN sets the class bit of FPSCR",
        "601",
        "fc021840",
        "fcmpo cr0,f2,f3",
        "f2=7ff8000000000000 f3=7ff8000000000000",
        "cr=10000000 fpscr=a0091000",
        SAME,
        "cr=10000000 fpscr=a0081000",
        "PowerPC Architecture, Book I, fcmpo: only FPCC is written (vectors of DingusPPC agree)",
        Remedy.MENDED,
        cause=f"{_HELPER}, float_invalid_op_vxvc: `FP_C | FP_FU`, where `FP_FU` is meant.",
    ),
)
