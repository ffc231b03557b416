"""FileCheck for an LLVM that flags no ends of registers.

    flagless.py FILECHECK ARGUMENTS...

From LLVM 24 on nothing before LiveIntervals sets kill flags, or flags of dead definitions. lit.cfg.py puts this in the place of FileCheck
there: it leaves both flags out of the test's patterns and of what is checked, so that all else that a test says still has to hold. It also leaves
out the patterns for levels with -early-live-intervals, which same.py leaves out for such an LLVM.
"""

import re
import subprocess
import sys
import tempfile

LEVEL = re.compile(r"^.*: O[0-9]-lis: .*\n(.*-SAME: .*\n)*", re.MULTILINE)
FLAG = re.compile(r"\b(killed|dead) (?=[%$\[{])| killed$", re.MULTILINE)


def main() -> int:
    filecheck, *arguments = sys.argv[1:]
    text = FLAG.sub("", sys.stdin.buffer.read().decode(errors="surrogateescape"))
    at = next(i for i, argument in enumerate(arguments) if not argument.startswith("-"))
    with open(arguments[at], encoding="utf-8") as file:
        patterns = LEVEL.sub("", FLAG.sub("", file.read()))
    with tempfile.NamedTemporaryFile("w", suffix=".check", encoding="utf-8") as checks:
        checks.write(patterns)
        checks.flush()
        arguments[at] = checks.name
        return subprocess.run([filecheck, *arguments], input=text.encode(errors="surrogateescape"), check=False).returncode


sys.exit(main())
