"""The bare page that the others are measured against."""

import streamlit as st


def one_more() -> None:
    st.session_state.count += 1


st.session_state.setdefault("count", 0)
st.button("One more", on_click=one_more)
st.write(f"Count {st.session_state.count}")
