"""Owns what is measured in a browser: the bare page, a stepper made with NiceGUI, and presses timed in the page."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.server import ROOT, clean_environment
from tests.ports import free_port

HERE = Path(__file__).parent
# From the press until what is to be there is in the document, in milliseconds.
TIMED = """([pressed, isThere]) => new Promise((resolve, reject) => {
  const condition = new Function("return " + isThere);
  const started = performance.now();
  const seen = new MutationObserver(() => {
    if (!condition()) return;
    seen.disconnect();
    resolve(performance.now() - started);
  });
  seen.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(() => reject(new Error("not there: " + isThere)), 20000);
  document.querySelector(pressed).click();
})"""


def pressed(page: Page, button: str, is_there: str) -> float:
    """Seconds from a press to what it is to bring, which is an expression in JavaScript."""
    return float(page.evaluate(TIMED, [button, is_there])) / 1000


@contextmanager
def browser() -> Iterator[Browser]:
    """A Chromium of this machine."""
    with sync_playwright() as playwright:
        found = os.environ.get("CHROMIUM") or shutil.which("chromium")
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextmanager
def serving(command: list[str], url: str, folder: Path) -> Iterator[None]:
    """A server, from when it answers to its end."""
    with (folder / "served.log").open("wb") as log:
        environment = clean_environment() | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        until = time.monotonic() + 60
        while True:
            try:
                urlopen(url, timeout=2).close()
                break
            except OSError:
                if time.monotonic() > until or process.poll() is not None:
                    raise RuntimeError((folder / "served.log").read_text(encoding="utf-8")) from None
                time.sleep(0.02)
        yield
    finally:
        process.kill()
        process.wait()


def bare_page() -> tuple[list[str], str]:
    """The command that serves a bare counter with Streamlit's defaults, and its address. Two options only keep it on
    this machine."""
    port = free_port()
    own = [f"--server.port={port}", "--server.headless=true"]
    quiet = ["--server.address=127.0.0.1", "--browser.gatherUsageStats=false"]
    return [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(HERE / "counter.py"),
        *own,
        *quiet,
    ], f"http://127.0.0.1:{port}/"


def nicegui_page() -> tuple[list[str], str]:
    """The command that serves the stepper in NiceGUI, and its address."""
    port = free_port()
    return [sys.executable, str(HERE / "stepper.py"), str(port)], f"http://127.0.0.1:{port}/"
