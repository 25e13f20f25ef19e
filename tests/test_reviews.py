"""Reviews: kept whole, in order and for good, on SQLite and on a real PostgreSQL; and what is said else."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sql
from sqlalchemy.schema import CreateTable

from assistant import database
from assistant.database import (
    BAD_ADDRESS,
    BUSY,
    DAMAGED,
    NO_DRIVER,
    NO_FILE,
    NOT_TAKEN,
    OTHER_TABLE,
    UNCONFIRMED,
    UNREACHABLE,
)
from assistant.reviews import (
    MAKING_THE_TABLE,
    MAX_NAME,
    MAX_NOTE,
    REVIEWS,
    Opinion,
    Review,
    Reviews,
    ReviewsUnavailable,
    Subject,
    TooLong,
    default_url,
)
from tests.postgres import PASSWORD, USER

SUBJECT = Subject("c0ffee" * 10 + "beef", "T-80001", "refused: other_customer", "ab" * 32)
OTHER = Subject("d00d" * 16, "T-80008", None, "cd" * 32)
ROOT = Path(__file__).parents[1]
KINDS = ("sqlite", "postgresql")
HOSTILE = {
    "quotes": 'it\'s "so" `and` $$ so',
    "SQL": "'); DROP TABLE reviews; --",
    "placeholders": "%s %(note)s :note ? {note} \\' \\x00",
    "markup": "<script>alert(1)</script>&amp;",
    "emoji": "👩🏽‍⚖️ 🇨🇦 𝕏",
    "right to left": "\u202eغير مسموح\u202c",
    "lines": " \r\n\t\u2028 end ",
    "combining": "e\u0301\u0301\u0301 \ufeff\uffff",
    "as long as may be": "é" * MAX_NOTE,
}
# Says that it is ready, waits for a line, and then adds reviews.
WRITER = """
import sys
from assistant.reviews import Opinion, Reviews, Subject
url, name, number = sys.argv[1:]
print("ready", flush=True)
input()
for n in range(int(number)):
    Reviews(url).add(Subject("key", "T-1", "ok", "hash"), Opinion.AGREE, str(n), name)
"""


@pytest.fixture(params=KINDS)
def url(request, tmp_path):
    """The address of a database without a table."""
    return default_url(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@pytest.fixture
def reviews(url):
    """The reviews in it."""
    return Reviews(url)


@contextmanager
def connected(url):
    """A connection of somebody else's to the same database."""
    engine = sql.create_engine(url.replace("postgresql:", "postgresql+psycopg:"), poolclass=sql.NullPool)
    with engine.connect() as connection:
        yield connection


def run(url, *statements):
    with connected(url) as connection:
        for statement in statements:
            connection.execute(sql.text(statement))
        connection.commit()


def agree(reviews, note="", name="Grace", subject=SUBJECT):
    return reviews.add(subject, Opinion.AGREE, note, name)


def why_not(question, *arguments):
    """Why the database does not do it."""
    with pytest.raises(ReviewsUnavailable) as caught:
        question(*arguments)
    return caught.value.why


# What is kept.


def test_a_review_is_there_after_reopening(url):
    before = datetime.now(UTC)
    given = Reviews(url).add(SUBJECT, Opinion.DISAGREE, "Tom may see it.", "Grace")
    assert Reviews(url).of(SUBJECT.key) == Reviews(url).all() == (given,)
    assert given == Review(given.id, given.at, SUBJECT, Opinion.DISAGREE, "Tom may see it.", "Grace", None)
    assert before <= given.at <= datetime.now(UTC)


def test_moments_are_in_utc_to_the_microsecond(reviews):
    agree(reviews)
    at = reviews.erase(agree(reviews).id).at
    assert at.tzinfo is UTC
    assert any(agree(reviews).at.microsecond % 1000 for _ in range(5))
    assert {(review.at.tzinfo, review.at.utcoffset()) for review in reviews.all()} == {(UTC, timedelta(0))}


@pytest.mark.parametrize("opinion", Opinion)
def test_each_opinion_comes_back_as_given(reviews, opinion):
    reviews.add(SUBJECT, opinion, "", "")
    assert [review.opinion for review in reviews.all()] == [opinion]


def test_an_outcome_that_is_not_known_stays_unknown(reviews):
    assert agree(reviews, subject=OTHER).subject == OTHER
    assert reviews.of(OTHER.key)[0].subject.outcome is None


