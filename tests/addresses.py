"""Where each opcode of NVPTX has its address: the stages, the checker and LLVM must agree.

    addresses.py HOST...

Has each LLVM print its opcodes (tests/opcodes/texts.cpp) into build/opcodes, and runs tests/opcode_addresses.rs on them. HOST: an LLVM version
that scripts/setup has made available. Exit status 1 if they do not agree anywhere.
"""

import glob
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def print_texts(host: str, folder: str) -> None:
    """Writes the texts of one LLVM's opcodes to a file of its version's name."""
    tree = os.path.join(ROOT, "build", "llvm-" + host)
    library = "LLVM-" + host if glob.glob(os.path.join(tree, "lib", "libLLVM-%s.so" % host)) else "LLVM"
    program = os.path.join(folder, "texts-" + host)
    build = [os.environ.get("CXX", "c++"), "-O1", "-std=c++17", "-fno-rtti", "-Wno-deprecated-declarations"]
    build += ["-isystem", os.path.join(tree, "include"), os.path.join(ROOT, "tests", "opcodes", "texts.cpp")]
    build += ["-o", program, "-L" + os.path.join(tree, "lib"), "-l" + library, "-Wl,--unresolved-symbols=ignore-all"]
    subprocess.run(build, check=True)
    # A tree of another distribution brings its own C library along.
    libraries = [os.path.join(tree, "lib")]
    for there in ["usr/lib/*-linux-gnu", "lib/*-linux-gnu"]:
        libraries += glob.glob(os.path.join(tree, "root", there))
    loader = os.path.join(tree, "root", "usr", "lib", "llvm-" + host, "bin", "ld.so")
    if os.path.exists(loader):
        command = [loader, "--library-path", os.pathsep.join(libraries), program]
    else:
        command = ["env", "LD_LIBRARY_PATH=" + os.pathsep.join(libraries), program]
    unfinished = os.path.join(folder, host + ".tmp")
    with open(unfinished, "w", encoding="utf-8") as out:
        # Numbers that LLVM's printer does not expect end the process of an opcode, with a message.
        subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
    os.replace(unfinished, os.path.join(folder, host + ".txt"))


def main() -> int:
    """Runs all; returns the exit status."""
    hosts = sys.argv[1:]
    if not hosts or not all(host.isdigit() for host in hosts):
        print(__doc__, file=sys.stderr)
        return 2
    folder = os.path.join(ROOT, "build", "opcodes")
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(os.path.join(folder, "*.txt")):
        os.remove(old)
    for host in hosts:
        print_texts(host, folder)
    test = ["cargo", "test", "--features", "opcode-texts", "--test", "opcode_addresses", "--", "--nocapture"]
    return subprocess.run(test, cwd=ROOT, env={**os.environ, "PTX_OPCODE_TEXTS": folder}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
