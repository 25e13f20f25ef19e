"""The page on which one reviews what was decided, as Streamlit runs it. What it shows is `reviewing`'s."""

from assistant.explorer.fresh import load

load("assistant.explorer.reviewing").page()
