"""Hints between processes: which table is at which `seq`."""
