"""The whole server in one process: virtual time, a network that fails, and a seed that repeats it all bit by bit."""
