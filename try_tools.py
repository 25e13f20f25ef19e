"""Put the lesson's four recorded proposals to the validator, each for the customer of its ticket."""

from assistant.orders import OrderBook
from assistant.tools import run_tool

PROPOSALS = (
    ('{"order_id":"LK-581106"}', "C-81265"),  # T-80008 asks for its own order
    ('{"order_id":"LK-615204"}', "C-20417"),  # T-80001 asks for the neighbour's
    ('{"order_id":"LK-000000"}', "C-98373"),  # T-65059: the model made the ID up
    ('{"order_id":"LK-55190"}', "C-88930"),  # T-80009: a digit is missing
)


def main() -> None:
    """Print each proposal with its outcome for the log, and under it the result for the model."""
    book = OrderBook()
    for arguments, customer_id in PROPOSALS:
        result, outcome = run_tool("get_order", arguments, customer_id, book)
        print(f"{arguments:27} {customer_id}  {outcome}")
        print("   ", result)


if __name__ == "__main__":
    main()
