"""Whether engines execute instructions alike: all of them, on the same instructions and operands.

A *probe* is one instruction with one state of the registers and the flags. The instructions are
those of compiled programs, found by disassembly. All probes of a processor are one guest program:
a routine that loads a state from memory, executes an instruction and stores the state again. So an
engine needs nothing but what it needs for every other call, and what can be compared is what the
guest program has stored. Engines that disagree are told apart by a table of judgements, which
names the right one by the processor's manual.
"""
