"""Shows that the loader refuses: refusal.py LLC PLUGIN BUILD KERNEL CASE...

BUILD is the name of the build for this LLVM, which lies beside the loader PLUGIN. For
each case a folder is made with the loader, and beside it what the case says in place of
BUILD. llc must end with status 1 and say why in one line that begins with
"ptxpasses: refusing to load: ", without a line of anything else, and must not write its
output. The line is printed.
"""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

llc, plugin, name, kernel = sys.argv[1:5]
lib = os.path.dirname(plugin)
llvm = re.fullmatch(r"libptxpasses-(\d+)(-asserts)?\.so", name)
assert llvm is not None, name
major, asserts = int(llvm[1]), llvm[2] is not None
with open(os.path.join(lib, name), "rb") as f:
    good = f.read()


def header_field(offset, format, value):
    data = bytearray(good)
    struct.pack_into(format, data, offset, value)
    return bytes(data)


def renamed():
    """Builds for the next LLVM, and for the other kind of this one, under this one's name: their notes say so."""
    # ptx_build_note in cpp-shim/plugin.cpp
    note = struct.pack("<III", 10, 8, 1) + b"ptxpasses".ljust(12, b"\0")
    ours = note + struct.pack("<II", major, asserts)
    assert good.count(ours) == 1
    others: list[bytes | str | None] = []
    for other_major, other_asserts in [(major + 1, asserts), (major, not asserts)]:
        others.append(good.replace(ours, note + struct.pack("<II", other_major, other_asserts)))
    return others


def without_note():
    return good.replace(b"ptxpasses\0\0\0", b"qtxpasses\0\0\0")


def unknown_symbol():
    """This build with one of the names that it needs of LLVM changed to another."""
    name = b"_ZN4llvm12PassRegistry15getPassRegistryEv\0"
    assert name in good
    return good.replace(name, b"_ZN4llvm12PassRegistry15getPassRegistryEw\0")


def other():
    """Builds for other LLVMs that were really made: one version, one kind."""
    kinds = ["libptxpasses-%d%s.so" % (major, "" if asserts else "-asserts")]
    builds = sorted(file for file in os.listdir(lib) if re.fullmatch(r"libptxpasses-\d+\.so", file))
    versions = [file for file in builds if file != "libptxpasses-%d.so" % major]
    found: list[bytes | str | None] = []
    for names in [versions, kinds]:
        paths = [os.path.join(lib, n) for n in names if os.path.exists(os.path.join(lib, n))]
        found += [open(path, "rb").read() for path in paths[:1]]
    return found


CASES: dict[str, list[bytes | str | None]] = {
    "missing": [None],
    "truncated": [
        good[:n]
        for n in (0, 1, 4, 16, 63, 64, 65, 119, 120, 176, 300, 500, 4095, 4096, 4097)
        + tuple(len(good) * k // 7 for k in range(1, 7))
        + (len(good) - 64, len(good) - 1)
    ],
    "not-elf": [b"#!/bin/sh\nexit 0\n" * 10, b"\0" * 8192, b"\x7fELF" + b"\xff" * 200],
    "foreign": [open(plugin, "rb").read(), without_note()],
    "renamed": renamed(),
    "unknown-symbol": [unknown_symbol()],
    "other-build": other(),
    # The same by its own name, without the loader.
    "direct": other(),
    # The program headers: far away, too many, of another size; 32-bit.
    "bad-header": [
        header_field(32, "<Q", 1 << 62),
        header_field(32, "<Q", len(good) - 8),
        header_field(56, "<H", 0xFFFF),
        header_field(54, "<H", 32),
        header_field(40, "<Q", (1 << 64) - 64),
    ],
    "folder": ["folder"],
    "dangling-link": ["link"],
}

for case in sys.argv[5:]:
    for number, content in enumerate(CASES[case]):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(plugin, folder)
            path = os.path.join(folder, name)
            if content == "folder":
                os.mkdir(path)
            elif content == "link":
                os.symlink("/no/such/file", path)
            elif content is not None:
                with open(path, "wb") as out_file:
                    assert isinstance(content, bytes), content
                    out_file.write(content)
            out = os.path.join(folder, "out.ptx")
            loader = path if case == "direct" else os.path.join(folder, os.path.basename(plugin))
            command = [llc, "-load", loader, "-mcpu=sm_80", kernel, "-o", out]
            done = subprocess.run(command, capture_output=True, text=True)
            said = done.stderr.splitlines()
            what = "%s (%d)" % (case, number)
            if (
                done.returncode != 1
                or len(said) != 1
                or not said[0].startswith("ptxpasses: refusing to load: ")
                or done.stdout
                or os.path.exists(out)
            ):
                sys.exit(
                    "%s: status %d, %s, output %s"
                    % (what, done.returncode, said[:4], os.path.exists(out))
                )
            print("%s: %s" % (what, said[0].replace(folder, "DIR")))
