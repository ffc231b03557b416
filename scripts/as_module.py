"""Imports a script of scripts/ that is written in Python, whose name has no suffix."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def load(name: str) -> Any:
    """Returns the script as a module, which leaves no bytecode beside it."""
    module_name = name.replace("-", "_")
    loader = importlib.machinery.SourceFileLoader(module_name, str(ROOT / "scripts" / name))
    spec = importlib.util.spec_from_loader(module_name, loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses looks there
    dont_write, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader.exec_module(module)
    sys.dont_write_bytecode = dont_write
    return module
