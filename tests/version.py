"""Checks that the version is the same wherever it is said.

    python3 tests/version.py

Problem. The version stands in manifests, lock files, Python, CHANGELOG and pages. Where one is forgotten, a package has another name than its
page says, a crate cannot be published, or a lock file is refused.

Method. Cargo.toml says which version is meant. Each other place is read by a rule of its own: manifests as TOML, pages by patterns of what names a
release (file names of packages, the tag, what `-ptx-version` prints). Then each rule is tried: a text with a wrong version in one place must be
found. So a rule that has nothing to read, or reads the wrong thing, fails.

Source. None. Deviation: figures that were measured with an older version, advisories and CHANGELOG's older parts name that version, and are not read.
Complexity: linear in the texts.
"""

from __future__ import annotations

import datetime
import functools
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from checking import ROOT, check, outcome

NUMBER = r"\d+\.\d+\.\d+"
#: What names a release in a page: files of packages, the folder in the archive, what the plugin prints, the tag.
RELEASE = re.compile(rf"\bptxpasses[-_ ]({NUMBER})(?=-py3|_amd64|-linux|/| for LLVM)|`v({NUMBER})`")
#: A heading of CHANGELOG; only the newest may lack a date.
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
DATED = re.compile(rf"\[({NUMBER})\] - (\d{{4}}-\d{{2}}-\d{{2}})")
#: What a later version removes.
REMOVAL = re.compile(rf"\b(?:go|goes) with ({NUMBER})|With ({NUMBER}) these go")
DEPRECATED = re.compile(rf'\bsince = "({NUMBER})"')
#: The promise is for one series.
PROMISE, SERIES = "docs/compatibility.md", re.compile(r"(?<![.\d])(\d+\.\d+)\.x|promised within (\d+\.\d+)\b")
#: These pages must name a release: a pattern that finds nothing checks nothing.
PAGES = ("README.md", "docs/building.md", "docs/compatibility.md", "docs/guides/pytorch.md", "docs/options.md", "docs/ptx-compare.md", "docs/python.md")
#: These quote older ones.
OLD = ("CHANGELOG.md", "SECURITY.md")
Read = Callable[[str], str]


