"""The page on which one switches checks off, as Streamlit runs it. What it shows is `removing`'s."""

from assistant.explorer.fresh import load

load("assistant.explorer.removing").page()
