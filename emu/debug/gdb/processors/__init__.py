"""How GDB is told of each processor family's registers."""
