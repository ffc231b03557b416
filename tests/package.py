"""Unpacks what scripts/package has made, and runs what is in it.

    python3 tests/package.py N FOLDER

N is an LLVM that the packages have a build for. Checked are the sums, that from the archive and from the .deb llc is given a plugin that it loads, that the
licences are there, that all packages have the same builds, which the .deb's description names, and that a build that is missing is answered by
what a user can do. As root, where mmdebstrap is installed, a tree of this Debian with its clang N and nothing else is made in build/debian-N, unless it is
there; apt installs the .deb in it, and CUDA and OpenCL are compiled, by that tree alone. The exit status is 1 if one of these is not so.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from checking import ROOT, check, outcome, run


def tree(version: str, name: str, root: Path, licence: str) -> list[str]:
    """Checks an unpacked tree; returns the builds in it."""
    config = root / "bin/ptxpasses-config"
    plugin = run(config, "--plugin").stdout.strip()
    check(f"{name}: ptxpasses-config finds the plugin", Path(plugin).is_file() and plugin.startswith(str(root)), plugin)
    loaded = run(ROOT / f"build/llvm-{version}/bin/llc", "-load", plugin, "-ptx-version")
    wanted = f"ptxpasses {run(config, '--version').stdout.strip()} for LLVM {version}"
    check(f"{name}: llc loads it", wanted in loaded.stdout, loaded.stdout + loaded.stderr)
    check(f"{name}: ptx-compare runs", run(root / "bin/ptx-compare", "--version").returncode == 0)
    recorded = run(root / "bin/ptx-compare", "record", "-o", root / "recorded", "--", "true", LD_LIBRARY_PATH="")
    check(f"{name}: ptx-compare finds its library", recorded.returncode != 0 and "libptx_hook" not in recorded.stderr, recorded.stderr)
    builds = run(config, "--builds").stdout.split()
    # The loader alone, elsewhere, beside nothing but a build for an LLVM that is not the host's.
    other = root / "other"
    other.mkdir()
    shutil.copy(plugin, other)
    (other / "libptxpasses-9.so").touch()
    refused = run(ROOT / f"build/llvm-{version}/bin/llc", "-load", other / "libptxpasses.so", "-ptx-version")
    says = "this installation has builds for LLVM 9: use an llc or clang of one of these" in refused.stderr and "scripts" not in refused.stderr
    check(f"{name}: a build that is missing is answered by what a user can do", refused.returncode == 1 and says, refused.stderr)
    documents = root / "share/doc/ptxpasses"
    crates = (documents / "THIRD-PARTY-LICENCES").read_text()
    check(f"{name}: our licence, and those of the crates", "LLVM Exceptions" in (documents / licence).read_text() and "rustc-hash" in crates)
    return sorted(builds)


def empty_debian(version: str) -> Path | str:
    """Returns a tree of Debian with clang, or why there is none."""
    made = ROOT / f"build/debian-{version}"
    if made.is_dir():
        return made
    sources = [file for file in map(Path, ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")) if file.is_file()]
    if os.geteuid() != 0 or not shutil.which("mmdebstrap") or not sources:
        return "it takes root, Debian and mmdebstrap"
    suite = platform.freedesktop_os_release().get("VERSION_CODENAME", "")
    new = made.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    bare = ["--variant=apt", '--aptopt=APT::Install-Recommends "false"', f"--include=clang-{version}"]
    done = run("mmdebstrap", *bare, suite, new, sources[0])
    if done.returncode != 0:
        shutil.rmtree(new, ignore_errors=True)
        return (done.stderr.strip().splitlines() or ["mmdebstrap fails"])[-1]
    return new.rename(made)


def in_debian(version: str, deb: Path, maintainer: str) -> None:
    """Installs the .deb in a tree of Debian and compiles there, with what the two have."""
    root = empty_debian(version)
    if isinstance(root, str):
        print(f"skipped the .deb in a tree of Debian with clang-{version} alone: {root}")
        return
    for file in (deb, *(ROOT / "examples" / name for name in ("device.h", "reduce.cu", "rotate_hash.cl"))):
        shutil.copy(file, root / "tmp")

    def inside(command: str) -> subprocess.CompletedProcess[str]:
        return run("env", "-i", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "DEBIAN_FRONTEND=noninteractive", "chroot", root, "sh", "-c", f"cd /tmp && {command}")

    installed = inside(f"apt-get install --yes --quiet ./{deb.name}")
    check("apt installs the .deb in an empty Debian", installed.returncode == 0, installed.stdout + installed.stderr)
    said = inside("dpkg-query --show --showformat '${Maintainer}' ptxpasses")
    check("which knows its maintainer", said.stdout == maintainer and re.fullmatch(r"[^<>]+ <[^<>@ ]+@[^<>@ ]+>", maintainer) is not None, said.stdout)
    cuda = f"clang++-{version} -nocudainc -nocudalib --cuda-feature=+ptx78 --offload-arch=sm_90 --cuda-device-only -O3 -S reduce.cu -o -"
    opencl = f"clang-{version} --target=nvptx64-nvidia-cuda -march=sm_90 -Xclang -target-feature -Xclang +ptx78 -cl-std=CL1.2 -O3 -S rotate_hash.cl -o -"
    for name, line in {"CUDA": cuda, "OpenCL": opencl}.items():
        stock, ours = inside(line), inside(f'{line} -fplugin="$(ptxpasses-config --plugin)"')
        by_us = ours.stdout.startswith("// ptxpasses ") and ".entry" in ours.stdout and ours.stdout.split("\n", 1)[1] != stock.stdout
        check(f"Debian's clang-{version} compiles {name} with it", ours.returncode == 0 and by_us, ours.stderr)
    purged = inside("dpkg --purge ptxpasses && ! ls /usr/lib/ptxpasses")
    check("and dpkg takes it away again", purged.returncode == 0, purged.stdout + purged.stderr)


def main(version: str, folder: str) -> int:
    """Checks the packages."""
    packages = Path(folder)
    sums = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=packages, capture_output=True, text=True, check=False)
    listed = {line.partition(":")[0] for line in sums.stdout.splitlines()}
    others = {file.name for file in packages.iterdir()} - {"SHA256SUMS"}
    check("each package has its sum", sums.returncode == 0 and listed == others, f"{sums.stdout}{sums.stderr}{sorted(others)}")
    with tempfile.TemporaryDirectory() as name:
        archive = next(packages.glob("*.tar.gz"))
        shutil.unpack_archive(archive, name)
        builds = tree(version, "the archive", Path(name, archive.name.removesuffix("-linux-x86_64.tar.gz")), "LICENSE")
        with zipfile.ZipFile(next(packages.glob("*.whl"))) as wheel:
            of_wheel = sorted(match[1] for file in wheel.namelist() if (match := re.fullmatch(r"ptxpasses/lib/libptxpasses-(.+)\.so", file)))
        check("the wheel has the same builds as the archive", bool(builds) and of_wheel == builds, f"{of_wheel} {builds}")
        if shutil.which("dpkg-deb"):
            deb = next(packages.glob("*.deb"))
            run("dpkg-deb", "-x", deb, Path(name, "deb"))
            check("the .deb has the same builds", tree(version, "the .deb", Path(name, "deb/usr"), "copyright") == builds)
            description = " ".join(run("dpkg-deb", "-f", deb, "Description").stdout.split())
            named = re.search(r"builds for these versions of LLVM: ([^.]*)\.", description)
            said = sorted(host.replace(" with assertions", "-asserts") for host in named[1].split(", ")) if named else []
            check("the .deb's description names them", said == builds, description)
            maintainer = run("dpkg-deb", "-f", deb, "Maintainer").stdout.strip()
            in_debian(version, deb, maintainer)
            check("the .deb names its version", run("dpkg-deb", "-f", deb, "Version").stdout.strip() in archive.name)
    return outcome()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
