"""Real servers, a real database and browsers' sockets in a storm; afterwards everything is held against the log."""
