"""Owns the ticket: what a customer wrote, and who that customer is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ticket:
    """One support ticket. `customer_id` comes from the support application, never from text or model."""

    id: str
    customer_id: str | None
    text: str
