"""Measures the start, from the command to the first step in a browser, in turns with a bare Streamlit page."""

import json
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.server import Server, copy_project

from .browsing import bare_page, browser, serving
from .measuring import p50


def main(rounds: int, folder: Path) -> dict[str, object]:
    """The figures, by their words."""
    project = copy_project(folder / "page")
    found: dict[str, list[float]] = {"ours": [], "bare": []}
    with browser() as chromium:
        for _ in range(rounds + 1):
            started = time.perf_counter()
            server = Server(project)
            try:
                page = chromium.new_context(locale="en-CA").new_page()
                page.goto(f"{server.url}?ticket=T-80001&step=1")
                page.wait_for_selector('.card[data-step="1"]')
                found["ours"].append(time.perf_counter() - started)
                page.context.close()
            finally:
                server.stop()
            command, url = bare_page()
            started = time.perf_counter()
            with serving(command, url, folder):
                page = chromium.new_context(locale="en-CA").new_page()
                page.goto(url)
                page.wait_for_selector(".stMarkdown")
                found["bare"].append(time.perf_counter() - started)
                page.context.close()
    ours, bare = (p50(values[1:]) for values in found.values())  # the first of each fills the machine's caches
    return {
        "starts of each": rounds,
        "start to first step, p50, s": round(ours, 2),
        "start of a bare Streamlit page, p50, s": round(bare, 2),
        "start, to a bare Streamlit page's": round(ours / bare, 2),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print(json.dumps(main(int(sys.argv[1]), Path(name))))
