"""How a pass's time grows: growth.py LIMIT SMALL LARGE -- LLC WITH OPTIONS...

Fails if the Rust passes take LIMIT times as long on LARGE as on SMALL. The best of
two to ten runs counts, no more than it takes: on a busy machine most are too long.
Without the emitter: LLVM spends much of its time on memory that is touched for the first time.
"""

import json
import subprocess
import sys


def time(command, file):
    options = [file, "-o", "/dev/null", "-ptx-stats-json=-"]
    out = subprocess.run(command + options, stdout=subprocess.PIPE, check=True)
    records = json.loads(out.stdout)
    return sum(r["nanoseconds"] for r in records if r["pass"] != "emitter")


limit, small, large, command = float(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[5:]
a = min(time(command, small) for _ in range(2))
b = min(time(command, large) for _ in range(2))
for _ in range(8):
    if b < limit * a:
        break
    b = min(b, time(command, large))
print("%.3f ms, %.3f ms: %.1f times" % (a / 1e6, b / 1e6, b / a))
sys.exit(b >= limit * a)
