"""Compares docs/dependencies.md with the crates that are linked into the plugin and the tool.

    python3 tests/dependencies.py

Every crate stands in a table there, with its licence, and no other crate does. The exit status is 1 if not.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def metadata_of_crates() -> tuple[dict[str, str], dict[str, str]]:
    """Returns the licences of the crates that are linked in, and of those that a build script has, by name."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    edges = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    members = set(metadata["workspace_members"])
    linked, built, open_ids = set(), set(), list(members)
    while open_ids:
        package = open_ids.pop()
        for edge in edges[package]:
            kinds = {kind["kind"] for kind in edge["dep_kinds"]}
            if None in kinds and edge["pkg"] not in linked:
                linked.add(edge["pkg"])
                open_ids.append(edge["pkg"])
            if "build" in kinds and package in members:
                built.add(edge["pkg"])

    def licences(ids: set[str]) -> dict[str, str]:
        chosen = (packages[package] for package in ids - members)
        return {package["name"]: package["license"].replace("/", " OR ") for package in chosen}

    return licences(linked), licences(built)


def documented() -> dict[str, str]:
    """Returns the licences that the tables say, by name."""
    found: dict[str, str] = {}
    for line in (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 4:
            for name in re.findall(r"`([^`]+)`", cells[0]):
                if name in found:
                    sys.exit(f"docs/dependencies.md: {name} stands there twice")
                found[name] = cells[3]
    return found


def main() -> int:
    """Prints each difference."""
    linked, built = metadata_of_crates()
    expected, found = linked | built, documented()
    differences = [f"{name} ({expected[name]}) is missing" for name in sorted(expected.keys() - found.keys())]
    differences += [f"{name} is in nothing of ours" for name in sorted(found.keys() - expected.keys())]
    differences += [
        f"{name} has the licence {expected[name]}, not {found[name]}"
        for name in sorted(expected.keys() & found.keys())
        if expected[name] != found[name]
    ]
    for difference in differences:
        print(f"docs/dependencies.md: {difference}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
