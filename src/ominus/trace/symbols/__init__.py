"""Running a function's bytecode on symbols: one path at a time."""
