"""The page on which one puts a proposal to the checks, as Streamlit runs it. What it shows is `proposing`'s."""

from assistant.explorer.fresh import load

load("assistant.explorer.proposing").page()
