"""Owns a copy of the project and the Streamlit server that shows it: start, wait until it answers, stop."""

import compileall
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.ports import free_port

ROOT = Path(__file__).parents[2]
SHOWN = ("explorer_app.py", "assistant", "recordings", ".streamlit")
START_S = 60
STOP_S = 5


def copy_project(folder: Path, has_run_before: bool = True) -> Path:
    """Copy what the page consists of, so that a test sees one state of it and may edit it. Returns the folder.

    Python leaves compiled files in a project that `has_run_before`; a fresh clone has none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in SHOWN:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    if has_run_before:
        compileall.compile_dir(folder / "assistant", quiet=1)
    return folder


class Server:
    """The page of one project folder, served until `stop`, with `more` options of Streamlit's; on a free port if on
    none that is named."""

    def __init__(self, project: Path, *more: str, port: int | None = None, **environment: str) -> None:
        self.project = project
        self.log = project / "server.log"
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        command = [sys.executable, "-m", "streamlit", "run", "explorer_app.py"]
        options = [f"--server.port={self.port}", "--server.headless=true"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, *more, *options],
                cwd=project,
                env=clean_environment() | environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the server: politely, and by force if that does not do."""
        self.process.terminate()
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _wait(self) -> None:
        until = time.monotonic() + START_S
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urlopen(f"{self.url}_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except (URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(f"The page did not start:\n{self.log.read_text(encoding='utf-8', errors='replace')}")


def clean_environment() -> dict[str, str]:
    """The machine's environment without what would change the page or Python's reading of saved files."""
    left_out = ("EXPLORER_", "STREAMLIT_", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    return {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
