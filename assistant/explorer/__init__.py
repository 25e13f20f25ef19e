"""The page: everything that knows Streamlit. It draws the events of the assistant's loop and decides nothing."""
