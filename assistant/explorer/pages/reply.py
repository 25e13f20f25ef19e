"""The page on which one puts a reply to the barriers, as Streamlit runs it. What it shows is `replying`'s."""

from assistant.explorer.fresh import load

load("assistant.explorer.replying").page()
