"""Unpacks what scripts/package has made, and runs what is in it.

    python3 tests/package.py N FOLDER

N is an LLVM that the packages have a build for. Checked are the sums, that from the archive and from the .deb llc is given a plugin that it loads, and that the
licences are there. The exit status is 1 if one of these is not so.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checking import ROOT, check, outcome, run


def tree(version: str, name: str, root: Path, licence: str) -> None:
    """Checks an unpacked tree."""
    config = root / "bin/ptxpasses-config"
    plugin = run(config, "--plugin").stdout.strip()
    check(f"{name}: ptxpasses-config finds the plugin", Path(plugin).is_file() and plugin.startswith(str(root)), plugin)
    loaded = run(ROOT / f"build/llvm-{version}/bin/llc", "-load", plugin, "-ptx-version")
    wanted = f"ptxpasses {run(config, '--version').stdout.strip()} for LLVM {version}"
    check(f"{name}: llc loads it", wanted in loaded.stdout, loaded.stdout + loaded.stderr)
    check(f"{name}: ptx-compare runs", run(root / "bin/ptx-compare", "--version").returncode == 0)
    documents = root / "share/doc/ptxpasses"
    crates = (documents / "THIRD-PARTY-LICENCES").read_text()
    check(f"{name}: our licence, and those of the crates", "LLVM Exceptions" in (documents / licence).read_text() and "rustc-hash" in crates)


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
        tree(version, "the archive", Path(name, archive.name.removesuffix("-linux-x86_64.tar.gz")), "LICENSE")
        if shutil.which("dpkg-deb"):
            deb = next(packages.glob("*.deb"))
            run("dpkg-deb", "-x", deb, Path(name, "deb"))
            tree(version, "the .deb", Path(name, "deb/usr"), "copyright")
            check("the .deb names its version", run("dpkg-deb", "-f", deb, "Version").stdout.strip() in archive.name)
    return outcome()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
