"""Server processes, PostgreSQL and clients that are killed, cut off and delayed, with real parts."""
