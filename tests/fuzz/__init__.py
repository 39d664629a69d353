"""Fuzzing: whatever is read is read or refused, quickly, and nothing else."""
