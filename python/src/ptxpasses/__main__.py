"""The command `ptxpasses`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ptxpasses import _files, _info
from ptxpasses._version import VERSION

#: The commands of ptx-compare that have a name of their own here.
SHORT = ("tune", "report", "gate", "kernels", "bisect")
EPILOG = """\
  ptxpasses info                  what is installed, and what is missing and how to get it
  ptxpasses llc ARGUMENTS...      llc with the plugin loaded
  ptxpasses compare ARGUMENTS...  ptx-compare: what ptxas makes of both sides of kernels; `ptxpasses compare --help`
  ptxpasses tune|report|gate|kernels|bisect ...  the same, for `compare tune` and so on

PTXPASSES_LLC, PTXPASSES_PLUGIN, PTXPASSES_COMPARE (ptx-compare) and PTXPASSES_CUDA (a folder with bin/ptxas) in the environment name others
than those that are found. PTXPASSES_LOG=1 has `ptxpasses.triton.install()` print a line for each kernel.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; its process takes the place of this one."""
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
            return _become(_files.llc(), ["-load", str(_files.plugin()), *rest])
        if options.command == "compare":
            return _become(_files.compare(), _with_tools(rest[:1], rest[1:]) if rest else ["--help"])
        if options.command:
            return _become(_files.compare(), _with_tools([options.command], rest))
    except _files.NotFound as error:
        print(f"ptxpasses: {error}", file=sys.stderr)
        return 1
    parser.print_help()
    return 0


#: The commands of ptx-compare that run neither llc nor ptxas.
_WITHOUT_TOOLS = {"help", "completions", "man", "merge", "--help", "-h", "--version", "-V"}
#: Those that run llc, but not ptxas.
_WITHOUT_PTXAS = {"parity", "equal", "build", "bench"}
#: By which of its measures `bisect` asks ptxas.
_BY_PTXAS = {"registers", "spills", "sass", "occupancy"}


def _with_tools(command: list[str], rest: list[str]) -> list[str]:
    """Adds the tools of this installation that the caller has not named."""
    if command[0] in _WITHOUT_TOOLS or {"--help", "-h"} & set(rest):
        return [*command, *rest]

    def has(option: str) -> bool:
        return any(word == option or word.startswith(option + "=") for word in rest)

    tools: list[str] = []
    if not has("--llc"):
        tools += ["--llc", str(_files.llc())]
    if not has("--plugin"):
        tools += ["--plugin", str(_files.plugin())]
    asks = command[0] not in _WITHOUT_PTXAS
    if command[0] == "bisect":
        asks = bool(_BY_PTXAS & {word.removeprefix("--by=") for word in rest})
    if asks and not has("--cuda"):
        tools += ["--cuda", str(_files.cuda())]
    return [*command, *tools, *rest]


def _become(program: Path, arguments: list[str]) -> int:
    os.execv(program, [str(program), *arguments])


if __name__ == "__main__":
    sys.exit(main())