def tracked() -> list[str]:
    """The files of the repository."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return listed.rstrip("\0").split("\0")


@functools.cache
def read_file(path: str) -> str:
    """The text of a file."""
    return (ROOT / path).read_text(encoding="utf-8")


# Texts are read again for each fault that is tried, and all but one are as before.
@functools.cache
def parsed(text: str) -> dict[str, Any]:
    """A text of TOML, which must not be changed."""
    return tomllib.loads(text)


def parts(version: str) -> tuple[int, ...]:
    """The numbers of a version, which compare as versions do."""
    return tuple(map(int, version.split(".")))


def found(match: re.Match[str]) -> str:
    """The group that has matched."""
    return next(group for group in match.groups() if group)


def in_manifests(files: list[str], read: Read, version: str) -> Iterator[str]:
    """Members of the workspace have the version. What may be published says it of each path that it depends on."""
    members = ["Cargo.toml", *(f"{member}/Cargo.toml" for member in parsed(read("Cargo.toml"))["workspace"]["members"])]
    lost = [path for path in files if re.fullmatch(r"(crates|tools)/[^/]+/Cargo\.toml", path) and path not in members]
    yield from (f"{path}: is not a member of the workspace" for path in lost)
    for path in members:
        manifest = parsed(read(path))
        package = manifest["package"]
        if package["version"] != version:
            yield f"{path}: {package['version']}"
        for kind in ("dependencies", "build-dependencies"):
            for name, wanted in manifest.get(kind, {}).items():
                if not isinstance(wanted, dict) or "path" not in wanted:
                    continue
                if "version" not in wanted and package.get("publish", True):
                    yield f"{path}: {name} has a path and no version, so {package['name']} cannot be published"
                if wanted.get("version", version) != version:
                    yield f"{path}: {name} {wanted['version']}"


def in_release(read: Read) -> Iterator[str]:
    """scripts/release publishes what the manifests allow, and nothing before what it needs."""
    listed = re.search(r"^published=\((.*)\)$", read("scripts/release"), re.MULTILINE)
    names = listed[1].split() if listed else []
    own = own_manifests(read)
    allowed = {name for name, manifest in own.items() if manifest["package"].get("publish", True)}
    if set(names) != allowed:
        yield f"scripts/release: publishes {' '.join(names)}; the manifests allow {' '.join(sorted(allowed))}"
    for place, name in enumerate(names):
        early = sorted(set(own.get(name, {}).get("dependencies", {})) & allowed - set(names[:place]))
        yield from (f"scripts/release: {name} stands before {other}, which it needs" for other in early)


def own_manifests(read: Read) -> dict[str, dict[str, Any]]:
    """The manifests of the workspace, by the names of the crates."""
    members = parsed(read("Cargo.toml"))["workspace"]["members"]
    manifests = [parsed(read(path)) for path in ("Cargo.toml", *(f"{member}/Cargo.toml" for member in members))]
    return {manifest["package"]["name"]: manifest for manifest in manifests}


def in_locks(files: list[str], read: Read, version: str) -> Iterator[str]:
    """Each lock file has our crates in this version, with all that they depend on."""
    own = own_manifests(read)
    for path in (path for path in files if path.endswith("Cargo.lock")):
        for package in parsed(read(path)).get("package", []):
            name = package["name"]
            if name not in own or "source" in package:
                continue
            if package["version"] != version:
                yield f"{path}: {name} {package['version']}"
            needed = {key for key, wanted in own[name].get("dependencies", {}).items() if not (isinstance(wanted, dict) and wanted.get("optional"))}
            lacks = sorted(needed - {entry.split()[0] for entry in package.get("dependencies", [])})
            yield from (f"{path}: {name} lacks {other}: run cargo update -w there" for other in lacks)


def in_python(read: Read, version: str) -> Iterator[str]:
    """The Python package takes its version from the file that says it."""
    said = re.search(r'^VERSION = "(.*)"$', read("python/src/ptxpasses/_version.py"), re.MULTILINE)
    if said is None or said[1] != version:
        yield f"python/src/ptxpasses/_version.py: {said[1] if said else 'no version'}"
    project = parsed(read("python/pyproject.toml"))
    if project["project"].get("dynamic") != ["version"] or project["tool"]["setuptools"]["dynamic"]["version"]["attr"] != "ptxpasses._version.VERSION":
        yield "python/pyproject.toml: the version is not that of ptxpasses/_version.py"


def in_changelog(read: Read, version: str) -> Iterator[str]:
    """The newest heading with a date is this version's; the others follow, each older."""
    headings = HEADING.findall(read("CHANGELOG.md"))
    if headings and headings[0] == "Unreleased":
        headings = headings[1:]
    dated = [DATED.fullmatch(heading) for heading in headings]
    for heading, match in zip(headings, dated, strict=True):
        if match is None:
            yield f"CHANGELOG.md: '{heading}' is not '[VERSION] - DATE'"
    known = [(match[1], datetime.date.fromisoformat(match[2])) for match in dated if match]
    if not known or known[0][0] != version:
        yield f"CHANGELOG.md: its newest release is {known[0][0] if known else 'missing'}"
    for (newer, later), (older, earlier) in zip(known, known[1:], strict=False):
        if parts(newer) <= parts(older) or later < earlier:
            yield f"CHANGELOG.md: {newer} of {later} stands above {older} of {earlier}"


@functools.cache
def in_page(path: str, text: str, version: str) -> list[str]:
    """What a page or a source says of releases."""
    wrong = []
    if not path.endswith(".rs"):
        named = [found(match) for match in RELEASE.finditer(text)]
        wrong += [f"{path}: names {other}" for other in named if other != version]
        if path in PAGES and not named:
            wrong.append(f"{path}: names no release")
    wrong += [f"{path}: {found(m)} removes something, and is here" for m in REMOVAL.finditer(text) if parts(found(m)) <= parts(version)]
    return wrong + [f"{path}: deprecated since {m[1]}, a later version" for m in DEPRECATED.finditer(text) if parts(m[1]) > parts(version)]


