"""Checks which functions the reports of register pressure list: delegated.py JSON SVG REMARKS

The functions that LiveIntervals left to the stock pass are in none of the three.
"""

import json
import sys

with open(sys.argv[1]) as f:
    records = [r for r in json.load(f) if r["pass"] == "liveintervals"]
with open(sys.argv[2]) as f:
    svg = f.read()
with open(sys.argv[3]) as f:
    remarks = f.read()
delegated = 0
for record in records:
    left = any(name.startswith("left to the stock pass") for name in record["counters"])
    delegated += left
    assert ("pressure" in record) != left, record
    assert any(name.startswith("max live") for name in record["counters"]) != left, record
    assert (">%s: live ranges" % record["function"] in svg) != left, record
    assert ("Function: %s: at most" % record["function"] in remarks) != left, record
assert delegated > 0, records
