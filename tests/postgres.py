"""Owns a PostgreSQL for the tests: find Debian's, start it on a free port, give out fresh databases, stop it.

It runs in a folder of its own that goes with it, and never as root, which PostgreSQL refuses.
"""

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from tests.ports import free_port

PROGRAMS = Path("/usr/lib/postgresql")
USER, PASSWORD = "grace", "pass-word-of-the-tests"
START_S = 60
STOP_S = 10
# A zone that is not UTC shows that moments are read in UTC; nothing here has to outlive a power failure.
OPTIONS = {"fsync": "off", "shared_buffers": "16MB", "max_connections": "40", "timezone": "America/Toronto"}
NONE_FOUND = f"no PostgreSQL: there is none in {PROGRAMS} (Debian's package postgresql), or no user postgres to run it"


def programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs, if there is one that may be run."""
    found = [path.parent for path in PROGRAMS.glob("*/bin/postgres") if path.parts[-3].isdecimal()]
    if not found or (_is_root() and _postgres_user() is None):
        return None
    return max(found, key=lambda path: int(path.parts[-2]))


class Postgres:
    """A server on a port of this machine, from when it is made until `remove`."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        # Not pytest's folder, which the user postgres may not enter; a socket's path has at most 107 bytes besides.
        self.folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        self.log = self.folder / "log"
        self.port = free_port()
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._make()
            self.start()
        except BaseException:
            self.remove()
            raise

    def start(self) -> None:
        """Start the server, and wait until it answers. It keeps its port and its databases."""
        settings = {
            **OPTIONS,
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self.folder,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                **_as_postgres(self.folder),
            )
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"PostgreSQL did not start:\n{self.log.read_text(encoding='utf-8', errors='replace')}")

    def stop(self) -> None:
        """Stop the server as an operator would, who does not wait for those that are connected; by force if need be."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def remove(self) -> None:
        """Stop the server, and delete all of it."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> str:
        """The address of a database, as a person would write it."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def make_database(self) -> str:
        """Make an empty database. Returns its name."""
        name = f"reviews_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return name

    def drop_database(self, name: str) -> None:
        """Drop a database, also under those that are connected to it."""
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def run(self, statement: str, database: str = "postgres") -> None:
        """Run one statement in a database, committed."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[arg-type]

    def _make(self) -> None:
        password = self.folder / "password"
        password.write_text(PASSWORD, encoding="ascii")
        if user := _is_root() and _postgres_user():
            for path in (self.folder, password):
                os.chown(path, *user)
        options = [f"--username={USER}", f"--pwfile={password}", "--auth=scram-sha-256"]
        made = subprocess.run(
            [self.programs / "initdb", "-D", self.folder / "data", *options, "--encoding=UTF8", "--locale=C", "-N"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **_as_postgres(self.folder),
        )
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stdout}")


def _as_postgres(folder: Path) -> dict[str, object]:
    """How to run a program of PostgreSQL's: as the user that may, in its folder, with nothing of this machine's."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
    user = _postgres_user() if _is_root() else None
    identity = {"user": user[0], "group": user[1], "extra_groups": ()} if user else {}
    return {"cwd": folder, "env": environment, **identity}


def _postgres_user() -> tuple[int, int] | None:
    """The numbers of the user that Debian's package makes, and of its group."""
    import pwd  # Windows has none

    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        return None
    return user.pw_uid, user.pw_gid


def _is_root() -> bool:
    return os.geteuid() == 0
