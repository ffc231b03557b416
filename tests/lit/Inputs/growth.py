"""How a pass's time grows: growth.py LIMIT SMALL LARGE -- LLC WITH OPTIONS...

Fails if the two-address pass takes LIMIT times as long on LARGE as on SMALL.
"""

import json
import subprocess
import sys


def best(command, file):
    times = []
    for _ in range(2):
        options = [file, "-o", "/dev/null", "-ptx-stats-json=-"]
        out = subprocess.run(command + options, stdout=subprocess.PIPE, check=True)
        times.append(sum(r["nanoseconds"] for r in json.loads(out.stdout)))
    return min(times)


limit, small, large, command = float(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[5:]
a, b = best(command, small), best(command, large)
print("%.3f ms, %.3f ms: %.1f times" % (a / 1e6, b / 1e6, b / a))
sys.exit(b >= limit * a)
