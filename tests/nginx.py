"""Owns an nginx for the tests: find Debian's, take its configuration out of the README, run it on free ports, stop it.

It has all its files in a folder of its own that goes with it, and tells which process answered each request.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.ports import free_port
from tests.readme import README, block

PLACES = f"/usr/sbin{os.pathsep}/usr/local/sbin"  # not on everybody's PATH
NONE_FOUND = "no nginx: there is none on the PATH or in /usr/sbin (Debian's package nginx-light)"
START_S = 30
STOP_S = 10
# Two workers, as any machine of two cores has: what one of them finds out, the other has to know.
GLOBAL = "daemon off; pid nginx.pid; worker_processes 2;"
# Around a file of /etc/nginx/conf.d/, which is what the README has.
AROUND = """
events {}
http {
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    log_format told escape=json
        '{"cookie": "$http_cookie", "given": "$sent_http_set_cookie", "processes": "$upstream_addr",'
        ' "path": "$uri", "status": "$status"}';
    access_log access.log told;
    include explorer.conf;
}
"""


class Answered(NamedTuple):
    """A request that is over: the cookie that it came with or else was given, the ports of the processes that were
    asked, of which the last one answered, the path, and the status."""

    cookie: str
    ports: tuple[int, ...]
    path: str
    status: int


def program() -> Path | None:
    """Where nginx is, if there is one."""
    found = shutil.which("nginx") or shutil.which("nginx", path=PLACES)
    return Path(found) if found else None


def configuration(readme: Path = README) -> str:
    """The README's configuration: the block of nginx's below the heading "More processes"."""
    return block("More processes", "nginx", readme.read_text(encoding="utf-8"))


def with_ports(text: str, listening: int, processes: list[int]) -> str:
    """The same configuration on this machine alone: listening on one port, with these processes behind it."""
    named = list(dict.fromkeys(re.findall(r"server 127\.0\.0\.1:(\d+)", text)))
    if len(named) != len(processes):
        raise ValueError(f"The configuration names {len(named)} processes, and there are {len(processes)}.")
    port_of = dict(zip(named, map(str, processes), strict=True))
    text, listens = re.subn(r"\blisten 8080;", f"listen 127.0.0.1:{listening};", text)
    if listens != 1:
        raise ValueError("The configuration does not listen on port 8080, or does so twice.")
    return re.sub(r"(?<=:)\d+\b", lambda port: port_of.get(port[0], port[0]), text)


class Nginx:
    """An nginx on a port of this machine before the processes on `processes`, from when it is made until `remove`."""

    def __init__(self, program: Path, processes: list[int], text: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        # Not pytest's folder: under root, nginx's workers are another user's, and may not enter that.
        self.folder = Path(tempfile.mkdtemp(prefix="nginx-"))
        self.folder.chmod(0o755)
        self.log = self.folder / "log"
        self._command = [program, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", "stderr", "-g", GLOBAL]
        self._process: subprocess.Popen[bytes] | None = None
        try:
            (self.folder / "nginx.conf").write_text(AROUND, encoding="utf-8")
            (self.folder / "explorer.conf").write_text(with_ports(text, self.port, processes), encoding="utf-8")
            self._start()
        except BaseException:
            self.remove()
            raise

    def check(self) -> tuple[int, str]:
        """What nginx says of its configuration (`nginx -t`): its exit status and its words."""
        said = subprocess.run(
            [*self._command, "-t"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return said.returncode, said.stdout

    def answered(self) -> list[Answered]:
        """All requests that are over, in the order in which they ended; a websocket's is over when it is closed."""
        log = (self.folder / "access.log").read_text(encoding="utf-8")
        return [_answered(json.loads(line)) for line in log.splitlines(keepends=True) if line.endswith("\n")]

    def remove(self) -> None:
        """Stop nginx, politely and by force if need be, and delete all of it."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self) -> None:
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=2).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise RuntimeError(f"nginx did not start:\n{self.log.read_text(encoding='utf-8', errors='replace')}")


def _answered(line: dict[str, str]) -> Answered:
    ports = tuple(int(address.rpartition(":")[2]) for address in line["processes"].split(", ") if ":" in address)
    cookie = line["given"].partition(";")[0] or line["cookie"]
    return Answered(cookie, ports, line["path"], int(line["status"]))
