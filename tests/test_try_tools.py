"""The script that the lesson has its reader run."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# To the byte what the lesson prints.
OUTPUT = """\
{"order_id":"LK-581106"}    C-81265  ok
    {'ok': True, 'order': {'order_id': 'LK-581106', 'status': 'shipped', 'ordered_on': '2026-10-01', 'shipped_on': \
'2026-10-05', 'delivered_on': None, 'shipping_fee': 0.0, 'total': 899.0, 'currency': 'CAD', 'items': [{'product': \
'garden shed', 'quantity': 1, 'unit_price': 899.0}]}}
{"order_id":"LK-615204"}    C-20417  refused: other_customer
    {'ok': False, 'error': 'No order LK-615204 is available for this customer.'}
{"order_id":"LK-000000"}    C-98373  refused: not_found
    {'ok': False, 'error': 'No order LK-000000 is available for this customer.'}
{"order_id":"LK-55190"}     C-88930  refused: invalid_argument
    {'ok': False, 'error': 'The order ID must be LK- followed by 6 digits.'}
"""


def test_its_output_is_the_lessons_to_the_byte():
    run = subprocess.run([sys.executable, "try_tools.py"], cwd=ROOT, capture_output=True, check=True)
    assert run.stdout.decode("ascii").replace("\r\n", "\n") == OUTPUT
    assert run.stderr == b""
