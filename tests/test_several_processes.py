"""Two processes of the page behind nginx, set up as the README says: who stays where, and what a dead one costs."""

import asyncio
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from assistant.reviews import Opinion, Reviews
from tests.browser.server import Server, copy_project
from tests.nginx import NONE_FOUND, Nginx, configuration, program
from tests.visitors import STREAM, Visitor

TICKETS = ("T-65059", "T-80001", "T-80008", "T-80009")
STEPS = 7  # of each of these loops
EACH = 10  # visitors of each process
PATIENCE_S = 30
COOKIE = re.compile(r"explorer=[0-9a-f]{32}")
TAKEN = re.compile(r"(?<=took less than )<bdi>\d+\s+ms</bdi>")


class Pages:
    """Two processes of the page, each of which may be killed and started again where it was."""

    def __init__(self, folder: Path) -> None:
        self.servers = [Server(copy_project(folder / "one"))]
        try:
            self.servers.append(Server(copy_project(folder / "two")))
        except BaseException:
            self.stop()
            raise

    @property
    def ports(self) -> list[int]:
        return [one.port for one in self.servers]

    def at(self, port: int) -> Server:
        return self.servers[self.ports.index(port)]

    def other(self, port: int) -> int:
        return next(one for one in self.ports if one != port)

    def kill(self, port: int) -> None:
        """Kill a process without a word to anybody."""
        process = self.at(port).process
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    def start_again(self) -> None:
        """Start the processes that are dead, on the ports that they had."""
        for number, dead in enumerate(self.servers):
            if dead.process.poll() is not None:
                self.servers[number] = Server(dead.project, port=dead.port)

    def stop(self) -> None:
        for one in self.servers:
            one.stop()


@pytest.fixture(scope="module")
def nginx_program() -> Path:
    """Where nginx is. Where there is none, the test is skipped, and under CI it fails."""
    found = program()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(NONE_FOUND, pytrace=False)
        pytest.skip(NONE_FOUND)
    return found


