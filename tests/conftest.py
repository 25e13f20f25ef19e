"""Owns what comes before all tests."""

# First of all: a module keeps its source, which the page shows, only when it is loaded after this one.
import assistant.explorer.fresh  # noqa: F401
