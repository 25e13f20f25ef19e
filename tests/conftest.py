"""Owns what comes before all tests, and the PostgreSQL that some of them need."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# First of our modules: each keeps its source, which the page shows, only when it is loaded after this one.
import assistant.explorer.fresh  # noqa: F401
from tests.postgres import NONE_FOUND, Postgres, programs


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server. Where there is none, the test is skipped, and under CI it fails."""
    found = programs()
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(NONE_FOUND, pytrace=False)
        pytest.skip(NONE_FOUND)
    server = Postgres(found)
    yield server
    server.remove()


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of an empty database, dropped after the test."""
    name = postgres.make_database()
    yield postgres.url(name)
    postgres.drop_database(name)


@pytest.fixture(autouse=True)
def own_reviews(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test writes a review into the project, or reads somebody's logs."""
    monkeypatch.delenv("EXPLORER_LOGS", raising=False)
    monkeypatch.setenv("EXPLORER_REVIEWS", f"sqlite:///{tmp_path / '.reviews.db'}")
