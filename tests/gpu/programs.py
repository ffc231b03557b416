"""Makes whole CUDA programs of a folder of checkouts, each by clang as it is, by clang with the plugin, and by nvcc.

Problem. Kernels that are timed alone have launches that we made up. Programs of public suites have their own, and many check what they compute;
but they are not ours, so they are made from what the user has, and never kept here.

Method. Each folder with CUDA sources is looked at. A source with a `main` is a program, with the folder's other sources if it has the only `main`. Folders
named include, inc, common or Common, in it or above it, are searched for headers. What all compilers that are there make and link with the CUDA runtime
alone is packed; what one of them does not make is named with its first error. `programs.json` in the folder may say more, by program:

    {"NAME": {"arguments": ["-n", "1024"], "files": "data", "options": ["-DSIZE=4"], "sources": ["a.cu", "b.cpp"]}}

NAME is a program's folder in the checkouts, with its source if it has several; `files` is a folder in which the program runs, a copy each time; paths
are relative to the program's folder. An entry whose value is null leaves a program out.

Source. None. Deviation: none. Complexity: compilations.
"""

from __future__ import annotations

import concurrent.futures
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab_queue import Failure

HERE = Path(__file__).resolve().parent
MAIN = re.compile(r"^\s*(?:int|void)?\s*main\s*\(", re.MULTILINE)
INCLUDED = re.compile(r'#\s*include\s*"([^"]+\.(?:cu|cpp|cc|c))"')
HEADERS = ("include", "inc", "common", "Common")
SUFFIXES = (".cu", ".cpp", ".cc", ".c")
RENAMED = ["-DcudaThreadSynchronize=cudaDeviceSynchronize", "-DcudaThreadExit=cudaDeviceReset"]
"""Functions that CUDA 13 has under their newer names only."""
SECONDS = 180
"""How long a compiler may take."""


@dataclass
class Program:
    """A program: its name, its folder, its sources and what programs.json says of it."""

    name: str
    folder: Path
    sources: list[Path]
    options: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    files: str = ""


def found(root: Path) -> list[Program]:
    """Finds the programs of checkouts."""
    made: list[Program] = []
    for folder in sorted({path.parent for path in root.rglob("*.cu") if ".git" not in path.parts}):
        texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES}
        included = {Path(name).name for text in texts.values() for name in INCLUDED.findall(text)}
        sources = {path: text for path, text in texts.items() if path.name not in included}
        mains = [path for path, text in sources.items() if MAIN.search(text)]
        others = [path for path in sources if path not in mains]
        name = str(folder.relative_to(root))
        if len(mains) == 1:
            made.append(Program(name, folder, [*mains, *others]))
        else:
            made += [Program(f"{name}/{path.name}", folder, [path]) for path in mains if path.suffix == ".cu"]
    return made


def programs_of(root: Path) -> list[Program]:
    """Finds the programs of a folder, with what its programs.json says."""
    if not root.is_dir():
        raise Failure(f"{root}: no such folder of programs")
    path = root / "programs.json"
    said: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    made = {program.name: program for program in found(root)}
    for name, facts in said.items():
        if facts is None:
            made.pop(name, None)
            continue
        unknown = set(facts) - {"arguments", "files", "options", "sources"}
        if unknown:
            raise Failure(f"{path}: {name}: {', '.join(sorted(unknown))}: not known; there are arguments, files, options, sources")
        if name not in made:
            if "sources" not in facts or not (root / name).is_dir():
                raise Failure(f"{path}: {name}: no such program, and no folder with `sources`")
            made[name] = Program(name, root / name, [])
        program = made[name]
        program.arguments, program.files, program.options = facts.get("arguments", []), facts.get("files", ""), facts.get("options", [])
        if "sources" in facts:
            program.sources = [program.folder / one for one in facts["sources"]]
    return list(made.values())


class Builder:
    """Makes programs below a folder `place`: programs/ and lib/."""

    def __init__(self, root: Path, place: Path, tools: Path, version: str, plugin: str, gpu: str, tell: Callable[..., None]) -> None:
        self.root, self.place, self.tell = root.resolve(), place, tell
        toolkit = tools / "toolkit"
        if not (toolkit / "lib" / "libcudart.so").exists():
            raise Failure(f"{toolkit} is not there, which programs need: scripts/setup toolkit")
        clang = [str(tools / f"llvm-{version}" / "bin" / "clang++"), "-x", "cuda", f"--offload-arch={gpu}", f"--cuda-path={toolkit}"]
        clang += ["-Wno-unknown-cuda-version", "-ffp-contract=fast"]
        self.compilers = {
            "stock": clang,
            "ours": [*clang, f"-fplugin={Path(plugin).resolve()}"],
            "nvcc": [str(toolkit / "bin" / "nvcc"), "-x", "cu", "-arch", gpu, "-cudart", "shared"],
        }
        self.after = [f"-L{toolkit / 'lib'}", "-lcudart"]
        self.toolkit = toolkit
        self.left_out: list[str] = []

    def headers(self, folder: Path) -> list[str]:
        """Finds where headers may be."""
        above = [folder, *(one for one in folder.parents if one == self.root or self.root in one.parents)]
        return [f"-I{folder}", *(f"-I{one / name}" for one in above for name in HEADERS if (one / name).is_dir())]

    def make(self, program: Program, number: int) -> dict[str, Any] | None:
        """Makes a program by each compiler; `None` if one fails."""
        builds: dict[str, str] = {}
        for build, compiler in self.compilers.items():
            name = f"programs/{number}/{build}"
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            command = [*compiler, "-O3", "-w", *RENAMED, *program.options, *self.headers(program.folder), *map(str, program.sources)]
            command += ["-o", str(self.place / name), *self.after]
            try:
                done = subprocess.run(command, cwd=program.folder, capture_output=True, text=True, timeout=SECONDS, check=False)
                lines = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line or "undefined" in line]
                why = (lines or ["it ends with an error"])[0] if done.returncode else ""
            except subprocess.TimeoutExpired:
                why = f"more than {SECONDS} s"
            if why:
                self.left_out.append(f"program {program.name}: {build}: {why.replace(str(self.root) + '/', '')[-160:]}")
                shutil.rmtree(self.place / "programs" / str(number))
                return None
            builds[build] = name
        files = ""
        if program.files:
            files = f"programs/{number}/files"
            shutil.copytree(program.folder / program.files, self.place / files)
        return {"builds": builds, "arguments": program.arguments, "files": files}

    def build(self) -> dict[str, Any]:
        """Makes all programs; by name what the archive says of each."""
        library = self.place / "lib"
        library.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.toolkit / "lib" / "libcudart.so.13", library)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", str(HERE / "kernels.c"), "-o", str(library / "libkernels.so")], check=True)
        made: dict[str, Any] = {}
        programs = programs_of(self.root)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            futures = {program.name: pool.submit(self.make, program, number) for number, program in enumerate(programs)}
            for count, (name, future) in enumerate(futures.items(), 1):
                facts = future.result()
                if facts is not None:
                    made[name.replace("/", ".")] = facts
                self.tell(f"{count} of {len(programs)} programs, {len(made)} made", count == len(programs))
        return made
