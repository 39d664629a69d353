"""The event log of the tables, the guests and the secrets of the server, on disk."""