def test_what_nobody_reviewed_has_no_reviews(reviews):
    assert (reviews.of(SUBJECT.key), reviews.all(), reviews.reviewed()) == ((), (), {})
    agree(reviews)
    assert reviews.of(OTHER.key) == ()


def test_looking_makes_no_table(reviews, url):
    reviews.all()
    assert reviews.erase(1) is None
    with connected(url) as connection:
        assert not sql.inspect(connection).get_table_names()


def test_a_second_review_leaves_the_first_as_it_is(reviews):
    first, other, second = agree(reviews, "1"), agree(reviews, subject=OTHER), agree(reviews, "2")
    changed = reviews.add(SUBJECT, Opinion.POLICY, "3", "Tom")
    assert reviews.of(SUBJECT.key) == (first, second, changed)
    assert reviews.all() == (first, other, second, changed)
    assert reviews.reviewed() == {"T-80001": frozenset({SUBJECT.key}), "T-80008": frozenset({OTHER.key})}


def test_two_keys_of_one_ticket_are_both_reviewed(reviews):
    agree(reviews)
    agree(reviews, subject=Subject("f00", SUBJECT.ticket, "ok", "1"))
    assert reviews.reviewed() == {SUBJECT.ticket: {SUBJECT.key, "f00"}}


# Text.


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_comes_back_as_it_was(reviews, text):
    about = Subject(text, text, text, text)
    given = agree(reviews, text, text[:MAX_NAME], about)
    assert (given.subject, given.note, given.name) == (about, text, text[:MAX_NAME])
    assert reviews.of(text) == reviews.all() == (given,)
    assert reviews.reviewed() == {text: {text}}


def test_nul_and_lone_surrogates_are_left_out_and_nothing_else(reviews):
    text = "\0a\ud800b\udfff\0\U00010000"
    given = agree(reviews, text, text, Subject(text, text, text, text))
    clean = "ab\U00010000"
    assert (given.subject, given.note, given.name) == (Subject(clean, clean, clean, clean), clean, clean)
    assert reviews.of(text) == reviews.of(clean) == (given,)


@pytest.mark.parametrize(("note", "name"), [("x" * (MAX_NOTE + 1), ""), ("", "x" * (MAX_NAME + 1))])
def test_what_is_too_long_is_refused_and_not_cut(reviews, note, name):
    with pytest.raises(TooLong) as caught:
        agree(reviews, note, name)
    assert f"at most {MAX_NOTE if note else MAX_NAME} characters, not {len(note or name)}" in str(caught.value.why)
    assert reviews.all() == ()


def test_what_is_left_out_does_not_count(reviews):
    assert len(agree(reviews, "x" * MAX_NOTE + "\0").note) == MAX_NOTE


def test_an_opinion_that_there_is_not_is_refused(reviews):
    with pytest.raises(ValueError, match="perhaps"):
        reviews.add(SUBJECT, "perhaps", "", "")
    assert reviews.all() == ()


# Erasing.


def test_erasing_blanks_note_and_name_and_keeps_the_rest(reviews):
    first, second = agree(reviews, "Tom called", "Grace"), agree(reviews, "stays")
    erased = reviews.erase(first.id)
    assert erased == Review(first.id, first.at, SUBJECT, Opinion.AGREE, "", "", erased.erased_at)
    assert first.at <= erased.erased_at <= datetime.now(UTC)
    assert reviews.all() == (erased, second)
    assert reviews.reviewed() == {SUBJECT.ticket: {SUBJECT.key}}


def test_erasing_twice_changes_nothing(reviews):
    number = agree(reviews, "Tom called").id
    assert reviews.erase(number) == reviews.erase(number) == reviews.all()[0]


@pytest.mark.parametrize("number", [0, -1, 2, 2**31, 10**30])
def test_erasing_what_is_not_there_erases_nothing(reviews, number):
    given = agree(reviews, "stays")
    assert given.id != number
    assert reviews.erase(number) is None
    assert reviews.all() == (given,)


def test_what_is_erased_is_nowhere_in_the_file(tmp_path):
    reviews = Reviews(default_url(tmp_path))
    number = agree(reviews, "Tom lives in Rimouski. " * 50).id
    assert any(b"Rimouski" in path.read_bytes() for path in tmp_path.iterdir())
    reviews.erase(number)
    assert not any(b"Rimouski" in path.read_bytes() for path in tmp_path.iterdir())