def in_pages(files: list[str], read: Read, version: str) -> Iterator[str]:
    """Pages name files, tag and output of this version; the promise is for its series; what goes away goes later."""
    for path in files:
        if path.endswith((".md", ".yml", ".rs")) and path not in OLD:
            yield from in_page(path, read(path), version)
    series = ".".join(version.split(".")[:2])
    promised = {found(match) for match in SERIES.finditer(read(PROMISE))}
    if promised != {series}:
        yield f"{PROMISE}: promises something for {', '.join(sorted(promised)) or 'no version'}, not {series}"


def disagreements(files: list[str], read: Read) -> list[str]:
    """Every place that says another version than Cargo.toml."""
    version = parsed(read("Cargo.toml"))["package"]["version"]
    return [
        *in_manifests(files, read, version),
        *in_locks(files, read, version),
        *in_release(read),
        *in_python(read, version),
        *in_changelog(read, version),
        *in_pages(files, read, version),
    ]


def faults(files: list[str], version: str) -> Iterator[tuple[str, str, str]]:
    """One wrong text for each place: the file, what stands there, and what is put there instead."""
    members = parsed(read_file("Cargo.toml"))["workspace"]["members"]
    for member in members:
        yield f"{member}/Cargo.toml", f'version = "{version}"', 'version = "0.0.1"'
    yield "Cargo.toml", f'path = "crates/nvptx-occupancy", version = "{version}"', 'path = "crates/nvptx-occupancy", version = "0.0.1"'
    yield "Cargo.toml", f'path = "crates/ptxas-errata", version = "{version}"', 'path = "crates/ptxas-errata"'
    yield "Cargo.toml", '"tools/gpu-time", ', ""
    for path in (path for path in files if path.endswith("Cargo.lock") and '\nname = "ptxpasses"\n' in read_file(path)):
        yield path, f'name = "ptxpasses"\nversion = "{version}"', 'name = "ptxpasses"\nversion = "0.0.1"'
        yield path, ' "ptxas-errata",\n', ""
    yield "scripts/release", "published=(nvptx-occupancy ptxas-errata ptxpasses)", "published=(nvptx-occupancy ptxpasses ptxas-errata)"
    yield "tools/sass-emu/Cargo.toml", "publish = false\n", ""
    yield "python/src/ptxpasses/_version.py", version, "0.0.1"
    yield "python/pyproject.toml", "ptxpasses._version.VERSION", "ptxpasses.VERSION"
    yield "CHANGELOG.md", f"## [{version}] - ", f"## {version} of "
    yield "CHANGELOG.md", f"## [{version}] - ", "## [0.0.1] - "
    for path in PAGES:
        named = RELEASE.search(read_file(path))
        if named is not None:
            yield path, named[0], named[0].replace(version, "0.0.1")
    yield PROMISE, f"{'.'.join(version.split('.')[:2])}.x", "0.0.x"


def main() -> int:
    """Reads the repository, then tries each rule."""
    files = tracked()
    version = parsed(read_file("Cargo.toml"))["package"]["version"]
    wrong = disagreements(files, read_file)
    check(f"the version is {version} wherever it is said", not wrong, "\n".join(f"  {line}" for line in wrong))
    for path, old, new in faults(files, version):
        text = read_file(path)
        changed = text.replace(old, new, 1)

        def read(name: str, path: str = path, changed: str = changed) -> str:
            return changed if name == path else read_file(name)

        complaints = set(disagreements(files, read)) - set(wrong)
        what = f"{path}: {' '.join(old.split())} > {' '.join(new.split()) or 'nothing'}: is found"
        check(what, changed != text and bool(complaints), "it stands there no more" if changed == text else "no complaint")
    return outcome()


if __name__ == "__main__":
    sys.exit(main())
