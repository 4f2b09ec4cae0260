"""Benchmarks against the systems people use today, each run on this machine by the same method."""