# Several at once.


def test_threads_lose_nothing(url):
    names = [f"reviewer {n}" for n in range(6)]
    together = threading.Barrier(len(names))

    def write(name):
        together.wait()
        for number in range(10):
            agree(Reviews(url), str(number), name)

    threads = [threading.Thread(target=write, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_all_are_there(url, names, 10)


def test_processes_that_begin_at_once_lose_nothing_and_make_one_table(url):
    names = ["Grace", "Tom", "Ana", "Li"]
    commands = [[sys.executable, "-c", WRITER, url, name, "10"] for name in names]
    processes = [
        subprocess.Popen(command, cwd=ROOT, stdin=-1, stdout=-1, stderr=-1, text=True)  # -1: a pipe
        for command in commands
    ]
    assert [process.stdout.readline() for process in processes] == ["ready\n"] * len(names)
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in processes] == [""] * len(names)
    assert_all_are_there(url, names, 10)


def assert_all_are_there(url, names, number):
    """Every review of every reviewer, each reviewer's in the order given."""
    all_reviews = Reviews(url).all()
    assert len({review.id for review in all_reviews}) == len(all_reviews) == len(names) * number
    for name in names:
        assert [review.note for review in all_reviews if review.name == name] == [str(n) for n in range(number)]


def test_a_copy_waits_while_another_makes_the_table(postgres_url):
    given = []
    copy = threading.Thread(target=lambda: given.append(agree(Reviews(postgres_url))))
    with connected(postgres_url) as first:
        first.execute(sql.select(sql.func.pg_advisory_xact_lock(MAKING_THE_TABLE)))
        first.execute(CreateTable(REVIEWS))
        copy.start()
        waiting = sql.text("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'")
        while copy.is_alive() and not first.execute(waiting).scalar():
            pass
        assert not given
        first.commit()
    copy.join()
    assert len(given) == 1
    assert tuple(given) == Reviews(postgres_url).all()


# What is said when there is no database, or it does not do it.

ADDRESSES = {
    "nothing": "",
    "no address": "reviews.db",
    "a scheme alone": "sqlite:",
    "another database": f"mysql://grace:{PASSWORD}@db.internal/x",
    "another driver": f"postgresql+psycopg2://grace:{PASSWORD}@db.internal/x",
    "no such driver": f"postgresql+nothing://grace:{PASSWORD}@db.internal/x",
    "memory": "sqlite://",
    "memory by name": "sqlite:///:memory:",
    "memory as a file": "sqlite:///file:x?mode=memory&uri=true",
    "a server's file": f"sqlite://grace:{PASSWORD}@db.internal/x",
    "options of a file": "sqlite:///x.db?timeout=600",
    "NUL": "sqlite:///x\0y",
    "a port in letters": f"postgresql://grace:{PASSWORD}@db.internal:abc/x",
    "half an IPv6 address": f"postgresql://grace:{PASSWORD}@[::1/x",
    "NUL in a server's": f"postgresql://grace:{PASSWORD}@127.0.0.1:1/x%00y",
    "NUL in a password": "postgresql://grace:x%00y@127.0.0.1:1/x",
    "NUL in an option": f"postgresql://grace:{PASSWORD}@127.0.0.1:1/x?sslmode=require%00",
    "an unknown option": f"postgresql://grace:{PASSWORD}@127.0.0.1:1/x?no_such_option=1",
    "a lone surrogate": f"postgresql://grace:{PASSWORD}@127.0.0.1:1/\ud800",
}


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_that_cannot_be_used_is_told(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert why_not(agree, Reviews(address)) == why_not(Reviews(address).all) == BAD_ADDRESS
    assert not list(tmp_path.iterdir())


def test_a_missing_driver_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert why_not(Reviews("postgresql://no.driver/x").all) == NO_DRIVER


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_an_address_of_postgresql_may_begin_as_people_write_it(postgres_url, scheme):
    address = postgres_url.replace("postgresql", scheme)
    assert (agree(Reviews(address)),) == Reviews(postgres_url).all()


@pytest.mark.parametrize("name", ["plain", "what? #1 50%", "é ü 😀", "a&b=c;d@e:f"])
def test_the_default_file_is_in_the_folder_whatever_its_name(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    agree(Reviews(default_url(folder)))
    assert [path.name for path in folder.iterdir()] == [".reviews.db"]


@pytest.fixture
def silent_server():
    """The port of a server that takes a connection and never says anything."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize(
    "case", ["wrong password", "no such user", "no such database", "nobody listens", "no such host", "says nothing"]
)
def test_a_server_that_cannot_be_reached_is_told_without_its_address(case, postgres, silent_server):
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        closed = server.getsockname()[1]
    addresses = {
        "wrong password": f"{USER}:{PASSWORD}-secret@127.0.0.1:{postgres.port}/postgres",
        "no such user": f"secret-{USER}:{PASSWORD}@127.0.0.1:{postgres.port}/postgres",
        "no such database": f"{USER}:{PASSWORD}@127.0.0.1:{postgres.port}/secret",
        "nobody listens": f"{USER}:{PASSWORD}@127.0.0.1:{closed}/secret",
        "no such host": f"{USER}:{PASSWORD}@secret.invalid/secret",
        "says nothing": f"{USER}:{PASSWORD}@127.0.0.1:{silent_server}/secret",
    }
    for question in (
        Reviews(f"postgresql://{addresses[case]}").all,
        lambda: agree(Reviews(f"postgres://{addresses[case]}")),
    ):
        with pytest.raises(ReviewsUnavailable) as caught:
            question()
        assert caught.value.why == UNREACHABLE
        assert_no_secret(caught.value)


def assert_no_secret(error):
    told = "".join((str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)))
    told_of_data = told.replace(str(ROOT), "")
    assert not [secret for secret in (PASSWORD, USER, "127.0.0.1", "secret.invalid") if secret in told_of_data]


def test_a_server_that_was_stopped_and_started_is_found_again(postgres, postgres_url):
    reviews = Reviews(postgres_url)
    first = agree(reviews)
    postgres.stop()
    try:
        assert why_not(agree, reviews) == why_not(reviews.all) == UNREACHABLE
    finally:
        postgres.start()
    assert reviews.all() == (first,)
    postgres.stop()
    postgres.start()
    second = agree(reviews)
    assert reviews.all() == (first, second)


def test_a_connection_that_breaks_while_it_saves_is_not_told_as_either(postgres_url):
    reviews = Reviews(postgres_url)
    agree(reviews)
    run(
        postgres_url,
        "CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'",
        "CREATE TRIGGER breaks BEFORE INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION break()",
    )
    assert why_not(agree, reviews) == UNCONFIRMED
    assert len(reviews.all()) == 1


FILES = {
    "no such folder": ("missing/x.db", NO_FILE),
    "a folder": ("folder", NO_FILE),
    "a file as a folder": ("note.txt/x.db", NO_FILE),
    "no database": ("note.txt", DAMAGED),
}


@pytest.mark.parametrize(("name", "why"), FILES.values(), ids=FILES)
def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path, name, why):
    (tmp_path / "folder").mkdir()
    note = tmp_path / "note.txt"
    note.write_text("A note of somebody's, and no database at all.\n" * 30)
    before = note.read_bytes()
    reviews = Reviews(f"sqlite:///{tmp_path / name}")
    assert why_not(agree, reviews) == why_not(reviews.all) == why
    assert note.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "note.txt"]


@pytest.fixture
def ordinary_user(tmp_path):
    """A folder of this user's, who is not root: root may write anywhere."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    agree(Reviews(default_url(tmp_path)))  # loads all modules, which may be where only root may read
    with tempfile.TemporaryDirectory() as name:
        if is_root:
            os.chown(name, 65534, 65534)
            os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            if is_root:
                os.seteuid(0)
            Path(name).chmod(0o700)


@pytest.mark.skipif(os.name == "nt", reason="Windows asks others than the mode who may write")
def test_a_folder_that_may_not_be_written_is_told(ordinary_user):
    ordinary_user.chmod(0o500)
    reviews = Reviews(default_url(ordinary_user))
    assert why_not(agree, reviews) == why_not(reviews.all) == NO_FILE


@pytest.mark.skipif(os.name == "nt", reason="Windows asks others than the mode who may write")
@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)])
def test_a_file_that_may_only_be_read_is_read_and_does_not_take_more(ordinary_user, file_mode, folder_mode):
    reviews = Reviews(default_url(ordinary_user))
    given = agree(reviews)
    (ordinary_user / ".reviews.db").chmod(file_mode)
    ordinary_user.chmod(folder_mode)
    assert why_not(agree, reviews) == why_not(reviews.erase, given.id) == NOT_TAKEN
    assert reviews.all() == (given,)


