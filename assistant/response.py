"""Owns reading a model's response in the Chat Completions shape. It comes from outside: any part may be missing or
of another type, which reads as None and raises nothing."""

from typing import Any

from .events import Usage

Message = dict[str, Any]


def message_of(response: object) -> Message:
    """Return the first choice's message, or an empty one."""
    return as_dict(_first_choice(response).get("message"))


def finish_reason_of(response: object) -> str | None:
    """Return why the model stopped, or None."""
    reason = _first_choice(response).get("finish_reason")
    return reason if isinstance(reason, str) else None


def usage_of(response: object) -> Usage:
    """Return the tokens that the response counts."""
    usage = as_dict(as_dict(response).get("usage"))
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def as_dict(value: object) -> dict[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value if it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else []


def _first_choice(response: object) -> dict[str, Any]:
    return as_dict(next(iter(as_list(as_dict(response).get("choices"))), None))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
