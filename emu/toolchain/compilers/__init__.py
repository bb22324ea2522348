"""The compilers that there are: who names one, what it is, and what stands for what it lacks."""