def test_a_file_that_was_moved_away_takes_no_more_reviews(tmp_path):
    reviews = Reviews(default_url(tmp_path))
    first = agree(reviews)
    (tmp_path / ".reviews.db").rename(tmp_path / "old.db")
    second = agree(reviews)
    assert reviews.all() == (second,)
    assert Reviews(f"sqlite:///{tmp_path / 'old.db'}").all() == (first,)


LOCKS = {"sqlite": "BEGIN EXCLUSIVE", "postgresql": "LOCK TABLE reviews IN ACCESS EXCLUSIVE MODE"}


def test_a_database_that_somebody_holds_is_told_as_busy(reviews, url, monkeypatch):
    monkeypatch.setattr(database, "WAIT_S", 1)
    monkeypatch.setitem(database._FILE["connect_args"], "timeout", 1)
    database._engine.cache_clear()
    given = agree(reviews)
    with connected(url) as other:
        other.execute(sql.text(LOCKS[url.partition(":")[0]]))
        assert why_not(agree, reviews) == why_not(reviews.all) == why_not(reviews.erase, given.id) == BUSY
        other.rollback()
    assert len(reviews.all()) == 1
    assert agree(reviews) == reviews.all()[1]
    database._engine.cache_clear()


COLUMNS = '"at" {moment}, "key" TEXT, ticket TEXT, outcome TEXT, validator TEXT, opinion TEXT, note TEXT, name TEXT'
TABLES = {
    "other columns": ("id INTEGER PRIMARY KEY, stars INTEGER", "1, 5"),
    "an opinion that there is not": (
        f"id INTEGER PRIMARY KEY, {COLUMNS}, erased_at {{moment}}",
        "1, '2026-11-02 10:00:00', 'k', 'T-1', 'ok', 'v', 'perhaps', '', '', NULL",
    ),
    "a moment that is none": (
        f"id INTEGER PRIMARY KEY, {COLUMNS.format(moment='TEXT')}, erased_at {{moment}}",
        "1, 'yesterday', 'k', 'T-1', 'ok', 'v', 'agree', '', '', NULL",
    ),
    "a number as a moment": (
        f"id INTEGER PRIMARY KEY, {COLUMNS.format(moment='INTEGER')}, erased_at {{moment}}",
        "1, 20261102, 'k', 'T-1', 'ok', 'v', 'agree', '', '', NULL",
    ),
}


