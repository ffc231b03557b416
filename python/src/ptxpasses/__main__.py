"""The command `ptxpasses`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ptxpasses import _files, _info
from ptxpasses._llc import loading
from ptxpasses._version import VERSION

#: The commands of ptx-compare that have a name of their own here.
SHORT = ("tune", "report", "gate", "kernels", "bisect", "time")
EPILOG = """\
  ptxpasses info                  what is installed, and what is missing and how to get it
  ptxpasses llc ARGUMENTS...      llc with the plugin loaded
  ptxpasses compare ARGUMENTS...  ptx-compare: what ptxas makes of both sides of kernels; `ptxpasses compare --help`
  ptxpasses tune|report|gate|kernels|bisect|time ...  the same, for `compare tune` and so on
  ptxpasses tune --scheduler ADDRESS ...  tune on the workers of dask.distributed; `ptxpasses tune --scheduler A --help`

PTXPASSES_LLC, PTXPASSES_PLUGIN, PTXPASSES_COMPARE (ptx-compare) and PTXPASSES_CUDA (a folder with bin/ptxas) in the environment name others
than those that are found. PTXPASSES_LOG=1 has `ptxpasses.triton.install()` print a line for each kernel.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command, which replaces this process."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(
        prog="ptxpasses", description="LLVM's NVPTX machine passes in Rust", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"ptxpasses {VERSION}")
    parser.add_argument("--plugin", action="store_true", help="print the path of libptxpasses.so, for `llc -load`, and end")
    parser.add_argument("command", nargs="?", choices=["info", "llc", "compare", *SHORT], metavar="COMMAND", help="info, llc, compare, or one of compare's")
    known, rest = words[:1], words[1:]
    options = parser.parse_args(known)
    try:
        if options.plugin:
            print(_files.plugin())
            return 0
        if options.command == "info":
            text, works = _info.table()
            print(text)
            return 0 if works else 1
        if options.command == "llc":
            return _become_llc(_files.llc(), rest)
        if options.command == "compare":
            return _become(_files.compare(), _with_tools(rest[0], rest[1:]) if rest else ["--help"])
        if options.command == "tune" and any(word.split("=")[0] == "--scheduler" for word in rest):
            from ptxpasses import tune

            return tune.main(rest)
        if options.command:
            return _become(_files.compare(), _with_tools(options.command, rest))
    except _files.NotFound as error:
        print(f"ptxpasses: {error}", file=sys.stderr)
        return 1
    parser.print_help()
    return 0


#: The tools that commands of ptx-compare are given, by the names of their options. What is not listed finds or needs none.
TOOLS = {
    "parity": ("llc", "plugin"),
    "equal": ("llc", "plugin"),
    "build": ("llc", "plugin"),
    "kernels": ("llc", "plugin", "cuda"),
    "tune": ("llc", "plugin", "cuda"),
    "gate": ("llc", "plugin", "cuda"),
    "bisect": ("llc", "plugin", "cuda"),
    "report": ("llc", "plugin", "cuda"),
    "time": ("llc", "plugin", "cuda"),
    "sass": ("cuda",),
}
#: By which of its measures `bisect` asks ptxas.
_BY_PTXAS = {"registers", "spills", "sass", "occupancy", "time"}


def _with_tools(command: str, rest: list[str]) -> list[str]:
    """Adds the tools of this installation that the command takes and the caller has not named."""
    if {"--help", "-h"} & set(rest):
        return [command, *rest]
    taken = TOOLS.get(command, ())
    if command == "bisect" and not _BY_PTXAS & {word.removeprefix("--by=") for word in rest}:
        taken = ("llc", "plugin")
    tools: list[str] = []
    for name in taken:
        option = f"--{name}"
        if any(word == option or word.startswith(option + "=") for word in rest):
            continue
        try:
            tools += [option, str(getattr(_files, name)())]
        except _files.NotFound:
            # For PTX and cubins it runs neither. If it misses one, it says so itself.
            if command != "time" or name == "cuda":
                raise
    return [command, *tools, *rest]


def _become_llc(llc: Path, arguments: list[str]) -> int:
    """Becomes llc with the plugin."""
    told = subprocess.run([llc, "--version"], capture_output=True, text=True, check=False).stdout
    words = [str(word) for word in loading(llc, _files.plugin(), told)]
    os.execvp(words[0], [*words, *arguments])


def _become(program: Path, arguments: list[str]) -> int:
    os.execv(program, [str(program), *arguments])


if __name__ == "__main__":
    sys.exit(main())
