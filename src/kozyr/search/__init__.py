"""Exact endgames: whether a seat can force a win, and how."""
