"""The text of a compiled kernel, as the programs of this folder compare it.

A module of its own: tests/gpu has a `run.py` too, and loads `known.py` from here.
"""

from __future__ import annotations


def code_of(ptx: str) -> str:
    """A text without the line that names the plugin and its options: equal code has to be equal here."""
    return "".join(line for line in ptx.splitlines(keepends=True) if not line.startswith("// ptxpasses "))
