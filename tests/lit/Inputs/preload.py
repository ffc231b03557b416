"""Runs a tool with a library preloaded, after those that are: preload.py LIBRARY TOOL ARGUMENTS...

Where TOOL is one of the wrappers that scripts/setup writes, only the tool that it starts
gets LD_PRELOAD, and not the shell.
"""

import os
import sys

library, tool = sys.argv[1:3]
if "LD_PRELOAD" in os.environ:
    library = os.environ["LD_PRELOAD"] + ":" + library
with open(tool, "rb") as f:
    is_script = f.read(2) == b"#!"
if is_script:
    with open(tool) as f:
        text = f.read()
    text = text.replace("\nexec ", "\nLD_PRELOAD='%s' exec " % library)
    os.execv("/bin/sh", ["sh", "-c", text, tool] + sys.argv[3:])
os.environ["LD_PRELOAD"] = library
os.execv(tool, sys.argv[2:])
