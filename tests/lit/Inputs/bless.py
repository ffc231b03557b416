"""Stands in for FileCheck when scripts/bless runs lit: keeps what the test would have checked.

    bless.py FOLDER [FileCheck's arguments] TEST

Writes standard input (or --input-file) to FOLDER, in a file named after the test and the prefix, and succeeds.
"""

import os
import sys

folder, *arguments = sys.argv[1:]
prefix, source, test = "CHECK", None, None
for argument in arguments:
    name, _, value = argument.lstrip("-").partition("=")
    if argument.startswith("-") and name in ("check-prefix", "check-prefixes"):
        prefix = value
    elif argument.startswith("-") and name == "input-file":
        source = value
    elif not argument.startswith("-"):
        test = argument
if test is None:
    sys.exit("bless: no test is named")
if source is None:
    text = sys.stdin.read()
else:
    with open(source, encoding="utf-8") as f:
        text = f.read()
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, test.strip("/").replace("/", "@") + "@" + prefix), "w", encoding="utf-8") as f:
    f.write(text)
