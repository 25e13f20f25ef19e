"""The page's configuration and navigation. Start it with: streamlit run explorer_app.py"""

import sys

import streamlit as st

# Before the first import from the watched folder. A compiled file written there would count as a save; and as Python
# tells compiled files apart by size and whole second, a second save within one second would go unseen.
sys.dont_write_bytecode = True

from assistant.explorer import collecting, fresh, without_delay  # noqa: E402

without_delay.send_at_once(st.get_option("server.port"))
with fresh.begin("assistant.explorer.guard").guarded():
    st.navigation(fresh.load("assistant.explorer.site").pages(), position="hidden").run()
collecting.spare_what_stays()
