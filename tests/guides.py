"""Runs the commands of guides, as a reader would who types them in.

    python3 tests/guides.py HOST [GUIDE...]

GUIDE is a file of docs/guides (default: all). Its blocks fenced as ```sh run in order, in one bash that ends at the first error, in an empty
folder with a copy of examples/. On the PATH are what scripts/install installs, and the programs of LLVM HOST, as llc-22 or clang-22. A block that is
fenced otherwise is not run. A first line `<!-- needs: PROGRAM... -->` names programs without which the guide is skipped; `python` among
them stands for a new virtual environment, and for the file of the wheel in the reader's folder, where scripts/wheel has made it. With
`nothing` among them that is all that the reader has: no checkout, no installed tree, no LLVM, no variable of ours, and an empty home;
with `checkout` the path of this one in PTXPASSES besides.

No page may install the package by its name, which no index has.

The exit status is 1 if a command failed. A guide whose last command exits with 77 skips itself; the last line that it prints says why.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checking import ROOT, check, outcome, run

NEEDS = re.compile(r"<!-- needs: (.*) -->\n")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: pip is told the package's name, not a file's.
BY_NAME = re.compile(r"pip3? install[^\n`;&]*?[ '\"]ptxpasses(?![-\w*./])[^\n]*")
NEGATED = re.compile(r"^! (.*)$", re.MULTILINE)
SKIPPED = 77
#: Where a machine on which nothing of ours and no compiler was installed by hand has its programs.
SYSTEM_PATH = "/usr/bin:/bin"
#: What `needs` may name besides programs.
OF_THE_TEST = ("python", "nothing", "checkout")
#: What scripts/test has compiled already, so that a guide does not compile LLVM's headers once more.
COMPILED = {"PTX_SHIMS", "CARGO_PROFILE_DEV_DEBUG"}
#: What a reader with `nothing` has besides: what a machine's own network needs.
KEPT = COMPILED | {"LANG", "LC_ALL", "TMPDIR", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"}


def script_of(text: str) -> str:
    """The commands of a guide with this text; bash tells which it runs, by `set -x`. What must fail stands after `!`, which `set -e` does not look at."""
    blocks: list[str] = [NEGATED.sub(r"if \1; then exit 1; fi", block) for block in BLOCK.findall(text)]
    return "set -euxo pipefail\n" + "\n".join(blocks) if blocks else ""


def programs(host: str, to: Path) -> None:
    """Makes scripts that run the programs of an LLVM, with its version after the name. A link would not do: some look at their own name."""
    to.mkdir()
    for file in (ROOT / f"build/llvm-{host}/bin").iterdir():
        if os.access(file, os.X_OK) and file.suffix != ".so":
            script = to / f"{file.name}-{host.partition('-')[0]}"
            write_program(script, f'exec {file} "$@"')


def write_program(file: Path, line: str) -> None:
    """Writes a script of one line of the shell."""
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)


def for_llvm(text: str, version: str) -> str:
    """Puts another LLVM in the place of 22, which the guides are written for."""
    feature = f"llvm{version}-{0 if version in ('17', '24') else 1}"
    return re.sub(r"([a-zA-Z_]+-|scripts/setup\"? )22\b", rf"\g<1>{version}", text.replace("llvm22-1", feature))


def needs_of(text: str) -> list[str]:
    """What a guide with this text needs."""
    first = NEEDS.match(text)
    return first.group(1).split() if first else []


def follow(guide: Path, path: str, host: str) -> None:
    """Runs one guide, with LLVM HOST in the place of the one that it names, and checks that it ends well."""
    name, text = guide.name, for_llvm(guide.read_text(), host.partition("-")[0])
    script = script_of(text)
    if not script:
        print(f"none    {name}: it has no commands to run")
        return
    needs = needs_of(text)
    if has_nothing := "nothing" in needs:
        path = SYSTEM_PATH
        # Rust is where rustup puts it.
        if "cargo" in needs and (cargo := shutil.which("cargo")):
            path = f"{Path(cargo).parent}:{path}"
    missing = [program for program in needs if program not in OF_THE_TEST and not shutil.which(program, path=path)]
    if missing:
        print(f"skipped {name}: there is no {', '.join(missing)}")
        return
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        home.mkdir()
        if has_nothing:
            # A folder of wheels would be more than PyPI.
            kept = {name: value for name, value in os.environ.items() if name in KEPT or (name.startswith("PIP_") and name != "PIP_FIND_LINKS")}
            variables = {**kept, "PATH": path, "HOME": str(home)}
            if "checkout" in needs:
                variables["PTXPASSES"] = str(ROOT)
            if "cargo" in needs:
                folders = {"CARGO_HOME": Path.home() / ".cargo", "RUSTUP_HOME": Path.home() / ".rustup"}
                variables |= {name: os.environ.get(name, str(folder)) for name, folder in folders.items()}
        else:
            shutil.copytree(ROOT / "examples", home / "examples")
            variables = {**os.environ, "PATH": path, "PTXPASSES": str(ROOT)}
        if "python" in needs:
            wheels = sorted((ROOT / "build/wheel").glob(f"ptxpasses-{version_of_cargo()}-*.whl"))
            if not wheels:
                check(f"{name}: there is a wheel", False, f"run scripts/wheel: none is in {ROOT / 'build/wheel'}")
                return
            (home / wheels[0].name).symlink_to(wheels[0])
            environment = Path(folder, "environment")
            run(sys.executable, "-m", "venv", environment)
            if run(environment / "bin/pip", "download", "--quiet", "--no-deps", "--dest", folder, "six").returncode != 0:
                print(f"skipped {name}: PyPI gives no packages here")
                return
            variables |= {"PATH": f"{environment / 'bin'}:{path}", "VIRTUAL_ENV": str(environment)}
            variables["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
        with tempfile.TemporaryFile("w+") as log:
            done = subprocess.run(["bash", "-c", script], cwd=home, env=variables, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False)
            log.seek(0)
            lines = log.read().splitlines()
    if done.returncode == SKIPPED:
        said = [line for line in lines if not line.startswith("+")]
        print(f"skipped {name}: {said[-1] if said else ''}")
    else:
        check(f"{name}, {time.monotonic() - start:.0f} s", done.returncode == 0, "\n".join(lines[-60:]))


def version_of_cargo() -> str:
    """Returns the version of the packages."""
    match = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert match, "Cargo.toml has it"
    return match[1]


def by_name() -> None:
    """Checks that no page, and no message of the package, has a reader install ptxpasses by its name."""
    files = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("python/**/*.py"), *ROOT.glob("python/*.md")]
    found = [f"{file.relative_to(ROOT)}: {match[0]}" for file in files for match in BY_NAME.finditer(file.read_text())]
    check("no page installs ptxpasses by its name", bool(BY_NAME.search("pip install 'ptxpasses[llvm]'")) and not found, "\n".join(found))


def main(host: str, *names: str) -> int:
    """Runs these guides."""
    guides = [Path(name) for name in names] or sorted((ROOT / "docs/guides").glob("*.md"))
    by_name()
    with tempfile.TemporaryDirectory() as folder:
        if any("nothing" not in needs_of(guide.read_text()) for guide in guides):
            installed = run(ROOT / "scripts/install", "--prefix", Path(folder, "installed"))
            if installed.returncode != 0:
                check("scripts/install", False, installed.stderr)
                return outcome()
        programs(host, Path(folder, "llvm"))
        path = f"{folder}/installed/bin:{folder}/llvm:{os.environ['PATH']}"
        for guide in guides:
            follow(guide, path, host)
    return outcome()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
