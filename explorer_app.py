"""The page's configuration and navigation. Start it with: streamlit run explorer_app.py"""

import streamlit as st

from assistant.explorer import fresh

st.set_page_config(layout="wide")
with fresh.begin("assistant.explorer.guard").guarded():
    st.navigation([st.Page("assistant/explorer/step_page.py", default=True)], position="hidden").run()