@pytest.mark.parametrize(("columns", "row"), TABLES.values(), ids=TABLES)
def test_a_table_of_another_kind_is_told_and_left_alone(reviews, url, columns, row):
    moment = "TEXT" if url.startswith("sqlite") else "TIMESTAMPTZ"
    run(url, f"CREATE TABLE reviews ({columns.format(moment=moment)})", f"INSERT INTO reviews VALUES ({row})")
    assert why_not(reviews.all) == OTHER_TABLE
    with connected(url) as connection:
        assert connection.execute(sql.text("SELECT count(*) FROM reviews")).scalar() == 1


def test_a_table_of_other_columns_takes_no_review(reviews, url):
    run(url, "CREATE TABLE reviews (id INTEGER PRIMARY KEY, stars INTEGER)")
    assert why_not(agree, reviews) == why_not(reviews.reviewed) == why_not(reviews.erase, 1) == OTHER_TABLE


def test_a_review_that_the_database_refuses_is_told_as_not_saved(reviews, url):
    moment = "TEXT" if url.startswith("sqlite") else "TIMESTAMPTZ"
    columns = f"id INTEGER PRIMARY KEY CHECK (id < 0), {COLUMNS}, erased_at {{moment}}".format(moment=moment)
    run(url, f"CREATE TABLE reviews ({columns})")
    assert why_not(agree, reviews) == NOT_TAKEN
    assert reviews.all() == ()


def test_a_refused_note_is_in_no_message(reviews, url):
    run(url, "CREATE TABLE reviews (id INTEGER PRIMARY KEY, stars INTEGER)")
    note = "".join(("Rimou", "ski"))  # in no line of this file, which a traceback shows
    with pytest.raises(ReviewsUnavailable) as caught:
        agree(reviews, note)
    assert note not in "".join(traceback.format_exception(caught.value))
