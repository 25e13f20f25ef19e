"""The page on which one compares loops, as Streamlit runs it. What it shows is `comparing`'s."""

from assistant.explorer.fresh import load

load("assistant.explorer.comparing").page()
