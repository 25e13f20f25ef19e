"""The page on which one predicts the lesson's decisions, as Streamlit runs it. What it shows is `exercising`'s."""

from assistant.explorer.fresh import load

load("assistant.explorer.exercising").page()
