"""Makes an LLVM as a user may have it: own-llvm.py TREE MAJOR PREFIX.

PREFIX becomes one with llvm-config, llc, headers and libLLVM of TREE, and without clang, libclang or the tools of tests.
"""

import glob
import os
import sys

tree, major, prefix = (os.path.abspath(a) if "/" in a else a for a in sys.argv[1:4])
os.makedirs(os.path.join(prefix, "bin"))
os.makedirs(os.path.join(prefix, "lib"))
os.symlink(os.path.join(tree, "bin", "llc"), os.path.join(prefix, "bin", "llc"))
os.symlink(os.path.join(tree, "include"), os.path.join(prefix, "include"))
for library in glob.glob(os.path.join(tree, "lib", "libLLVM*.so*")):
    os.symlink(library, os.path.join(prefix, "lib", os.path.basename(library)))
config = os.path.join(prefix, "bin", "llvm-config")
with open(config, "w", encoding="utf-8") as f:
    f.write("#!/bin/sh\ncase $1 in\n")
    for option, answer in [("version", major + ".1.0"), ("bindir", prefix + "/bin"), ("includedir", prefix + "/include"), ("libdir", prefix + "/lib")]:
        f.write(f"--{option}) echo {answer} ;;\n")
    f.write("esac\n")
os.chmod(config, 0o755)
