"""Benchmarks: figures and ratios of one run, never part of pass or fail. `python -m tests.benchmarks`."""
