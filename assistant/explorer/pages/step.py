"""The page on which one steps through a loop, as Streamlit runs it at each press. What it shows is `stepping`'s."""

from assistant.explorer.fresh import load

load("assistant.explorer.stepping").page()
