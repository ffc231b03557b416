# The lit tests of the plugin: whole runs of llc and clang.
#
# scripts/test runs them for every LLVM version. By hand, for one version:
#
#     build/llvm-19/bin/lit -v tests/lit [--param llvm=22] [--param build=FOLDER] [--param lib=FOLDER]
#
# llvm: the host (default 19), made available by scripts/setup: N, LLVM's major version, or N-asserts; build:
# where build/llvm-HOST is (default: build in the checkout); lib: where the plugin is (default: lib in that folder);
# preload: libraries for LD_PRELOAD of every program (scripts/sanitize);
# without: a row of docs/requirements.md that %llc leaves out; then the tests named after the row must fail (tests/rows.py);
# bless: where to keep what FileCheck would have checked, instead of checking it (scripts/bless).
#
# What the RUN lines have:
#   %llc         llc with the plugin loaded, -ptx-verify, and no line at the head of the PTX, which would tell settings
#                apart whose code is the same, and -ptx-unroll=off; %llc-unroll: with that stage; %stock-llc: without
#   %clang       clang without the plugin, %opt: opt; %plugin: the plugin's path
#   %upstream-is-stock: the upstream profile's output for %s, which is IR, is stock's, byte for byte
#   %same        Inputs/same.py, which compares plugin and stock, see there
#   %mir         Inputs/mir.py, which translates machine code to this version, see there
#   %cxx         the C++ compiler, %cc C's; %headers: LLVM's; %shim: ours; %tree: where LLVM is; %run-libs: where a
#                program finds LLVM's libraries; %run-in-tree: runs a program with these
#   %opcodes     the lists of NVPTX's opcodes
#   %lib         the folder of the plugin's builds; %build: the name of that for this host, %kind: "-asserts" in it, or nothing
#   %scripts     the folder of the scripts
#   %host        the host; %major: LLVM's major version; %llvm-library: what a program links with
#   %python      Python
# and lit's own. Features: "llvm-20-up" for a version, "target-x86-64" for a
# registered target, "tool-clang" for a tool that not every installation has, "asserts" for an LLVM with assertions,
# "live-variables" where LLVM computes which instructions read a register last, up to 23; "rustc-of-this-llvm", "valgrind", "preloaded" with --param preload, "links-here" if programs built here run with LLVM's
# libraries, "row-off" with --param without: what does not show in some version says UNSUPPORTED: row-off && llvm-21-up.
import glob
import os
import re
import shutil
import subprocess
import sys

import lit.formats

config.name = "ptxpasses"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".mir", ".test", ".c", ".cl"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

root = os.path.dirname(os.path.dirname(config.test_source_root))
host = lit_config.params.get("llvm", "19")
major = host.partition("-")[0]
build = os.path.abspath(lit_config.params.get("build", os.path.join(root, "build")))
config.name += "-llvm-" + host
config.test_exec_root = os.path.join(build, "lit", host)

tree = os.path.join(build, "llvm-" + host)
tools = os.path.join(tree, "bin")
lib = os.path.abspath(lit_config.params.get("lib", os.path.join(build, "lib")))
plugin = os.path.join(lib, "libptxpasses.so")
llc = os.path.join(tools, "llc")
if not os.path.exists(llc):
    lit_config.fatal("there is no %s: run scripts/setup %s" % (llc, host))
version = subprocess.run([llc, "--version"], capture_output=True, text=True, check=True)
# As library_name in scripts/lib.sh.
with open(os.path.join(tree, "include", "llvm", "Config", "abi-breaking.h"), encoding="utf-8") as header:
    kind = "-asserts" if re.search(r"^#define LLVM_ENABLE_ABI_BREAKING_CHECKS 1", header.read(), re.MULTILINE) else ""
build_name = "libptxpasses-%s%s.so" % (major, kind)
for path in [plugin, os.path.join(lib, build_name)]:
    if not os.path.exists(path):
        lit_config.fatal("there is no %s: run scripts/build %s" % (path, host))

# RUN lines find the tools of this LLVM, such as FileCheck, by their names.
config.environment["PATH"] = os.pathsep.join([tools, os.environ.get("PATH", "")])

# A tree of another distribution brings its own C library along: nothing built here runs with it.
tree_root = os.path.join(tree, "root")
libraries = [os.path.join(tree, "lib")]
libraries += glob.glob(os.path.join(tree_root, "usr/lib/*-linux-gnu")) + glob.glob(os.path.join(tree_root, "lib/*-linux-gnu"))
tree_loader = os.path.join(tree_root, "usr/lib/llvm-%s/bin/ld.so" % major)
if os.path.exists(tree_loader):
    run_in_tree = [tree_loader, "--library-path", os.pathsep.join(libraries)]
else:
    run_in_tree = ["env", "LD_LIBRARY_PATH=" + os.pathsep.join(libraries)]
    config.available_features.add("links-here")

