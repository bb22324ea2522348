"""Faults of Unicorn's interface, each as a program."""

from __future__ import annotations

from tests.engines.faults.fault import InterfaceFault

_M68K = """from unicorn import *
from unicorn.m68k_const import *

uc = Uc(UC_ARCH_M68K, UC_MODE_BIG_ENDIAN)
"""

INTERFACE_FAULTS = (
    InterfaceFault(
        "The constants of 68K models are too large by one",
        _M68K + "uc.ctl_set_cpu_model(UC_CPU_M68K_M68040)\n"
        "uc.mem_map(0x1000, 0x1000)\n"
        'uc.mem_write(0x1000, bytes.fromhex("4c002c01"))  # MULS.L D0,D1:D2\n'
        "try:\n"
        "    uc.emu_start(0x1000, 0x1004)\n"
        '    print("executed")\n'
        "except UcError:\n"
        '    print("refused")\n',
        "refused",
        "executed",
        "The instruction is missing on a 68060, which is what the constant of the 68040 selects. "
        "macproof asks instructions which model it has, and takes no name.",
    ),
    InterfaceFault(
        "To read SR changes the flags that the program sees",
        _M68K + "uc.ctl_set_cpu_model(3)\n"
        "uc.mem_map(0x1000, 0x1000)\n"
        "# MOVEQ #0,D0; CMP.L D0,D0; A-line; BEQ.S *+4; MOVEQ #1,D1; NOP\n"
        'uc.mem_write(0x1000, bytes.fromhex("7000 b080 a000 6702 7201 4e71"))\n'
        "\n\n"
        "def skip(uc, number, data):\n"
        "    uc.reg_read(UC_M68K_REG_SR)\n"
        "    uc.reg_write(UC_M68K_REG_PC, uc.reg_read(UC_M68K_REG_PC) + 2)\n"
        "\n\n"
        "uc.reg_write(UC_M68K_REG_SR, 0x2000)\n"
        "uc.hook_add(UC_HOOK_INTR, skip)\n"
        "uc.emu_start(0x1000, 0x100A)\n"
        'print("D1 is", uc.reg_read(UC_M68K_REG_D1))\n',
        "D1 is 1",
        "D1 is 0",
        "The comparison is of equal numbers, so the branch leaves MOVEQ #1,D1 out. "
        "`qemu/target/m68k/unicorn.c` sets `cc_op` before it computes the flags. macproof never "
        "reads SR so: guest code stores it.",
    ),
    InterfaceFault(
        "XER is read without CA, OV and SO",
        "from unicorn import *\n"
        "from unicorn.ppc_const import *\n"
        "\n"
        "uc = Uc(UC_ARCH_PPC, UC_MODE_BIG_ENDIAN | UC_MODE_PPC32)\n"
        "uc.mem_map(0x1000, 0x1000)\n"
        'uc.mem_write(0x1000, bytes.fromhex("3860ffff 30830001"))  # li r3,-1; addic r4,r3,1\n'
        "uc.emu_start(0x1000, 0x1008)\n"
        'print("XER is", hex(uc.reg_read(UC_PPC_REG_XER)))\n',
        "XER is 0x0",
        "XER is 0x20000000",
        "The addition has a carry. QEMU keeps these bits apart from the others, and the interface "
        "reads the others. macproof lets guest code store XER.",
    ),
    InterfaceFault(
        "A PowerPC exception is reported one instruction late",
        "from unicorn import *\n"
        "from unicorn.ppc_const import *\n"
        "\n"
        "uc = Uc(UC_ARCH_PPC, UC_MODE_BIG_ENDIAN | UC_MODE_PPC32)\n"
        "uc.mem_map(0x1000, 0x1000)\n"
        'uc.mem_write(0x1000, bytes.fromhex("60000000 00000000 60000000"))  # the second is none\n'
        "\n\n"
        "def stop(uc, number, data):\n"
        '    print("exception at", hex(uc.reg_read(UC_PPC_REG_PC)))\n'
        "    uc.emu_stop()\n"
        "\n\n"
        "uc.hook_add(UC_HOOK_INTR, stop)\n"
        "uc.emu_start(0x1000, 0x100C)\n",
        "exception at 0x1008",
        "exception at 0x1004",
        "`qemu/accel/tcg/cpu-exec.c` adds 4 for every exception, which is right for `sc` alone. "
        "macproof takes 4 off.",
    ),
    InterfaceFault(
        "A hook on stores loses the branch whose delay slot stores",
        "from unicorn import *\n"
        "from unicorn.mips_const import *\n"
        "\n"
        "uc = Uc(UC_ARCH_MIPS, UC_MODE_BIG_ENDIAN | UC_MODE_MIPS32)\n"
        "uc.mem_map(0x1000, 0x5000)\n"
        "# ADDIU V1,V1,1; BNE V1,A2,*-4; SB A1,-1(V1)\n"
        'uc.mem_write(0x1000, bytes.fromhex("24630001 1466fffe a065ffff"))\n'
        'uc.mem_write(0x5000, b"\\xa5" * 8)\n'
        "uc.hook_add(UC_HOOK_MEM_WRITE, lambda *_: None)\n"
        "uc.reg_write(UC_MIPS_REG_V1, 0x5000)\n"
        "uc.reg_write(UC_MIPS_REG_A2, 0x5004)\n"
        "try:\n"
        "    uc.emu_start(0x1000, 0x100C)\n"
        "except UcError:\n"
        "    pass\n"
        "print(uc.mem_read(0x5000, 8).hex())\n",
        "00a500a500a500a5",
        "00000000a5a5a5a5",
        "Without the hook it is right. macproof uses no such hook on a MIPS.",
    ),
)
