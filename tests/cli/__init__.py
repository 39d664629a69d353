"""The command line, run in this process and, where that matters, as a process of its own."""
