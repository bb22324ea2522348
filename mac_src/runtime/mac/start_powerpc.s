# start_powerpc.s
#
# The transition vector that the loader calls: the code's address, and no
# table of contents, since this code finds its globals from where it is.

        .section .data.main, "aw"
        .globl  __main_vector
        .balign 4
__main_vector:
        .long   _mac_start
        .long   0
