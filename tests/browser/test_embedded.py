"""Embedded in a course's page of another origin: everything works inside the frame, and the frame stays embedded."""

import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from . import pages
from .window import Window

COURSE = '<!doctype html><title>Course</title><h1>Course</h1><iframe src="{}" width="1200" height="700"></iframe>'


class Course(BaseHTTPRequestHandler):
    """Answers every request with the course's page."""

    def __init__(self, body, *arguments):
        self.body = body
        super().__init__(*arguments)

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.body.encode())

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def course(site):
    """The address of the course's page, whose frame shows one step."""
    there = f"{site.url}?embed=true&ticket=T-80001&step=3"
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Course, COURSE.format(there)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


class Embedded(Window):
    """The frame, in the words of a window. Keys go to what has the focus, the address is the frame's own."""

    def __init__(self, page, url, course):
        super().__init__(page, url)
        page.goto(course)
        self.course = course
        self.whole, self.page = page, page.frames[1]

    def key(self, *keys):
        for key in keys:
            self.whole.keyboard.press(key)
        return self


@pytest.fixture(scope="module")
def frame(browser, site, course):
    context = browser.new_context(locale="en-GB", permissions=["clipboard-read"])
    frame = Embedded(context.new_page(), site.url, course)
    yield pages.arrived(frame, "")
    context.close()


@pytest.fixture(autouse=True)
def in_the_frame(frame):
    """Each test begins at step 3 of Tom's ticket, and the course's page is never left."""
    pages.go(frame, embed="true", ticket="T-80001", step=3)
    yield
    assert frame.whole.url == frame.course
    assert frame.address["embed"] == "true"


def test_the_buttons_and_the_keys_step_inside_the_frame(frame):
    frame.stands_at(3, "T-80001").press("Next").stands_at(4)
    pages.is_at(frame, "", ticket="T-80001", step=4, embed="true")
    frame.key("ArrowLeft").stands_at(3).key("End").stands_at(7)
    pages.is_at(frame, "", ticket="T-80001", step=7, embed="true")
    expect(frame.button("Next")).to_be_in_viewport()


def test_the_links_between_the_pages_work_inside_the_frame(frame):
    frame.page.evaluate("window.isTheSameDocument = true")
    for path in [path for path in pages.PAGES if path] + [""]:
        frame.page.locator(f"nav a[href='{path or './'}']").click()
        pages.is_at(frame, path, embed="true")
    assert frame.page.evaluate("window.isTheSameDocument")


def test_a_cell_of_the_comparison_leads_to_its_step_inside_the_frame(frame):
    pages.go(frame, "compare", embed="true")
    cell = frame.page.locator(".glance tbody a", has_text="rejected")
    cell.click()
    pages.is_at(frame, "", ticket="T-80009", step=7, embed="true").stands_at(7, "T-80009")


def test_the_language_switch_and_the_presentation_work_inside_the_frame(frame):
    frame.press("Language")
    pages.is_at(frame, "", ticket="T-80001", step=3, lang="fr", embed="true")
    expect(frame.button("Next")).to_contain_text("Étape suivante")
    frame.page.locator("a[data-key='present']").click()
    pages.is_at(frame, "", ticket="T-80001", step=3, lang="fr", present=1, embed="true")
    frame.press("Next")
    pages.is_at(frame, "", ticket="T-80001", step=4, lang="fr", present=1, embed="true")


def test_the_copied_link_leads_to_the_step_and_not_to_an_embedded_page(frame):
    button = frame.page.locator("button[data-copy-link]")
    button.click()
    expect(button).to_have_text("Copied")
    frame.whole.bring_to_front()
    frame.whole.locator("h1").click()
    link = frame.whole.evaluate("navigator.clipboard.readText()")
    assert link.startswith(frame.url)
    assert dict(parse_qsl(urlsplit(link).query)) == {"ticket": "T-80001", "step": "3"}
