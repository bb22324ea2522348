"""Translates lifted guest code to native code, by way of LLVM's assembler language.

`flow` finds the code that can be reached. `functions` writes it as functions of LLVM: a block for
each guest instruction, a local variable for each register, memory at a host address plus the guest
address with 32 bits. `module` puts them together with the loop that makes calls, and `objects`
compiles that.

Checks are a second object at the same places: see `checks.NativeChecks`. It is asked before each
load, store, computation and branch, and writes its own instructions of LLVM with the same
`Assembler`; without checks nothing is written. What a check knows of registers and temporary values
is kept in a *bank* of its own: ``assembler.read(varnode, SHADOW)`` gives what ``assembler.write(
varnode, value, SHADOW)`` has put there, and 0 for a constant and at the beginning of a call. Of
memory it is at ``assembler.host(address, "%shadow")``, a table with a byte for each guest address.
"""