@pytest.fixture(scope="module")
def _pages(nginx_program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:  # noqa: ARG001
    pages = Pages(tmp_path_factory.mktemp("pages"))
    yield pages
    pages.stop()


@pytest.fixture
def pages(_pages: Pages) -> Pages:
    """Both processes, alive."""
    _pages.start_again()
    return _pages


@pytest.fixture
def nginx(nginx_program: Path, pages: Pages) -> Iterator[Nginx]:
    """An nginx before them that knows nothing yet."""
    nginx = Nginx(nginx_program, pages.ports, configuration())
    yield nginx
    nginx.remove()


class Loaded(NamedTuple):
    """What came of loading something: the status, the cookies that were given, and the text."""

    status: int
    given: list[str]
    text: str


def get(url: str, cookie: str = "") -> Loaded:
    """Load something, as a browser does."""
    with urlopen(Request(url, headers={"Cookie": cookie} if cookie else {}), timeout=PATIENCE_S) as answer:
        given = answer.headers.get_all("Set-Cookie", [])
        return Loaded(answer.status, given, answer.read().decode("utf-8", "replace"))


def arrive(nginx: Nginx) -> str:
    """Load the page as somebody new. Returns the cookie that one is given."""
    return get(nginx.url).given[0].partition(";")[0]


def soon(is_so: Callable[[], bool]) -> bool:
    """Whether it comes to be so, with patience."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if is_so():
            return True
        time.sleep(0.05)
    return False


def ports_of(nginx: Nginx, cookie: str) -> list[int]:
    """Which process answered each request with this cookie."""
    return [one.ports[-1] for one in nginx.answered() if one.cookie == cookie]


def home(nginx: Nginx, cookie: str) -> int:
    """The process that somebody who has arrived was given."""
    assert soon(lambda: bool(ports_of(nginx, cookie)))
    return ports_of(nginx, cookie)[0]


def arrive_at(nginx: Nginx, port: int) -> str:
    """Load the page as somebody new until it is this process that answers. Returns that one's cookie."""
    cookies = (arrive(nginx) for _ in range(1000))
    return next(cookie for cookie in cookies if home(nginx, cookie) == port)


def page_at(visitor: Visitor) -> tuple[str | None, str | None, str]:
    """The ticket, the step, and all that the page shows there but the time that the code has just taken."""
    return visitor.query.get("ticket"), visitor.query.get("step"), TAKEN.sub("", visitor.run.text)


def test_nginx_accepts_the_configuration(nginx: Nginx) -> None:
    status, said = nginx.check()
    assert (status, re.findall(r"\[(?:warn|error|emerg)\].*", said)) == (0, []), said


def test_who_is_new_is_given_a_cookie_and_keeps_it(nginx: Nginx) -> None:
    (given,) = get(nginx.url).given
    cookie, *rest = given.split("; ")
    assert COOKIE.fullmatch(cookie)
    assert rest == ["Path=/", "HttpOnly", "SameSite=Lax"]
    assert get(nginx.url, cookie).given == []


@pytest.mark.parametrize("text", ["", "x", "a" * 31, "a" * 33, "A" * 32, f"{'a' * 32}%0d%0a", f'"{"a" * 32}"'])
def test_a_cookie_that_nginx_did_not_make_is_replaced_and_comes_back_nowhere(nginx: Nginx, text: str) -> None:
    (given,) = get(nginx.url, f"explorer={text}").given
    cookie = given.partition(";")[0]
    assert COOKIE.fullmatch(cookie)
    assert cookie != f"explorer={text}"


def test_visitors_are_spread_over_both_processes(nginx: Nginx, pages: Pages) -> None:
    cookies = {arrive(nginx) for _ in range(100)}
    assert len(cookies) == 100
    spread = Counter(home(nginx, cookie) for cookie in cookies)
    assert min(spread[port] for port in pages.ports) >= 10, spread


def test_a_visitor_stays_with_one_process_with_page_files_and_connection(nginx: Nginx, pages: Pages) -> None:
    cookies = [arrive_at(nginx, port) for port in pages.ports for _ in range(3)]
    files = re.findall(r'(?:src|href)="\./([^"]+)"', get(nginx.url, cookies[0]).text)
    assert any(file.endswith(".js") for file in files)

    async def visit(cookie: str) -> None:
        for _ in range(2):
            async with Visitor(nginx.url, {"ticket": TICKETS[0]}, cookie=cookie) as visitor:
                await visitor.rerun("Right")
                await visitor.rerun("Right")
                assert visitor.query["step"] == "2"

    for cookie in cookies:
        for path in (*files, "_stcore/health", "_stcore/host-config", "?ticket=T-80001"):
            assert get(nginx.url + path, cookie).status == 200
        asyncio.run(visit(cookie))
    assert soon(lambda: [one.path for one in nginx.answered()].count(f"/{STREAM}") == 2 * len(cookies))
    answered = nginx.answered()
    assert {one.status for one in answered if one.path == f"/{STREAM}"} == {101}
    homes = {cookie: {one.ports for one in answered if one.cookie == cookie} for cookie in cookies}
    assert list(homes.values()) == [{(port,)} for port in pages.ports for _ in range(3)]


def test_the_page_takes_connections_under_a_name_of_its_own(nginx: Nginx) -> None:
    async def call() -> int:
        there = f"explorer.test:{nginx.port}"
        async with connect(
            f"ws://{there}/{STREAM}",
            host="127.0.0.1",
            port=nginx.port,
            origin=f"http://{there}",  # type: ignore[arg-type]
            subprotocols=["streamlit"],  # type: ignore[list-item]
            open_timeout=PATIENCE_S,
        ) as connection:
            assert connection.response is not None
            return connection.response.status_code

    assert asyncio.run(call()) == 101


def test_no_place_is_lost_when_a_process_is_killed(nginx: Nginx, pages: Pages) -> None:
    dying, living = pages.ports
    cookies = [arrive_at(nginx, port) for _ in range(EACH) for port in pages.ports]

    async def kill_one() -> None:
        async with AsyncExitStack() as open_pages:
            visitors = [
                await open_pages.enter_async_context(
                    Visitor(nginx.url, {"ticket": TICKETS[n // 2 % 4], "step": "1"}, cookie=cookie)
                )
                for n, cookie in enumerate(cookies)
            ]
            # Everybody goes on to one of the steps 2 to 5, of 7, by pressing.
            await asyncio.gather(*(step_on(one, 1 + n // 2 // 3) for n, one in enumerate(visitors)))
            doomed, safe = visitors[::2], visitors[1::2]
            before = {one.cookie: (page_at(one), one.socket) for one in visitors}
            assert {2, 3, 4, 5} == {int(step or 0) for (_, step, _), _ in before.values()}
            # Half of them press once more, and while the answers are on their way, one process dies.
            half = (*doomed[: EACH // 2], *safe[: EACH // 2])
            pressing = {one.cookie: asyncio.create_task(press_or_lose(one)) for one in half}
            await asyncio.sleep(0)  # all have sent
            pages.kill(dying)
            await asyncio.wait(pressing.values())
            for one in safe:
                assert one.socket.state is State.OPEN
                assert one.socket is before[one.cookie][1]
                assert one.cookie not in pressing or pressing[one.cookie].result(), "a press was lost on the living one"
            lost = [
                one.cookie for one in doomed if one.cookie in pressing and one.query["step"] == before[one.cookie][0][1]
            ]
            await asyncio.gather(*(come_back(one) for one in doomed))
            lost_places = 0
            for one in doomed:
                ticket, step, _ = before[one.cookie][0]
                wanted = int(step or 0) + (one.cookie in pressing and one.cookie not in lost)
                async with Visitor(pages.at(living).url, {"ticket": ticket or "", "step": str(wanted)}) as untroubled:
                    lost_places += page_at(one) != page_at(untroubled)
            told = (
                f"{lost_places} of {len(doomed)} places and {len(lost)} of {EACH // 2} presses on their way"
                f" were lost with the dead process"
            )
            assert lost_places == 0, told
            # All go on, on the connection that they have or on the new one, as if nothing had been.
            for one in visitors:
                step = int(one.query["step"])
                await one.rerun("Right")
                assert one.query["step"] == str(step + 1), told

    asyncio.run(kill_one())
    assert soon(lambda: [one.path for one in nginx.answered()].count(f"/{STREAM}") == 3 * EACH)
    assert all(set(ports_of(nginx, cookie)) == {dying, living} for cookie in cookies[::2])
    assert all(ports_of(nginx, cookie)[-1] == living for cookie in cookies)
    assert all(set(ports_of(nginx, cookie)) == {living} for cookie in cookies[1::2])


async def step_on(visitor: Visitor, presses: int) -> None:
    for _ in range(presses):
        await visitor.rerun("Right")
        assert 'class="notice failure"' not in visitor.run.text, visitor.run.text


async def come_back(visitor: Visitor) -> None:
    """Notice that the connection is gone, and connect anew with the address that one has."""
    await asyncio.wait_for(visitor.socket.wait_closed(), PATIENCE_S)
    await visitor.connect()
    await visitor.rerun()


async def press_or_lose(visitor: Visitor) -> bool:
    """Press Next step. Returns whether the page came."""
    try:
        await visitor.rerun("Right")
    except ConnectionClosed:
        return False
    return True


def test_new_visitors_reach_a_process_that_came_back(nginx: Nginx, pages: Pages) -> None:
    dead, living = pages.ports
    cookie = arrive_at(nginx, dead)
    pages.kill(dead)
    assert {home(nginx, arrive(nginx)) for _ in range(30)} == {living}
    assert get(nginx.url, cookie).status == 200
    assert soon(lambda: ports_of(nginx, cookie) == [dead, living])
    assert {one.status for one in nginx.answered()} == {200}
    pages.start_again()
    assert soon(lambda: home(nginx, arrive(nginx)) == dead)


class Reviewer(Visitor):
    """A visitor who also fills in the form for a review."""

    async def save(self, opinion: str, note: str) -> None:
        """Choose, write and save, as the front end sends a form: all its values, and the button."""
        kinds = {one.WhichOneof("type"): one for one in self.run.elements}
        state = BackMsg()
        rerun = state.rerun_script
        rerun.query_string, rerun.page_name = urlencode(self.query), self.page
        rerun.cached_message_hashes.extend(self._kept)
        rerun.widget_states.widgets.add(id=kinds["radio"].radio.id, string_value=opinion)
        rerun.widget_states.widgets.add(id=kinds["text_area"].text_area.id, string_value=note)
        submit = next(one.button.id for one in self.run.elements if one.button.is_form_submitter)
        rerun.widget_states.widgets.add(id=submit, trigger_value=True)
        await self.socket.send(state.SerializeToString())
        self.run = await self._whole_run(time.perf_counter())


def test_a_review_given_through_one_process_is_seen_through_the_other(tmp_path: Path, postgres_url: str) -> None:
    servers: list[Server] = []

    async def review() -> str:
        one, two = (Reviewer(process.url, {"open": "1:T-80001.json"}, page="review") for process in servers)
        async with one, two:
            assert "Seen by Grace" not in one.run.text + two.run.text
            await one.save("I agree", "Seen by Grace")
            await two.rerun()
            return two.run.text

    try:
        servers.extend(Server(copy_project(tmp_path / name), EXPLORER_REVIEWS=postgres_url) for name in ("one", "two"))
        assert "Seen by Grace" in asyncio.run(review())
    finally:
        for process in servers:
            process.stop()
    assert [(given.opinion, given.note) for given in Reviews(postgres_url).all()] == [(Opinion.AGREE, "Seen by Grace")]