inputs = os.path.join(config.test_source_root, "Inputs")
# Without the packages of the machine: a start takes half as long or less, and a run has some hundred, on LLVM 24 a thousand more.
python = [sys.executable, "-E", "-S"]
same = [*python, os.path.join(inputs, "same.py"), llc, plugin, major]
ours = [llc, "-load", plugin, "-ptx-verify", "-ptx-header=false"]
if "without" in lit_config.params:
    ours.append("-ptx-without=" + lit_config.params["without"])
    config.available_features.add("row-off")
    config.test_exec_root = os.path.join(config.test_exec_root, "without-" + lit_config.params["without"])
config.substitutions += [
    (
        "%upstream-is-stock",
        "%llc-unroll %s -mcpu=sm_80 -ptx-profile=upstream -o %t.upstream && %stock-llc %s -mcpu=sm_80 -o %t.stock && cmp %t.upstream %t.stock",
    ),
    # The stage unroll would change the loops of most tests, which are there for something else.
    ("%llc-unroll", " ".join(ours)),
    ("%llc", " ".join([*ours, "-ptx-unroll=off"])),
    ("%stock-llc", llc),
    ("%clang", os.path.join(tools, "clang")),
    ("%opt", os.path.join(tools, "opt")),
    ("%same", " ".join(same)),
    ("%mir", " ".join([*python, os.path.join(inputs, "mir.py"), major])),
    ("%plugin", plugin),
    ("%python", " ".join(python)),
    ("%true", shutil.which("true")),
    ("%inputs", inputs),
    ("%examples", os.path.join(root, "examples")),
    ("%llvm-library", "LLVM-" + major if glob.glob(os.path.join(tree, "lib", "libLLVM-%s.so" % major)) else "LLVM"),
    ("%scripts", os.path.join(root, "scripts")),
    ("%lib", lib),
    ("%build", build_name),
    ("%kind", kind),
    ("%host", host),
    ("%major", major),
    ("%cxx", os.environ.get("CXX", "c++")),
    ("%cc", os.environ.get("CC", "cc")),
    ("%tree", os.path.join(tools, "..")),
    ("%run-libs", os.pathsep.join(libraries)),
    ("%run-in-tree", " ".join(run_in_tree)),
    ("%opcodes", os.path.join(root, "tests", "opcodes")),
    ("%headers", os.path.join(tools, "..", "include")),
    ("%shim", os.path.join(root, "cpp-shim")),
]

# From 24 on two passes have other arguments, and kill flags are not set; the tests have what there is up to 23.
if int(major) >= 24:
    config.substitutions.insert(0, ("twoaddressinstruction", "two-address-instruction"))
    config.substitutions.insert(0, ("slotindexes", "slot-indexes"))
    flagless = [*python, os.path.join(inputs, "flagless.py"), os.path.join(tools, "FileCheck")]
    config.substitutions.insert(0, (r"\bFileCheck\b", " ".join(flagless)))
else:
    config.available_features.add("live-variables")

# What scripts/build --dev makes.
if os.path.basename(os.path.dirname(os.path.abspath(lib))) == "dev":
    config.available_features.add("dev-build")

if "preload" in lit_config.params:
    config.environment["LD_PRELOAD"] = lit_config.params["preload"]
    # A RUN line may add one.
    config.substitutions.insert(0, ("LD_PRELOAD=", "LD_PRELOAD=" + lit_config.params["preload"] + ":"))
    config.available_features.add("preloaded")
    config.test_exec_root = os.path.join(config.test_exec_root, "preloaded")

if "bless" in lit_config.params:
    stand_in = [sys.executable, os.path.join(inputs, "bless.py"), os.path.abspath(lit_config.params["bless"])]
    config.substitutions.insert(0, (r"\bFileCheck\b", " ".join(stand_in)))

config.available_features.update("llvm-%d-up" % n for n in range(17, int(major) + 1))
# Slow, so for one version only: one whose tools no other C library is brought along for.
if major == "19" and shutil.which("valgrind"):
    config.available_features.add("valgrind")
targets = version.stdout.partition("Registered Targets:")[2]
if kind:
    config.available_features.add("asserts")
# With AddressSanitizer preloaded rustc ends with a segmentation fault, without the plugin as well.
if shutil.which("rustc") and "preload" not in lit_config.params:
    rustc = subprocess.run(["rustc", "-vV"], capture_output=True, text=True).stdout
    release = re.search(r"^release: 1\.(\d+)", rustc, re.MULTILINE)
    # Inputs/kernel.rs has the language items of Rust 1.90.
    if release and int(release[1]) >= 90 and "LLVM version: %s." % major in rustc:
        config.available_features.add("rustc-of-this-llvm")
for tool in ["clang", "clang-linker-wrapper", "ld.lld", "llvm-stress"]:
    if os.path.exists(os.path.join(tools, tool)):
        config.available_features.add("tool-" + tool)
for name in re.findall(r"^\s+(\S+)\s+-", targets, re.MULTILINE):
    config.available_features.add("target-" + name)
