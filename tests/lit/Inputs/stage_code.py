"""Checks the JSON of -ptx-stage-code: stage_code.py FILE

Each entry changes the code; those of a function follow each other; PHI elimination takes all PHIs away and leaves the other instructions.
"""

import json
import re
import sys
from collections import defaultdict

changes = json.load(open(sys.argv[1]))
passes = defaultdict(list)
for change in changes:
    passes[change["function"]].append(change["pass"])
    assert change["before"] != change["after"], change["pass"]
    assert all(re.match(r"bb\.0[^\n]*:\n  ", change[side]) for side in ("before", "after")), change
assert len(passes) > 1, passes
order = ["livevars", "phi-elim", "liveintervals", "coalescer", "nvptx-coalescer"]
for function, names in passes.items():
    places = [order.index(name) for name in names if name in order]
    assert places == sorted(places), (function, names)
phis = [change for change in changes if change["pass"] == "phi-elim"]
assert phis, passes
for change in phis:
    assert " = PHI " in change["before"] and " = PHI " not in change["after"], change
    before, after = ([line for line in change[side].splitlines() if not re.search(" = (PHI|COPY) ", line)] for side in ("before", "after"))
    assert len(before) == len(after), change
