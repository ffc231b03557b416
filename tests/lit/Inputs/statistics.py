"""Checks the JSON of -ptx-stats-json: statistics.py FILE|- FUNCTION...

One record of two-address for each function, in order, with what it must have.
"""

import json
import sys

path, functions = sys.argv[1], sys.argv[2:]
with sys.stdin if path == "-" else open(path) as f:
    records = [r for r in json.load(f) if r["pass"] == "two-address"]
assert [r["function"] for r in records] == functions, records
for number, record in enumerate(records):
    assert record["module"].endswith(".ll"), record
    assert record["function_number"] == number, record
    assert record["nanoseconds"] > 0 and record["instructions"] > 2, record
    counters = record["counters"]
    assert counters["copies inserted"] == counters["two-address instructions"] == 1
    assert all(isinstance(n, int) for n in counters.values()), record
